"""An event loop in which time passes only when it is told to, and nothing waits for anything real."""

import asyncio
import math
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, Unpack, cast

from tests.support.clock import in_this_thread

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

TURNS_MOST = 10_000


class VirtualLoop(asyncio.SelectorEventLoop):
    """`settle` runs everything that needs no time; `pass_time` lets time pass, from one timer to the next.

    Work for other threads is done at once, in this one, so that a history is the same each time it is played.
    """

    def __init__(self) -> None:
        super().__init__()
        self._virtual_ms = 0

    def time(self) -> float:
        return self._virtual_ms / 1_000

    @property
    def ms(self) -> int:
        """The instant, in milliseconds since the loop was made."""
        return self._virtual_ms

    def run_in_executor(
        self, executor: Any, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> "asyncio.Future[T]":
        return in_this_thread(self, func, *args)

    def call(self, func: Callable[[Unpack[Ts]], T], *args: *Ts) -> T:
        """What `func` returns or raises, called from within the loop; then everything that needs no time has run."""
        done: asyncio.Future[T] = self.create_future()

        def act() -> None:
            try:
                done.set_result(func(*args))
            except Exception as error:  # noqa: BLE001 - raised where the call was made
                done.set_exception(error)

        self.call_soon(act)
        self.settle()
        return done.result()

    def settle(self) -> None:
        """Run until everything waits. Raises `AssertionError` where something goes round and round."""
        for _ in range(TURNS_MOST):
            self.call_soon(self.stop)
            self.run_forever()
            if not getattr(self, "_ready"):  # noqa: B009 - the loop's own
                return
        raise AssertionError("this goes on without time passing")

    def pass_time(self, ms: int) -> None:
        """Let `ms` pass; whatever is due runs at its instant."""
        until = self._virtual_ms + ms
        self.settle()
        while (due := self._next_due()) is not None and due <= until:
            self._virtual_ms = max(self._virtual_ms, due)
            self.settle()
        self._virtual_ms = until
        self.settle()

    def _next_due(self) -> int | None:
        """The first millisecond in which a timer is due."""
        timers = cast("list[asyncio.TimerHandle]", getattr(self, "_scheduled"))  # noqa: B009 - the loop's own
        instants = [timer.when() for timer in timers if not timer.cancelled()]
        return math.ceil(min(instants) * 1_000) if instants else None
