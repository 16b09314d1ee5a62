"""A clock that is moved by hand, and waiting on it without waiting."""

import asyncio
import heapq
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

YIELDS = 30
"""Turns of the event loop after which everything that can run without time passing has run."""

STEPS_MOST = 100_000


def in_this_thread(
    loop: asyncio.AbstractEventLoop, func: Callable[[Unpack[Ts]], T], *args: *Ts
) -> "asyncio.Future[T]":
    """What `func` returns or raises, for a loop that gives work to other threads: done at once, in this one. Else a
    clock that is moved by hand would run on while that work is under way."""
    done: asyncio.Future[T] = loop.create_future()
    try:
        done.set_result(func(*args))
    except Exception as error:  # noqa: BLE001 - it belongs to whoever waits
        done.set_exception(error)
    return done


class ManualClock:
    """Implements `ports.clock.Clock`. Time passes when a test says so, and at once."""

    def __init__(self, now: int = 1_000_000) -> None:
        self._now = now
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = 0

    def now(self) -> int:
        return self._now

    async def wait_until(self, instant: int, /) -> None:
        while instant > self._now:
            self._order += 1
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (instant, self._order, future))
            await future

    @property
    def next_instant(self) -> int | None:
        """The earliest instant that somebody waits for."""
        while self._waiting and self._waiting[0][2].done():
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else None

    def move(self, ms: int) -> None:
        """Let time pass, or step back, without letting anybody run in between."""
        self._now += ms
        while (instant := self.next_instant) is not None and instant <= self._now:
            heapq.heappop(self._waiting)[2].set_result(None)

    async def settle(self) -> None:
        """Let everything run that needs no time to pass."""
        for _ in range(YIELDS):
            await asyncio.sleep(0)

    async def pass_time(self, ms: int) -> None:
        """Let time pass, from one instant that somebody waits for to the next."""
        until = self._now + ms
        await self.settle()
        while (instant := self.next_instant) is not None and instant <= until:
            self.move(instant - self._now)
            await self.settle()
        self.move(until - self._now)
        await self.settle()

    async def run_until(self, condition: Callable[[], bool]) -> None:
        """Let things run, and time pass where everybody waits for it, until `condition()` holds.

        Raises `AssertionError` when nothing will ever happen any more.
        """
        for _ in range(STEPS_MOST):
            if condition():
                return
            await asyncio.sleep(0)
            if condition():
                return
            await self.settle()
            if condition():
                return
            instant = self.next_instant
            assert instant is not None, "nobody waits for anything: this will never be"
            self.move(instant - self._now)
        raise AssertionError("this will never be")

    async def carry_out(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns or raises, time passing where it waits for that."""
        task = asyncio.create_task(work)
        await self.run_until(task.done)
        return task.result()
