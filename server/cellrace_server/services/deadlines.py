"""Waking races when their deadlines come: one heap and one wait for all of them."""

import asyncio
import heapq
from collections.abc import Callable

from cellrace_server.core.race import deadline
from cellrace_server.ports.clock import Clock
from cellrace_server.services.room import RETRY_AFTER_MS, Room


class Deadlines:
    """Calls `due(room)` once the deadline of a watched room has come, again while it stays past (the store is away)."""

    def __init__(self, clock: Clock, due: Callable[[Room], None]) -> None:
        self._clock = clock
        self._due = due
        self._heap: list[tuple[int, int, Room]] = []
        self._scheduled: dict[Room, int] = {}
        self._order = 0
        self._sooner = asyncio.Event()

    def watch(self, room: Room) -> None:
        """Look at the room's deadline anew. One that moved back is noticed when the earlier instant comes."""
        instant = deadline(room.race) if room.race is not None else None
        if instant is None:
            self._scheduled.pop(room, None)
            return
        scheduled = self._scheduled.get(room)
        if scheduled is None or instant < scheduled:
            self._push(room, instant)

    def _push(self, room: Room, instant: int) -> None:
        self._scheduled[room] = instant
        self._order += 1
        heapq.heappush(self._heap, (instant, self._order, room))
        if self._heap[0][2] is room:
            self._sooner.set()

    async def run(self) -> None:
        """Wait and wake until cancelled."""
        while True:
            self._sooner.clear()
            self._wake()
            await self._wait()

    async def _wait(self) -> None:
        waits: list[asyncio.Task[bool] | asyncio.Task[None]] = [asyncio.create_task(self._sooner.wait())]
        if self._heap:
            waits.append(asyncio.create_task(self._clock.wait_until(self._heap[0][0])))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _wake(self) -> None:
        now = self._clock.now()
        while self._heap and self._heap[0][0] <= now:
            instant, _, room = heapq.heappop(self._heap)
            if self._scheduled.get(room) != instant:
                continue
            del self._scheduled[room]
            actual = deadline(room.race) if room.race is not None else None
            if actual is None:
                continue
            if actual <= now:
                self._due(room)
                actual = now + RETRY_AFTER_MS
            self._push(room, actual)
