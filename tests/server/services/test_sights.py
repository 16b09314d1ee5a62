"""First sight and practised, as races and the store tell it."""

import pytest

from cellrace_server.core.commands import Close, GiveUp, Play
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from cellrace_server.services.sights import NAMED, watched
from tests.server.services.node import ADA, GRACE, SOLO, Node, Recorder, running
from tests.support.clock import ManualClock
from tests.support.lines import DEAL, winning_line
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio


async def won(node: Node, room: Room, player: str = "ada") -> None:
    for n, move in enumerate(winning_line(), 1):
        room.submit(Play(player, n, move), Recorder())
    await node.clock.run_until(lambda: node.bookkeeper.idle and room.id not in node.memory.unsettled)


def firsts(memory: Memory) -> dict[str, bool]:
    return {run.race: run.first for run in memory.runs.values()}


async def test_only_the_first_race_on_a_deal_is_first_sight() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        first = await node.race(ADA, options=SOLO)
        await won(node, first)
        again = await node.race(ADA, options=SOLO)
        await won(node, again)
        others = await node.race(GRACE, options=SOLO)
        await won(node, others, "grace")
    assert firsts(memory) == {first.id: True, again.id: False, others.id: True}


async def test_it_is_the_start_that_counts_not_the_finish() -> None:
    """Two races on a deal at once: the one that began later is practice, though it is finished first."""
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        first = await node.race(ADA, options=SOLO)
        second = await node.race(ADA, options=SOLO)
        await won(node, second)
        await won(node, first)
    assert firsts(memory) == {first.id: True, second.id: False}


async def test_a_race_that_was_given_up_was_seen() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        given_up = await node.race(ADA, options=SOLO)
        await node.hall.ask(given_up, GiveUp("ada", 1))
        again = await node.race(ADA, options=SOLO)
        await won(node, again)
    assert firsts(memory) == {again.id: False}


@pytest.mark.parametrize("by", [NAMED, watched("elsewhere")])
async def test_a_deal_seen_otherwise_is_no_first_sight(by: str) -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        await node.sights.see("ada", DEAL, by)
        room = await node.race(ADA, options=SOLO)
        await won(node, room)
    assert firsts(memory) == {room.id: False}


async def test_what_was_seen_is_put_down_however_often_the_store_fails() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        room = await node.race(ADA, options=SOLO)
        memory.seen.clear()
        memory.fail(3)
        node.sights.later("ada", DEAL, room.id)
        await node.clock.run_until(lambda: bool(memory.seen))
    assert memory.seen == {("ada", DEAL): room.id}


async def test_a_race_is_settled_only_when_its_players_have_seen_it() -> None:
    """Their node died before it could put that down: who takes the race up does."""
    memory, clock = Memory(), ManualClock()
    async with running(Node(memory, clock)) as node:
        room = await node.race(ADA, GRACE)
        memory.seen.clear()
        for player in ("ada", "grace"):
            await node.hall.ask(room, GiveUp(player, 1))
        memory.unsettled.add(room.id)
        memory.seen.clear()
    async with running(Node(memory, clock, "b")) as other:
        await other.recover()
        await clock.run_until(lambda: room.id not in memory.unsettled)
    assert memory.seen == {("ada", DEAL): room.id, ("grace", DEAL): room.id}


async def test_a_race_that_never_started_was_seen_by_nobody() -> None:
    memory = Memory()
    async with running(Node(memory, ManualClock())) as node:
        room = await node.lobby.create(Visitor(ADA), Terms(SOLO, DEAL))
        assert isinstance(room, Room)
        await node.hall.ask(room, Close())
        await node.clock.run_until(lambda: node.bookkeeper.idle and room.id not in memory.unsettled)
    assert memory.seen == {}
