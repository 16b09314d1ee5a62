"""What goes on beside a screen."""

import asyncio
from collections.abc import Coroutine

from textual.app import App


def begin(app: App[int], work: Coroutine[None, None, None], name: str) -> "asyncio.Task[None]":
    """Do something beside the screens. A fault in it ends the program, as one in a screen does: it would only be
    missed. Whoever begins it ends it."""
    task = asyncio.create_task(work, name=name)

    def ended(task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            app.call_later(_raise, error)

    task.add_done_callback(ended)
    return task


def _raise(error: BaseException) -> None:
    raise error
