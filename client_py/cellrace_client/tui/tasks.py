"""What goes on beside a screen."""

import asyncio
from collections.abc import Coroutine

from textual.message_pump import MessagePump


def begin(owner: MessagePump, work: Coroutine[None, None, None], name: str) -> "asyncio.Task[None]":
    """Do something beside a screen. A fault in it ends the program, as one in the screen itself does: it would only be
    missed. Its owner ends it."""
    task = asyncio.create_task(work, name=name)

    def ended(task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            owner.call_later(_raise, error)

    task.add_done_callback(ended)
    return task


def _raise(error: BaseException) -> None:
    raise error
