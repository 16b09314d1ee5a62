"""Group commit: whatever waits goes to the store in one round trip, then whatever has come meanwhile."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from cellrace_server.core.evolve import BrokenLog
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import Append, RaceLog
from cellrace_server.services.room import Room

ROOMS_MOST = 1_000
"""Races whose facts go in one round trip."""

RETRY_FIRST_MS = 50
RETRY_MOST_MS = 500

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Tally:
    """What has been committed since the start."""

    def __init__(self) -> None:
        self.appends = 0
        self.facts = 0
        self.conflicts = 0
        self.waited_ms = 0


class Committer:
    """Owns the way from rooms to the log. While the store is away, the append whose fate is unknown is repeated until
    it is known, and nothing else is sent. `returned` is then told the instant from which the store did not answer.
    """

    def __init__(self, log: RaceLog, clock: Clock, returned: Callable[[int], None]) -> None:
        self._away_since: int | None = None
        self.tally = Tally()
        self._log = log
        self._clock = clock
        self._returned = returned
        self._dirty: dict[Room, None] = {}
        self._wake = asyncio.Event()
        self._busy = False

    @property
    def away(self) -> bool:
        return self._away_since is not None

    def now(self) -> int:
        return self._clock.now()

    @property
    def idle(self) -> bool:
        """Everything submitted is durable and answered."""
        return not self._dirty and not self._busy

    def dirty(self, room: Room) -> None:
        """This room has facts to write."""
        self._dirty[room] = None
        self._wake.set()

    async def run(self) -> None:
        """Commit for as long as it is not cancelled. What was under way at a cancellation may be in the log or not."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._dirty:
                self._busy = True
                await self._commit(self._next_rooms())
                self._busy = False

    def _next_rooms(self) -> list[Room]:
        if len(self._dirty) <= ROOMS_MOST:
            rooms = list(self._dirty)
            self._dirty.clear()
            return rooms
        rooms = list(self._dirty)[:ROOMS_MOST]
        for room in rooms:
            del self._dirty[room]
        return rooms

    async def _commit(self, rooms: list[Room]) -> None:
        taken = [(room, append) for room in rooms if (append := room.take()) is not None]
        if not taken:
            return
        began = self._clock.now()
        try:
            answers = await self._append([append for _, append in taken])
        except StoreCorrupt:
            await self._abandon_unwritable(taken)
            return
        self.tally.appends += 1
        self.tally.waited_ms += max(0, self._clock.now() - began)
        await self._settle(taken, answers)

    async def _abandon_unwritable(self, taken: list[tuple[Room, Append]]) -> None:
        """One log of a batch cannot be written: find out which, so that the other races go on."""
        for room, append in taken:
            try:
                answers = await self._append([append])
            except StoreCorrupt:
                logger.exception("race %s cannot be written", room.id)
                room.abandon()
            else:
                await self._settle([(room, append)], answers)

    async def _settle(self, taken: list[tuple[Room, Append]], answers: Sequence[int | None]) -> None:
        for (room, append), length in zip(taken, answers, strict=True):
            if length is None:
                self.tally.facts += len(append.facts)
                room.accepted()
            else:
                self.tally.conflicts += 1
                await self._catch_up(room, append.expected, length)

    async def _catch_up(self, room: Room, known: int, length: int) -> None:
        """Somebody was faster: fold their facts, and decide again what waits. A log that is shorter than what was
        acknowledged has lost facts; there is nothing to do but to go by it."""
        try:
            if length < known:
                logger.error("race %s: the store has lost facts, %d of %d are left", room.id, length, known)
                room.restore(await self._known(lambda: self._log.read(room.id)))
            else:
                room.overtaken(await self._known(lambda: self._log.read(room.id, known)))
        except (StoreCorrupt, BrokenLog):
            logger.exception("race %s cannot be read", room.id)
            room.abandon()

    async def catch_up(self, room: Room) -> None:
        """Fold what others have appended to a room that has nothing under way here (else its append will find out).

        Raises `StoreUnavailable`, `StoreCorrupt`, `BrokenLog`.
        """
        known = len(room.facts)
        foreign = await self._log.read(room.id, known)
        if foreign and room.idle and len(room.facts) == known:
            room.overtaken(foreign)

    async def _append(self, batch: list[Append]) -> Sequence[int | None]:
        return await self._known(lambda: self._log.append(batch))

    async def _known(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call until the store answers. An outage is from the first call that failed to the first that did not."""
        delay = RETRY_FIRST_MS
        while True:
            began = self._clock.now()
            try:
                answer = await call()
            except StoreUnavailable as error:
                if self._away_since is None:
                    logger.warning("the store is away: %s", error)
                    self._away_since = began
                await self._clock.wait_until(self._clock.now() + delay)
                delay = min(2 * delay, RETRY_MOST_MS)
            else:
                self._back()
                return answer

    def _back(self) -> None:
        since, self._away_since = self._away_since, None
        if since is not None:
            logger.warning("the store is back after %d ms", self._clock.now() - since)
            self._returned(since)
