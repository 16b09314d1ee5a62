"""Results: each finished run goes to its boards with the replay that proves it, and then the race is settled."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from cellrace_engine import rules_text
from cellrace_engine.replay import Replay, to_json
from cellrace_server.core.boards import entries
from cellrace_server.core.days import parse_day
from cellrace_server.core.evolve import line_of
from cellrace_server.core.facts import AnyFact, Ended, Finished
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.replays import fault_in, replay_of
from cellrace_server.core.runs import Run, run_id
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.dailies import Dailies
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.ports.results import Results
from cellrace_server.services.hall import Hall
from cellrace_server.services.ledger import Ledger
from cellrace_server.services.room import RETRY_AFTER_MS, Room
from cellrace_server.services.sights import Sights

logger = logging.getLogger(__name__)

SETTLE = -1

AT_ONCE_FEW, AT_ONCE_MOST = 8, 512
"""Races whose jobs are under way: each waits for the store several times, and others wait for it, too."""


class _Job(NamedTuple):
    """Book the run of `seat`, or settle the race."""

    room: Room
    seat: int


def at_once(waiting: int) -> int:
    """How many races are booked side by side where so many are not done: half of them, so that in a rush races are
    booked as fast as they end, and what waits does not grow for as long as that lasts."""
    return min(max(AT_ONCE_FEW, waiting // 2), AT_ONCE_MOST)


class Bookkeeper:
    """Hears of every race. Booking repeats until the store has it; after a restart `review` picks up what was left.

    Nothing is kept here that the log does not say: a run can be booked any number of times and stands once.
    """

    def __init__(
        self,
        results: Results,
        sights: Sights,
        dailies: Dailies,
        ledger: Ledger,
        log: RaceLog,
        hall: Hall,
        clock: Clock,
    ) -> None:
        self._results = results
        self._sights = sights
        self._dailies = dailies
        self._ledger = ledger
        self._log = log
        self._hall = hall
        self._clock = clock
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._jobs: dict[str, deque[_Job]] = {}  # of each race one after the other
        self._under_way = 0
        self._changed = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        self._heard: WeakKeyDictionary[Room, set[int]] = WeakKeyDictionary()
        self._unbooked: set[str] = set()
        self._put_off = False

    @property
    def idle(self) -> bool:
        """Every result is booked."""
        return not self._jobs

    def has(self, race: str) -> bool:
        """There is something to book or to settle of this race, or it cannot be done before the next start."""
        return race in self._jobs or race in self._unbooked

    def review(self, room: Room) -> None:
        """Book what a race that was read from the log has to show, whatever was booked of it before."""
        self._heard.pop(room, None)
        race = room.race
        if race is None:
            return
        if not race.options.delay_ms:
            self._book_all(room, race)
        elif race.phase is Phase.ENDED:
            self._book_later(room, race.shown_at)

    def happened(self, room: Room, _before: Race | None, fact: AnyFact, after: Race, /) -> None:
        """A result, or the end, is booked at once; where spectators see late, all of it when they have seen the end.

        With the end goes what was not heard here: a node that heard it may have died before it was booked."""
        if after.options.delay_ms:
            if type(fact) is Ended:
                self._book_later(room, after.shown_at)
        elif type(fact) is Finished:
            self._book_seat(room, fact.seat)
        elif type(fact) is Ended:
            self._book_all(room, after)

    def _book_later(self, room: Room, instant: int) -> None:
        """Results of a race that spectators see late are on no board before they have seen them."""
        self._hall.keep(room)
        later = asyncio.create_task(self._book_at(room, instant))
        self._later.add(later)
        later.add_done_callback(self._later.discard)

    async def _book_at(self, room: Room, instant: int) -> None:
        await self._clock.wait_until(instant)
        if room.race is not None:
            self._book_all(room, room.race)
        self._hall.release(room)

    def _book_all(self, room: Room, race: Race) -> None:
        for seat, taken in race.seated():
            if taken.result is not None:
                self._book_seat(room, seat)
        if race.phase is Phase.ENDED:
            self._put(_Job(room, SETTLE))

    def _book_seat(self, room: Room, seat: int) -> None:
        """Once: a long run takes long to prove, and it is proved before the store is asked whether it has it."""
        heard = self._heard.setdefault(room, set())
        if seat not in heard:
            heard.add(seat)
            self._put(_Job(room, seat))

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        self.review(room)

    def _put(self, job: _Job) -> None:
        jobs = self._jobs.get(job.room.id)
        if jobs is None:
            self._jobs[job.room.id] = deque([job])
            self._waiting.put_nowait(job.room.id)
            self._changed.set()
        else:
            jobs.append(job)

    async def run(self) -> None:
        """Book until cancelled. What was under way then is booked again after the next start."""
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    race = await self._waiting.get()
                    await self._has_room()
                    self._under_way += 1
                    group.create_task(self._work(race))
        finally:
            for later in self._later:
                later.cancel()

    async def _has_room(self) -> None:
        """Wait until another race may be under way."""
        while self._under_way >= at_once(len(self._jobs)):
            self._changed.clear()
            await self._changed.wait()

    async def _work(self, race: str) -> None:
        jobs = self._jobs[race]
        while jobs:
            while not await self._done(jobs[0]):
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
            jobs.popleft()
        del self._jobs[race]
        self._under_way -= 1
        self._changed.set()

    async def _done(self, job: _Job) -> bool:
        try:
            if job.seat == SETTLE:
                await self._settle(job.room)
            else:
                await self._book(job.room, job.seat)
        except StoreUnavailable as error:
            if not self._put_off:
                logger.warning("race %s: not booked yet, it is tried again and again: %s", job.room.id, error)
            self._put_off = True
            return False
        except StoreCorrupt:
            logger.exception("race %s, seat %d: not booked before the next start", job.room.id, job.seat)
            self._unbooked.add(job.room.id)
        self._put_off = False
        return True

    async def _settle(self, room: Room) -> None:
        self._hall.forget(room)
        if room.race is not None:
            await self._sights.of_race(room.race)
            await self._ledger.close(room.race, room.facts)
        if room.id not in self._unbooked:
            await self._log.settle(room.id)

    async def _book(self, room: Room, seat: int) -> None:
        race = room.race
        taken = race.seats[seat] if race is not None else None
        if race is None or taken is None or taken.result is None:
            logger.error("race %s, seat %d: a result without a finished run", room.id, seat)
            return
        replay, fault = await asyncio.to_thread(
            _proved, tuple(room.facts), seat
        )  # long runs take long to run again
        if fault is not None:
            logger.error("race %s, seat %d: not booked, its replay fails: %s", room.id, seat, fault)
            self._unbooked.add(room.id)  # its log is all that shows what happened: it is kept
            return
        line, player = line_of(taken), taken.player
        run = Run(
            id=run_id(race.id, seat),
            player=player,
            deal=str(race.code),
            rules=rules_text(race.options.rules),
            time=taken.result.time,
            moves=line.moves,
            at=_finished_at(room.facts, seat),
            race=race.id,
            score=line.board_score,
            started=race.start,
            error=taken.result.error,
            compensation=taken.result.compensation,
            ranked=race.options.ranked,
            daily=race.options.daily,
            practice=race.options.practice,
            first=await self._sights.see(player.id, race.deal, race.id),
        )
        if await self._results.book(run, entries(run), to_json(replay).encode("utf-8")):
            await self._count_day(run)

    async def _count_day(self, run: Run) -> None:
        """An attempt that is finished counts for the day on which it was begun, whenever that was or is booked."""
        day = parse_day(run.daily)
        if day is not None and not run.practice:
            await self._dailies.finished(run.player.id, run.rules, day)


def _proved(facts: Sequence[AnyFact], seat: int) -> tuple[Replay, str | None]:
    replay = replay_of(facts, seat)
    return replay, fault_in(replay)


def _finished_at(facts: Sequence[AnyFact], seat: int) -> int:
    return next(fact.at for fact in facts if isinstance(fact, Finished) and fact.seat == seat)
