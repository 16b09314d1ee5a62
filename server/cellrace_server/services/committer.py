"""Group commit: whatever waits goes to the store in one round trip, then whatever has come meanwhile."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.facts import Moved
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import Append, RaceLog
from cellrace_server.services.histogram import Histogram
from cellrace_server.services.room import Room

ROOMS_MOST = 1_000
"""Races whose facts go in one round trip."""

TURNS_MOST = 8
"""Turns of the event loop that facts wait for others to go with them."""

RETRY_FIRST_MS = 50
RETRY_MOST_MS = 500

APPEND_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
FAN_OUT_S = (0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
FACTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Tally:
    """What has been committed since the start. Times are of whole batches: `append` until the store has answered,
    outages included, `fan_out` from there until everybody was sent what concerns them."""

    def __init__(self) -> None:
        self.facts = 0
        self.moves = 0
        self.conflicts = 0
        self.away_ms = 0
        self.append_s = Histogram(APPEND_S)
        self.fan_out_s = Histogram(FAN_OUT_S)
        self.batch = Histogram(FACTS)


class Committer:
    """Owns the way from rooms to the log. While the store is away, the append whose fate is unknown is repeated until
    it is known, and nothing else is sent. `returned` is then told the instant from which the store did not answer.
    """

    def __init__(
        self,
        log: RaceLog,
        clock: Clock,
        returned: Callable[[int], None],
        seconds: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._seconds = seconds
        self._away_since: int | None = None
        self.tally = Tally()
        self._log = log
        self._clock = clock
        self.now = clock.now
        self.away = False
        self._returned = returned
        self._dirty: dict[Room, None] = {}
        self._wake = asyncio.Event()
        self._busy = False
        self._told = 0

    @property
    def away_ms(self) -> int:
        """How long the store has not answered since the start, all told."""
        now_away = 0 if self._away_since is None else max(0, self._clock.now() - self._away_since)
        return self.tally.away_ms + now_away

    @property
    def waiting_rooms(self) -> int:
        """Races with facts that are not on their way yet."""
        return len(self._dirty)

    @property
    def waiting_commands(self) -> int:
        """Commands that wait for the store in those races."""
        return sum(room.waiting for room in self._dirty)

    @property
    def idle(self) -> bool:
        """Everything submitted is durable and answered."""
        return not self._dirty and not self._busy

    def dirty(self, room: Room) -> None:
        """This room has facts to write."""
        if not self._dirty:
            self._wake.set()
        self._dirty[room] = None
        self._told += 1

    async def run(self) -> None:
        """Commit for as long as it is not cancelled. What was under way at a cancellation may be in the log or not."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._dirty:
                self._busy = True
                await self._commit(self._next_rooms())
                self._busy = False
                await self._gather()

    async def _gather(self) -> None:
        """Let the event loop read what has come meanwhile, for as long as there is more: a call costs the store and us
        much the same whatever is in it. Who comes while nothing goes on waits for nobody."""
        for _ in range(TURNS_MOST):
            told = self._told
            await asyncio.sleep(0)
            if self._told == told:
                return

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
        began = self._seconds()
        try:
            answers = await self._append([append for _, append in taken])
        except StoreCorrupt:
            await self._abandon_unwritable(taken)
            return
        self.tally.append_s.observe(self._seconds() - began)
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
        began = self._seconds()
        overtaken: list[tuple[Room, Append, int]] = []
        behind: list[Room] = []
        facts = moves = 0
        for (room, append), length in zip(taken, answers, strict=True):
            if length is None:
                facts += len(append.facts)
                moves += [type(fact) for fact in append.facts].count(Moved)
                room.accepted()
                if room.behind:
                    behind.append(room)
            else:
                overtaken.append((room, append, length))
        self.tally.fan_out_s.observe(self._seconds() - began)
        self.tally.batch.observe(facts)
        self.tally.facts += facts
        self.tally.moves += moves
        self.tally.conflicts += len(overtaken)
        for room, append, length in overtaken:
            await self._catch_up(room, append.expected, length)
        for room in behind:
            await self._read_on(room)

    async def _catch_up(self, room: Room, known: int, length: int) -> None:
        """Somebody was faster: fold their facts, and decide again what waits. A log that is shorter than what was
        acknowledged has lost facts; there is nothing to do but to go by it."""
        try:
            if length < known:
                logger.error("race %s: the store has lost facts, %d of %d are left", room.id, length, known)
                room.restore(await self._known(lambda: self._log.read(room.id)))
            else:
                room.behind = False
                room.overtaken(await self._known(lambda: self._log.read(room.id, known)))
        except (StoreCorrupt, BrokenLog):
            logger.exception("race %s cannot be read", room.id)
            room.abandon()

    async def _read_on(self, room: Room) -> None:
        """Others wrote behind what was ours, before we heard that it was accepted."""
        try:
            await self._known(lambda: self.catch_up(room))
        except (StoreCorrupt, BrokenLog):
            logger.exception("race %s cannot be read", room.id)
            room.abandon()

    async def catch_up(self, room: Room) -> None:
        """Fold what others have appended to a room. Where it has something under way here, it is `behind` until the
        answer to that has come, which sees to it.

        Raises `StoreUnavailable`, `StoreCorrupt`, `BrokenLog`.
        """
        while True:
            room.behind = True
            known = len(room.facts)
            foreign = await self._log.read(room.id, known)
            if not room.idle:
                return
            if len(room.facts) == known:
                break
        room.behind = False
        if foreign:
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
                    self.away = True
                await self._clock.wait_until(self._clock.now() + delay)
                delay = min(2 * delay, RETRY_MOST_MS)
            else:
                self._back()
                return answer

    def _back(self) -> None:
        since, self._away_since = self._away_since, None
        self.away = False
        if since is not None:
            away = max(0, self._clock.now() - since)
            self.tally.away_ms += away
            logger.warning("the store is back after %d ms", away)
            self._returned(since)
