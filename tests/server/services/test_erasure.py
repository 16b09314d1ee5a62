"""Erasing a player is finished, whatever fails and whoever stops."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from cellrace_server.core.commands import GiveUp, Leave, Play, Ready
from cellrace_server.core.erasing import NOBODY
from cellrace_server.core.facts import AnyFact, Created, Joined
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Phase
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services.identities import Known
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, ALAN, GRACE, SOLO, Node, Recorder, running, value
from tests.support.clock import ManualClock
from tests.support.lines import winning_line
from tests.support.memory_careers import MemoryErasure
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

T = TypeVar("T")


@dataclass
class Failing(Memory):
    """Every call fails from number `at` on, or only that one; the calls are counted from `armed` on."""

    at: int = -1
    for_good: bool = False
    after: bool = False
    made: int = 0
    armed: bool = False

    async def call(self, action: Callable[[], T]) -> T:
        if not self.armed:
            return await super().call(action)
        number, self.made = self.made, self.made + 1
        fails = number >= self.at >= 0 if self.for_good else number == self.at
        if fails and not self.after:
            raise StoreUnavailable("before it was carried out")
        done = await super().call(action)
        if fails:
            raise StoreUnavailable("after it was carried out")
        return done


async def lived(node: Node) -> tuple[Known, str]:
    """A player with a race behind them, and the race."""
    known = await node.people.remember(node.people.guest("Ada", Kind.HUMAN))
    room = await node.race(known.player, options=SOLO)
    for n, move in enumerate(winning_line(), 1):
        room.submit(Play(known.player.id, n, move), Recorder())
    await node.clock.settle()
    await node.clock.run_until(lambda: node.bookkeeper.idle)
    return known, room.id


def check(memory: Memory, known: Known, race: str) -> None:
    player = known.player.id
    assert memory.erasing == {}
    assert player in memory.erased
    assert [memory.runs, memory.replays, memory.careers, memory.seen, memory.who] == [{}, {}, {}, {}, {}]
    assert not any(memory.rows.values())
    assert memory.tokens[player] == b""
    assert {identity.player.name for identity in memory.identities.values()} == {NOBODY}
    assert not any(name.startswith("name:") for name in memory.names)
    said = [fact for fact in memory.logs[race] if isinstance(fact, Created | Joined)]
    names = {fact.host.name if isinstance(fact, Created) else fact.player.name for fact in said}
    assert names == {NOBODY}


async def test_who_asks_again_after_any_fault_is_erased_in_the_end() -> None:
    calls, at = 1, 0
    while at < calls:
        for after in (False, True):
            memory = Failing(at=at, after=after)
            async with running(Node(memory, ManualClock())) as node:
                known, race = await lived(node)
                memory.armed = True
                told: list[str] = []
                for _ in range(2):
                    try:
                        await node.eraser.erase(known.player, lambda told=told: told.append("told"))  # type: ignore[misc]
                        break
                    except StoreUnavailable:
                        assert told == []
                calls, memory.armed = memory.made, False
                assert told == ["told"]
                assert not await node.people.proves(known)
                check(memory, known, race)
        at += 1
    assert calls > 6


async def test_what_a_node_that_stopped_has_begun_the_next_one_finishes() -> None:
    finished = 0
    for at in range(1, 12):
        memory = Failing(at=at, for_good=True)
        async with running(Node(memory, ManualClock())) as node:
            known, race = await lived(node)
            memory.armed = True
            try:
                await node.eraser.erase(known.player, lambda: None)
            except StoreUnavailable:
                finished += 1
        memory.armed = False
        begun = known.player.id in memory.erased
        async with running(Node(memory, ManualClock(), "b")) as other:
            work = asyncio.create_task(other.eraser.run())
            await other.clock.settle()
            if begun:
                check(memory, known, race)
            work.cancel()
    assert finished > 5


async def test_a_guest_of_whom_nothing_is_kept_is_erased_like_everybody() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        guest = node.people.guest("Ada", Kind.HUMAN)
        await node.eraser.erase(guest.player, lambda: None)
        assert await node.people.find(guest.token, "Ada", Kind.HUMAN) is None
        assert memory.erasing == {}


async def test_what_cannot_be_read_of_one_keeps_no_other_from_being_erased(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        (ada, race), (grace, _) = [await lived(node) for _ in range(2)]
        erasure = MemoryErasure(memory)
        await erasure.begin(ada.player)
        await erasure.begin(grace.player)

        async def read(name: str, *_: object) -> list[AnyFact]:
            if name == race:
                raise StoreCorrupt(name, "it is no log")
            return memory.logs.get(name, [])

        monkeypatch.setattr(node.log, "read", read)
        work = asyncio.create_task(node.eraser.run())
        await node.clock.settle()
        assert set(memory.erasing) == {ada.player.id}
        assert not work.done()
        work.cancel()


def names(memory: Memory) -> dict[str, set[str]]:
    """The names that each log says."""
    return {
        race: {
            fact.host.name if isinstance(fact, Created) else fact.player.name
            for fact in facts
            if isinstance(fact, Created | Joined)
        }
        for race, facts in memory.logs.items()
    }


async def known_in_others_races(node: Node) -> Known:
    """A player who hosted a race of others, left one before it began, and opened one that never did."""
    known = await node.people.remember(node.people.guest("Ada", Kind.HUMAN))
    visitor = Visitor(known.player)
    hosted = value(await node.lobby.create(visitor, Terms(replace(SOLO, seats=1), 617, play=False)))
    left = value(await node.lobby.create(Visitor(GRACE), Terms(replace(SOLO, seats=1), 617, play=False)))
    never = value(await node.lobby.create(visitor, Terms(SOLO, 617)))
    for room in (hosted, left):
        assert isinstance(room, Room)
        if room is left:
            assert await node.lobby.join(visitor, room.id) is room
            await node.hall.ask(room, Leave(known.player.id))
        assert await node.lobby.join(Visitor(GRACE), room.id) is room
        await node.hall.ask(room, Ready(GRACE.id))
        await node.clock.run_until(lambda room=room: value(room.race).phase is Phase.RUNNING)  # type: ignore[misc]
        await node.hall.ask(room, GiveUp(GRACE.id, 1))
    assert isinstance(never, Room)
    await node.hall.ask(never, Leave(known.player.id))
    return known


@pytest.mark.parametrize("settled", [True, False])
async def test_logs_that_only_name_the_player_lose_the_name_too(settled: bool) -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        known = await known_in_others_races(node)
        if settled:
            await node.clock.run_until(lambda: node.bookkeeper.idle)
        await node.eraser.erase(known.player, lambda: None)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
    with_grace = ["Grace", NOBODY]
    assert sorted(map(sorted, names(memory).values())) == [with_grace, with_grace, [NOBODY]]


async def test_seats_on_another_node_are_given_up() -> None:
    """The node that was asked knows of none."""
    memory, clock = Memory(), ManualClock()
    async with running(Node(memory, clock)) as here, running(Node(memory, clock, "b")) as there:
        known = await here.people.remember(here.people.guest("Ada", Kind.HUMAN))
        races = await here.race(known.player, GRACE), await here.race(GRACE, ALAN)
        waiting = value(await here.lobby.create(Visitor(known.player), Terms(SOLO, 617)))
        assert isinstance(waiting, Room)
        await here.eraser.vacate(known.player.id)
        assert here.hall.holdings.seats(known.player.id) == {races[0].id, waiting.id}
        await there.eraser.erase(known.player, lambda: None)
        await here.eraser.vacate("")
        assert here.hall.holdings.seats(known.player.id) == set()
        race = value(races[0].race)
        assert [seat.gave_up for _, seat in race.seated()] == [True, False]
        assert value(waiting.race).phase is Phase.ENDED
        assert not any(seat.gave_up for _, seat in value(races[1].race).seated())


async def test_a_seat_that_cannot_be_given_up_just_now_is_given_up_later(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store can be read and not be written: the erasure is known, and the seat is still there."""
    async with running(Node(memory, clock)) as node:
        room = await node.race(ADA, GRACE)
        memory.erased.add("ada")
        append = node.log.append
        monkeypatch.setattr(node.log, "append", AsyncMock(side_effect=StoreUnavailable("read only")))
        room.submit(Play("grace", 1, "2a"), Recorder())
        await clock.settle()
        with pytest.raises(StoreUnavailable, match=room.id):
            await node.eraser.vacate("ada")
        monkeypatch.setattr(node.log, "append", append)
        await clock.pass_time(1_000)
        await node.eraser.vacate("ada")
        assert value(value(room.race).seats[0]).done
