"""Nodes that share a store, without sockets: everything between the codec and the store's port is the real thing."""

import asyncio
import functools
from collections.abc import Coroutine, Iterator
from typing import Any, Protocol

from cellrace_engine import DealCode, Rules
from cellrace_engine.solver import Verdict
from cellrace_protocol.codecs import MSGPACK, SERVER_CODECS
from cellrace_server.core.options import Options
from cellrace_server.gateway.channels import Channels
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.counters import Counters
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.door import Admission
from cellrace_server.gateway.followers import Followers
from cellrace_server.gateway.handlers import gather, handle
from cellrace_server.gateway.onlookers import Onlookers
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.solver import USUAL, Effort, Found
from cellrace_server.services.bookkeeper import Bookkeeper
from cellrace_server.services.daily_attempts import DailyAttempts
from cellrace_server.services.daily_deals import DailyDeals
from cellrace_server.services.dealer import Dealer
from cellrace_server.services.erasure import Eraser
from cellrace_server.services.ghosts import GhostRaces
from cellrace_server.services.hall import Hall
from cellrace_server.services.identities import People
from cellrace_server.services.ledger import Ledger
from cellrace_server.services.listing import Listing
from cellrace_server.services.lobby import Lobby
from cellrace_server.services.nodes import Nodes
from cellrace_server.services.profiles import Profiles
from cellrace_server.services.pulse import Pulse
from cellrace_server.services.roll_call import RollCall
from cellrace_server.services.shown import Shown
from cellrace_server.services.sights import Sights
from cellrace_server.services.stand_ins import StandIns
from cellrace_server.services.sweeper import Sweeper
from tests.simulation.pipe import Pipe
from tests.simulation.virtual_time import VirtualLoop
from tests.support.memory_careers import MemoryCareers, MemoryErasure, MemoryRatings
from tests.support.memory_store import (
    Memory,
    MemoryBulletin,
    MemoryDailies,
    MemoryDirectory,
    MemoryIdentities,
    MemoryRaceLog,
    MemoryResults,
    MemorySightings,
)

EPOCH_MS = 1_796_083_140_000
"""30 November 2026, 23:59 UTC: many a history sees midnight."""

DEALS_FROM = 1_234_000_000
"""Deals are numbered from here on: none is in a message by chance, and no two races have the same."""

COMPENSATION_MS_MOST = 150
AWAY_MS = 40_000
"""How long seats are kept, and hosts are waited for: histories are short."""

START_AGAIN_S = 0.5


class Service(Protocol):
    """What does its work in a task of its own."""

    def run(self) -> Coroutine[Any, Any, None]: ...


class LoopClock:
    """Implements `ports.clock.Clock` on the loop's time; each node's is off by a little."""

    def __init__(self, loop: VirtualLoop, off_ms: int) -> None:
        self._loop = loop
        self._off_ms = off_ms

    def now(self) -> int:
        return EPOCH_MS + self._loop.ms + self._off_ms

    async def wait_until(self, instant: int, /) -> None:
        while (left := instant - self.now()) > 0:  # noqa: ASYNC110 - time is the loop's
            await asyncio.sleep(left / 1_000)


class Optimist:
    """Implements `ports.solver.Solver`: every deal can be won, it says, and shows no line."""

    workers = 1

    async def solve(self, _code: DealCode, _rules: Rules, _effort: Effort = USUAL, /) -> Found:
        return Found(Verdict.SOLVED)

    async def aclose(self) -> None:
        pass


_LETTERS = str.maketrans("0123456789", "abcdefghij")


class SimulatedChance:
    """Implements `ports.chance.Chance`: all that is drawn is foreseeable, and nothing twice."""

    def __init__(self, name: str, deals: Iterator[int]) -> None:
        self._name = name
        self._deals = deals
        self._count = 0

    def _next(self) -> int:
        self._count += 1
        return self._count

    def race_id(self) -> str:
        return f"race{self._name}" + f"{self._next():04d}".translate(_LETTERS)

    def token(self) -> str:
        return f"a token that only this person knows {self._name}{self._next()}"

    def salt(self) -> bytes:
        return f"salt {self._name}{self._next()}".ljust(16).encode()

    def deal_number(self, _first: int, _last: int, /) -> int:
        return DEALS_FROM + next(self._deals)

    def guest_name(self) -> str:
        return f"Guest {self._next()}"


class SimulatedNode:
    """One server process. `crash` leaves nothing of it but what the store has; `boot` starts it anew."""

    def __init__(
        self, loop: VirtualLoop, memory: Memory, name: str, off_ms: int, deals: Iterator[int]
    ) -> None:
        self.name = name
        self.clock = LoopClock(loop, off_ms)
        self._loop = loop
        self._memory = memory
        self._deals = deals
        self._lives = 0
        self._sessions = 0
        self._pipes: list[Pipe] = []
        self._work: list[asyncio.Task[Any]] = []
        self.boot()

    def boot(self) -> None:
        """A new process on the same store."""
        self._lives += 1
        self._up = False
        self._news: list[asyncio.Task[None]] = []
        chance = SimulatedChance(f"{self.name}{'x' * self._lives}o", self._deals)
        log, results = MemoryRaceLog(self._memory, self.name), MemoryResults(self._memory)
        self.hall = Hall(log, self.clock)
        self.nodes = Nodes(f"{self.name}{self._lives}", self.clock)
        self.sights = Sights(MemorySightings(self._memory), self.clock)
        dailies = MemoryDailies(self._memory)
        self.bookkeeper = Bookkeeper(
            results,
            self.sights,
            dailies,
            Ledger(MemoryCareers(self._memory), MemoryRatings(self._memory), log),
            *(log, self.hall, self.clock),
        )
        self.sweeper = Sweeper(self.hall, log, self.bookkeeper, self.clock, self.nodes)
        bulletin = MemoryBulletin(self._memory, self.nodes.own)
        self.listing = Listing(self.hall, bulletin, self.clock, self.nodes)
        self.roll_call = RollCall(self.hall, self.nodes, self.clock)
        self.hall.attend(self.roll_call)
        self.channels = Channels(self.hall, self.clock.now, self.listing)
        followers = Followers(self.listing, self.clock.now)
        self._introduce(followers)
        self.desk = self._desk(chance, log, followers)
        self._start(self._live())

    def _services(self) -> Iterator[Service]:
        """What is run for as long as the node lives."""
        yield from (self.hall, self.bookkeeper, self.sights, self.sweeper, self.stand_ins, self.deals)

    def _desk(self, chance: SimulatedChance, log: MemoryRaceLog, followers: Followers) -> Desk:
        results, dailies = MemoryResults(self._memory), MemoryDailies(self._memory)
        directory = MemoryDirectory(self._memory)
        dealer = Dealer(Optimist(), self.clock, chance)
        lobby = Lobby(self.hall, directory, self.clock, chance, dealer)
        self.deals = DailyDeals(dailies, Optimist(), self.clock, chance)
        shown = Shown(self.hall, self.clock)
        ghosts = GhostRaces(results, self.sights, lobby, shown)
        self.stand_ins = StandIns(ghosts, self.hall, self.clock)
        self.hall.listen(self.stand_ins, boards=False)
        people = People(MemoryIdentities(self._memory), directory, self.clock, chance)
        ratings, careers = MemoryRatings(self._memory), MemoryCareers(self._memory)
        sightings = MemorySightings(self._memory)
        return Desk(
            people=people,
            ratings=ratings,
            profiles=Profiles(people, results, ratings, careers, dailies, sightings, self.clock),
            eraser=Eraser(people, MemoryErasure(self._memory), careers, log, self.hall, self.clock),
            hall=self.hall,
            lobby=lobby,
            ghosts=ghosts,
            shown=shown,
            daily=DailyAttempts(self.deals, dailies, lobby, self.hall, directory, self.clock, chance),
            results=results,
            sights=self.sights,
            channels=self.channels,
            listing=self.listing,
            followers=followers,
            counters=Counters(),
            clock=self.clock,
            nodes=self.nodes,
            roll_call=self.roll_call,
            pulse=Pulse(self._memory.confirm, self.clock),
            waits=Options(away_ms=AWAY_MS),
            compensation_ms_most=COMPENSATION_MS_MOST,
        )

    def _introduce(self, followers: Followers) -> None:
        """Who hears of races, and of the list of them."""
        onlookers = Onlookers(self.channels, self.sights)
        for listener in (
            *(self.channels, self.bookkeeper, self.listing, self.sights),
            *(onlookers, self.roll_call),
        ):
            self.hall.listen(listener)
        for reader in (self.channels, followers):
            self.listing.listen(reader)

    async def _live(self) -> None:
        """As the composition does: recover first, then work for as long as one lives. Without a store a server does not
        start, and is started again."""
        while not self._up:
            try:
                await self.sweeper.recover()
            except StoreUnavailable:
                await asyncio.sleep(START_AGAIN_S)
            else:
                self._up = True
        async with asyncio.TaskGroup() as group:
            for service in self._services():
                group.create_task(service.run())
            news = (self.listing.run(), self.listing.follow(), self.roll_call.run())
            self._news = [group.create_task(work) for work in news]

    def connect(self, pipe: Pipe) -> None:
        """Serve a new connection; refused by one that is not up."""
        if not self._up:
            pipe.cut()
            return
        self._sessions += 1
        connection = Connection(
            pipe,  # type: ignore[arg-type]  # as much of one as a connection uses
            SERVER_CODECS[MSGPACK],
            self.desk,
            functools.partial(handle, self.desk),
            functools.partial(gather, self.desk),
            Admission(self.nodes.session(self._sessions)),
        )
        pipe.connection = connection
        self._pipes.append(pipe)
        self._start(connection.run())

    def connections(self) -> Iterator[Connection]:
        """Those that are open."""
        for pipe in self._pipes:
            if pipe.open and pipe.connection is not None:
                yield pipe.connection

    def crash(self) -> None:
        """Killed: connections are gone, and so is all that was under way."""
        for pipe in self._pipes:
            pipe.cut()
        self._pipes.clear()
        self.cancel()

    def cancel(self) -> None:
        """End all of the node's tasks."""
        work, self._work = self._work, []
        for task in work:
            task.cancel()

    def fall_silent(self) -> None:
        """No more news for other nodes and the list: of no interest, and every second."""
        for task in self._news:
            task.cancel()

    def check_working(self) -> None:
        """No task of the node has ended by an error."""
        for task in self._work:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                raise error

    def check_empty(self) -> None:
        """Nothing is left of any race."""
        assert not self.hall.rooms
        assert not len(self.channels)
        assert self.hall.committer.idle
        assert self.bookkeeper.idle

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = [task for task in self._work if not task.done()]
        self._work.append(self._loop.create_task(work))
