"""A race is counted and rated once for everybody in it, when spectators may know, whatever fails meanwhile."""

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest
from msgspec.structs import replace

from cellrace_server.core.commands import GiveUp, Play
from cellrace_server.core.erasing import NOBODY
from cellrace_server.core.facts import Created, Joined
from cellrace_server.core.ratings import Change, Pool, Rated
from cellrace_server.ports.careers import Career
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.services.ledger import Ledger
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, PAIR, Node, Recorder, running, value
from tests.support.clock import ManualClock
from tests.support.lines import winning_line
from tests.support.memory_careers import MemoryCareers, MemoryErasure, MemoryRatings
from tests.support.memory_store import Memory, MemoryRaceLog

pytestmark = pytest.mark.asyncio

T = TypeVar("T")
RANKED = replace(PAIR, ranked=True, delay_ms=30_000)
POOL = Pool("classic")


async def over(node: Node, options: object = RANKED) -> Room:
    """A race that Ada has won and Grace has abandoned."""
    room = await node.race(ADA, GRACE, options=options)  # type: ignore[arg-type]
    for n, move in enumerate(winning_line(), 1):
        room.submit(Play("ada", n, move), Recorder())
    room.submit(GiveUp("grace", 1), Recorder())
    await node.clock.settle()
    assert value(room.race).phase == "ended"
    return room


def check(memory: Memory, race: str) -> None:
    ada, grace = memory.ratings[POOL]["ada"], memory.ratings[POOL]["grace"]
    assert (ada.races, grace.races) == (1, 1)
    assert ada.value > 1_500 > grace.value
    assert memory.rated_races == {POOL: [race]}
    assert [step.place for step in memory.steps[POOL, "grace"]] == [2]
    assert {player: list(races) for player, races in memory.careers.items()} == {
        "ada": [race],
        "grace": [race],
    }


async def test_it_is_rated_when_spectators_have_seen_its_end() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        room = await over(node)
        await node.clock.pass_time(29_000)
        assert memory.ratings == {}
        assert memory.careers == {}
        await node.clock.pass_time(2_000)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
        check(memory, room.id)
        assert await node.careers.of("ada") == Career(1, 1, ["classic"])
        assert await node.careers.of("grace") == Career(1, 0, ["classic"])


async def test_a_friendly_race_is_counted_and_not_rated() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        await over(node, PAIR)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
        assert memory.ratings == {}
        assert await node.careers.of("ada") == Career(1, 1, ["classic"])


@dataclasses.dataclass
class Failing(Memory):
    """Goes wrong at one call of the booking, before it is carried out or after."""

    at: int = -1
    after: bool = False
    booking: int = 0
    armed: bool = False

    async def call(self, action: Callable[[], T]) -> T:
        if not self.armed:
            return await super().call(action)
        number, self.booking = self.booking, self.booking + 1
        if number == self.at and not self.after:
            raise StoreUnavailable("before it was carried out")
        done = await super().call(action)
        if number == self.at:
            raise StoreUnavailable("after it was carried out")
        return done


async def test_a_fault_at_any_call_changes_nothing_in_the_end() -> None:
    for after in (False, True):
        calls, at = 1, 0
        while at < calls:
            memory = Failing(at=at, after=after)
            async with running(Node(memory, ManualClock())) as node:
                room = await over(node)
                memory.armed = True
                await node.clock.pass_time(31_000)
                await node.clock.run_until(
                    lambda: node.bookkeeper.idle and room.id not in memory.unsettled  # noqa: B023
                )
                check(memory, room.id)
            calls, at = memory.booking, at + 1
        assert calls > 5


async def test_two_nodes_that_settle_one_race_rate_it_once() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock(), "a")) as node:
        room = await over(node)
        await node.clock.pass_time(31_000)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
    memory.unsettled.add(room.id)
    async with running(Node(memory, ManualClock(86_400_000), "b")) as other:
        await other.recover()
        await other.clock.run_until(lambda: other.bookkeeper.idle and not memory.unsettled)
    check(memory, room.id)


async def test_a_player_who_was_erased_meanwhile_leaves_a_log_without_the_name() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        room = await over(node)
        await MemoryErasure(memory).begin(ADA)
        await node.clock.pass_time(31_000)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
    assert memory.careers.keys() == memory.ratings[POOL].keys() == {"grace"}
    assert [memory.runs, memory.replays, memory.rows] == [{}, {}, {}]
    said = [fact for fact in memory.logs[room.id] if isinstance(fact, Created | Joined)]
    names = [fact.host.name if isinstance(fact, Created) else fact.player.name for fact in said]
    assert names == [NOBODY, NOBODY, "Grace"]


class Counted(MemoryRatings):
    """How often it was asked, by people who share a processor."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.looked = self.booked = 0

    async def of(self, pool: Pool, players: Sequence[str], /) -> Sequence[Rated | None]:
        self.looked += 1
        await asyncio.sleep(0)
        return await super().of(pool, players)

    async def book(self, pool: Pool, race: str, changes: Sequence[Change], /) -> bool:
        self.booked += 1
        await asyncio.sleep(0)
        return await super().book(pool, race, changes)


async def test_of_many_races_of_one_player_none_looks_again_because_another_is_booked() -> None:
    memory = Memory()
    ratings = Counted(memory)
    ledger = Ledger(MemoryCareers(memory), ratings, MemoryRaceLog(memory))
    async with running(Node(Memory(), ManualClock())) as node:
        room = await over(node)
    races = [replace(value(room.race), id=f"race{n}") for n in range(40)]
    await asyncio.gather(*(ledger.close(race, room.facts) for race in races))
    assert memory.ratings[POOL]["ada"].races == 40
    assert (ratings.looked, ratings.booked) == (40, 40)
