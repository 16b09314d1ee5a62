"""A whole node without sockets: the services on a store in memory, a clock moved by hand, chance without chance."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

from cellrace_server.core.commands import AnyCommand, Ready
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Player
from cellrace_server.core.race import Race
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
from cellrace_server.services.lobby import Lobby, Terms, Visitor
from cellrace_server.services.nodes import Nodes
from cellrace_server.services.profiles import Profiles
from cellrace_server.services.roll_call import RollCall
from cellrace_server.services.room import Answer, Room
from cellrace_server.services.shown import Shown
from cellrace_server.services.sights import Sights
from cellrace_server.services.stand_ins import StandIns
from cellrace_server.services.sweeper import Sweeper
from tests.support.clock import ManualClock, in_this_thread
from tests.support.memory_careers import MemoryCareers, MemoryErasure, MemoryRatings
from tests.support.memory_solver import MemorySolver
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

ADA, GRACE, ALAN = Player("ada", "Ada"), Player("grace", "Grace"), Player("alan", "Alan")
SOLO = Options(seats=1, countdown_ms=0)
PAIR = Options(seats=2, countdown_ms=0)


class CountingChance:
    """Implements `ports.chance.Chance`: everything drawn is foreseeable, and never twice on a node."""

    def __init__(self, node: str) -> None:
        self._node = node
        self._count = 0
        self._deals = 0

    def _next(self) -> int:
        self._count += 1
        return self._count

    def race_id(self) -> str:
        return f"race{self._node}" + "x" * self._next()

    def token(self) -> str:
        return f"token-{self._node}-{self._next()}"

    def salt(self) -> bytes:
        return b"0123456789abcdef"

    def deal_number(self, first: int, last: int, /) -> int:
        self._deals += 1
        return min(first + 615 + self._deals, last)

    def guest_name(self) -> str:
        return f"Guest {self._next()}"


class Recorder:
    """An asker and a listener that writes down what it is told, in order."""

    def __init__(self) -> None:
        self.answers: list[tuple[AnyCommand, Answer]] = []
        self.facts: list[AnyFact] = []
        self.told: list[AnyFact | Answer | str] = []

    def answered(self, _room: Room, command: AnyCommand, answer: Answer, /) -> None:
        self.answers.append((command, answer))
        self.told.append(answer)

    def happened(self, _room: Room, _before: Race | None, fact: AnyFact, _after: Race, /) -> None:
        self.facts.append(fact)
        self.told.append(fact)

    def settled(self, _room: Room, /) -> None:
        pass

    def restored(self, _room: Room, /) -> None:
        self.told.append("restored")

    @property
    def reasons(self) -> list[str | None]:
        """What became of each command: `None` for one that was carried out or had been."""
        return [str(answer.reason) if isinstance(answer, Rejected) else None for _, answer in self.answers]


def profiles_of(memory: Memory, people: People, clock: ManualClock) -> Profiles:
    """On what a memory holds."""
    return Profiles(
        people,
        MemoryResults(memory),
        MemoryRatings(memory),
        MemoryCareers(memory),
        MemoryDailies(memory),
        MemorySightings(memory),
        clock,
    )


class Node:
    """The services as `composition` puts them together."""

    def __init__(
        self, memory: Memory, clock: ManualClock, name: str = "a", solver: MemorySolver | None = None
    ) -> None:
        self.memory = memory
        self.clock = clock
        self.log = MemoryRaceLog(memory, name)
        self.results = MemoryResults(memory)
        self.recorder = Recorder()
        self.hall = Hall(self.log, clock)
        self.nodes = Nodes(name, clock)
        self.sights = Sights(MemorySightings(memory), clock)
        self.dailies = MemoryDailies(memory)
        self.ratings = MemoryRatings(memory)
        self.careers = MemoryCareers(memory)
        self.bookkeeper = Bookkeeper(
            self.results,
            self.sights,
            self.dailies,
            Ledger(self.careers, self.ratings, self.log),
            *(self.log, self.hall, clock),
        )
        self.sweeper = Sweeper(self.hall, self.log, self.bookkeeper, clock, self.nodes)
        self.listing = Listing(self.hall, MemoryBulletin(memory, name), clock, self.nodes)
        self.roll_call = RollCall(self.hall, self.nodes, clock)
        self.hall.attend(self.roll_call)
        self.hall.listen(self.recorder)
        self.hall.listen(self.bookkeeper)
        self.hall.listen(self.listing)
        self.hall.listen(self.sights)
        self.hall.listen(self.roll_call, boards=False)
        chance = CountingChance(name)
        self.solver = solver or MemorySolver()
        self.dealer = Dealer(self.solver, clock, chance)
        directory = MemoryDirectory(memory)
        self.lobby = Lobby(self.hall, directory, clock, chance, self.dealer)
        self.daily_deals = DailyDeals(self.dailies, self.solver, clock, chance)
        self.daily = DailyAttempts(
            self.daily_deals, self.dailies, self.lobby, self.hall, directory, clock, chance
        )
        self.shown = Shown(self.hall, clock)
        self.ghosts = GhostRaces(self.results, self.sights, self.lobby, self.shown)
        self.stand_ins = StandIns(self.ghosts, self.hall, clock)
        self.hall.listen(self.stand_ins, boards=False)
        self.people = People(MemoryIdentities(memory, name), MemoryDirectory(memory), clock, chance)
        self.profiles = profiles_of(memory, self.people, clock)
        self.eraser = Eraser(self.people, MemoryErasure(memory), self.careers, self.log, self.hall, clock)

    async def recover(self) -> None:
        """What a node does before it listens."""
        await self.sweeper.recover()

    async def race(self, *players: Player, options: Options = PAIR, deal: int = 617) -> Room:
        """A race of these players that runs."""
        room = await self.lobby.create(Visitor(players[0]), Terms(options, deal))
        assert isinstance(room, Room)
        for player in players[1:]:
            assert await self.lobby.join(Visitor(player), room.id) is room
        for player in players:
            room.submit(Ready(player.id), Recorder())
        await self.clock.settle()
        assert room.race is not None
        assert room.race.phase == "running"
        return room


T = TypeVar("T")
AnyNode = TypeVar("AnyNode", bound=Node)


@asynccontextmanager
async def running(node: AnyNode) -> AsyncGenerator[AnyNode]:
    """A node at work; nothing of it goes on afterwards, as after a crash."""
    work = (
        *(node.hall.run(), node.bookkeeper.run(), node.sweeper.run()),
        *(
            node.listing.run(),
            node.listing.follow(),
            node.sights.run(),
            node.roll_call.run(),
            node.stand_ins.run(),
        ),
    )
    tasks = [asyncio.create_task(part) for part in work]
    loop = asyncio.get_running_loop()
    loop.run_in_executor = lambda _, func, *args: in_this_thread(loop, func, *args)  # type: ignore[method-assign]
    try:
        yield node
        for task in tasks:
            assert not task.done(), "a node works for as long as it is not cancelled"
    finally:
        for task in tasks:
            task.cancel()
        await node.dealer.aclose()
        await asyncio.wait(tasks)


def elsewhere(memory: Memory, race: str, *commands: AnyCommand, now: int) -> None:
    """Another node decides commands and appends the facts, without a word to anybody."""
    log = memory.logs[race]
    for command in commands:
        outcome = decide(fold(log), command, now)
        assert outcome.answer is None, outcome.answer
        log = memory.logs[race] = [*log, *outcome.facts]


def value(found: T | None) -> T:
    assert found is not None
    return found
