"""An event loop for which waiting takes no time: where nothing is to be read or written, the clock jumps to the next
timer. Sockets are real, as long as both ends are on this loop; nothing else may be waited for."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

ARRIVES_S = 0.002
"""How long what was written to a socket of this machine may take to arrive."""


class _Hurried(selectors.DefaultSelector):
    skipped_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; else as if `timeout` seconds had passed."""
        found = super().select(0)
        if not found and (timeout is None or timeout > 0):
            found = super().select(ARRIVES_S if timeout is None else min(timeout, ARRIVES_S))
            if not found and timeout is not None:
                self.skipped_s += timeout
        return found


class HurriedLoop(asyncio.SelectorEventLoop):
    """Its clock goes on by what was waited for."""

    def __init__(self) -> None:
        self._hurried = _Hurried()
        super().__init__(self._hurried)

    def time(self) -> float:
        return super().time() + self._hurried.skipped_s


def hurried(main: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that is run on such a loop."""
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(main)
