"""Waking races when their deadlines come: one heap and one wait for all of them."""

import asyncio
import heapq
from collections.abc import Callable

from cellrace_server.core.race import deadline
from cellrace_server.ports.clock import Clock
from cellrace_server.services.room import RETRY_AFTER_MS, Room

EMPTY_PLACES_MOST = 64


class Deadlines:
    """Calls `due(room)` once the deadline of a watched room has come, again while it stays past (the store is away)."""

    def __init__(self, clock: Clock, due: Callable[[Room], None]) -> None:
        self._clock = clock
        self._due = due
        self._heap: list[tuple[int, int]] = []
        self._rooms: dict[int, Room] = {}
        self._scheduled: dict[Room, tuple[int, int]] = {}
        self._tickets = 0
        self._sooner = asyncio.Event()

    def __len__(self) -> int:
        return len(self._scheduled)

    def watch(self, room: Room) -> None:
        """Look at the room's deadline anew. One that moved back is noticed when the earlier instant comes."""
        instant = deadline(room.race) if room.race is not None else None
        scheduled = self._scheduled.get(room)
        if instant is None:
            self._unschedule(room)
        elif scheduled is None or instant < scheduled[0]:
            self._unschedule(room)
            self._schedule(room, instant)

    def forget(self, room: Room) -> None:
        """Never mind the room's deadline any more."""
        self._unschedule(room)

    def _schedule(self, room: Room, instant: int) -> None:
        self._tickets += 1
        entry = self._scheduled[room] = (instant, self._tickets)
        self._rooms[self._tickets] = room
        heapq.heappush(self._heap, entry)
        if self._heap[0] is entry:
            self._sooner.set()

    def _unschedule(self, room: Room) -> None:
        """Let go of the room; its place in the heap is cleared when there are many such places."""
        entry = self._scheduled.pop(room, None)
        if entry is not None:
            del self._rooms[entry[1]]
        if len(self._heap) > 2 * len(self._rooms) + EMPTY_PLACES_MOST:
            self._heap = sorted(self._scheduled.values())

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
            _, ticket = heapq.heappop(self._heap)
            room = self._rooms.pop(ticket, None)
            if room is None:
                continue
            del self._scheduled[room]
            actual = deadline(room.race) if room.race is not None else None
            if actual is None:
                continue
            if actual <= now:
                self._due(room)
                actual = now + RETRY_AFTER_MS
            self._schedule(room, actual)
