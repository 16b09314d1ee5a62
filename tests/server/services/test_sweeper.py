"""Races whose node has died are taken up; those of other nodes are left to them."""

import asyncio
from collections.abc import Sequence
from unittest.mock import AsyncMock

import pytest

from cellrace_engine.replay import Replay
from cellrace_server.core.commands import GiveUp, Play
from cellrace_server.core.facts import AnyFact, EndReason, Finished
from cellrace_server.core.options import Options
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.services import bookkeeper
from cellrace_server.services.sweeper import EVERY_MS, LATE_MS
from tests.server.services.node import ADA, GRACE, SOLO, Node, running, value
from tests.support.clock import ManualClock
from tests.support.lines import winning_line
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


async def test_a_log_that_cannot_be_read_is_left_as_it_is_and_told_of_once(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(Node(memory, clock)) as node:
        room = await node.race(ADA, GRACE)
        node.hall.drop(room)
        read = node.log.read

        async def unreadable(race: str, after: int = 0) -> Sequence[AnyFact]:
            raise StoreCorrupt(race, "written by something newer")

        monkeypatch.setattr(node.log, "read", unreadable)
        for _ in range(4):
            await node.sweeper.sweep()
        assert memory.unsettled == {room.id}
        assert [record.getMessage() for record in caplog.records] == [
            f"race {room.id} cannot be read: left alone"
        ]
        monkeypatch.setattr(node.log, "read", read)
        await node.sweeper.sweep()
        assert value(await node.hall.open(room.id)).race == room.race


async def test_a_result_whose_node_died_before_it_was_booked_is_booked_with_the_end(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(Node(memory, clock, "a")) as here:

        async def dies(_job: object) -> bool:
            await asyncio.Event().wait()
            return False

        monkeypatch.setattr(here.bookkeeper, "_done", dies)
        room = await here.race(ADA, GRACE)
        for n, move in enumerate(winning_line(), 1):
            room.submit(Play("ada", n, move), here.recorder)
            await clock.settle()
        assert any(isinstance(fact, Finished) for fact in memory.logs[room.id])
    assert not memory.runs
    async with running(Node(memory, clock, "b")) as there:
        other = value(await there.hall.open(room.id))
        await there.sweeper.sweep()
        await there.hall.ask(other, GiveUp("grace", 1))
        await clock.run_until(lambda: not memory.unsettled)
        assert list(memory.runs) == [f"{room.id}-0"]


async def test_a_run_that_cannot_be_proved_is_tried_once(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def broken(_replay: Replay) -> str:
        return "broken"

    monkeypatch.setattr(bookkeeper, "fault_in", broken)
    async with running(Node(memory, clock)) as node:
        room = await node.race(ADA, options=SOLO)
        for n, move in enumerate(winning_line(), 1):
            room.submit(Play("ada", n, move), node.recorder)
            await clock.settle()
        await clock.pass_time(5 * 60_000)
        assert memory.unsettled == {room.id}, "its log is all that shows what happened"
        assert [record.getMessage() for record in caplog.records] == [
            f"race {room.id}, seat 0: not booked, its replay fails: broken"
        ]
