"""Races whose node has died are taken up; those of other nodes are left to them."""

from unittest.mock import AsyncMock

import pytest

from cellrace_server.core.commands import GiveUp
from cellrace_server.core.facts import EndReason
from cellrace_server.core.options import Options
from cellrace_server.services.sweeper import EVERY_MS, LATE_MS
from tests.server.services.node import ADA, GRACE, Node, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

LIMITED = Options(seats=2, countdown_ms=0, limit_ms=60_000)


async def test_a_race_of_another_node_is_left_to_it(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await here.race(ADA, GRACE, options=LIMITED)
        await there.sweeper.sweep()
        assert there.hall.rooms == {}


async def test_a_race_whose_node_has_died_ends_at_its_limit_all_the_same(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as dead:
        room = await dead.race(ADA, GRACE, options=LIMITED)
    async with running(Node(memory, clock, "b")) as alive:
        await clock.pass_time(60_000 + LATE_MS)
        await alive.sweeper.sweep()
        await clock.settle()
        found = await alive.hall.open(room.id)
        assert found is not None
        assert value(found.race).end_reason is EndReason.TIME_LIMIT
        assert memory.unsettled == set()


async def test_results_that_a_dying_node_left_are_booked_by_another(
    memory: Memory, clock: ManualClock
) -> None:
    dead = Node(memory, clock, "a")
    async with running(dead):
        room = await dead.race(ADA, GRACE, options=LIMITED)
        for player in ("ada", "grace"):
            await dead.hall.ask(room, GiveUp(player, 1))
    memory.unsettled.add(room.id)
    async with running(Node(memory, clock, "b")) as alive:
        await alive.sweeper.sweep()
        await clock.settle()
        assert memory.unsettled == set()
        assert alive.hall.rooms == {}


async def test_a_race_that_is_settled_while_the_sweep_is_under_way_was_left_by_nobody(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(Node(memory, clock)) as node:
        room = await node.race(ADA, GRACE, options=LIMITED)
        for player in ("ada", "grace"):
            await node.hall.ask(room, GiveUp(player, 1))
        await clock.settle()
        assert memory.unsettled == set()
        monkeypatch.setattr(node.log, "unsettled", AsyncMock(side_effect=[[room.id], []]))
        await node.sweeper.sweep()
        assert node.bookkeeper.idle
    assert "was left by its node" not in caplog.text


async def test_a_race_that_was_never_created_is_given_a_whole_round(
    memory: Memory, clock: ManualClock
) -> None:
    memory.unsettled.add("early")
    async with running(Node(memory, clock)) as node:
        await node.recover()
        await node.sweeper.sweep()
        assert memory.unsettled == {"early"}
        await node.sweeper.sweep()
        assert memory.unsettled == set()


async def test_sweeping_goes_on_when_the_store_was_away(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock)) as node:
        memory.unsettled.add("early")
        memory.away = True
        await clock.pass_time(EVERY_MS)
        memory.away = False
        await clock.pass_time(2 * EVERY_MS)
        assert memory.unsettled == set()
        assert node.hall.rooms == {}
