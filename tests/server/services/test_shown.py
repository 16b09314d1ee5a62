"""Which stored runs may be shown: none that would help somebody who still races on the same deal."""

import pytest
from msgspec.structs import replace

from cellrace_server.core.commands import GiveUp, Ready
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.runs import Run
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from cellrace_server.services.shown import LONGEST_MS
from tests.server.services.node import ADA, GRACE, PAIR, Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio


async def under_way(node: Node) -> Room:
    """A race of Ada and Grace that runs."""
    room = await node.lobby.create(Visitor(ADA), Terms(replace(PAIR, countdown_ms=0), 617))
    assert isinstance(room, Room)
    await node.lobby.join(Visitor(GRACE), room.id)
    for player in (ADA, GRACE):
        await node.hall.ask(room, Ready(player.id))
    await node.clock.settle()
    return room


def finished(node: Node, race: str) -> Run:
    """Ada's run in that race, just now."""
    return Run(f"{race}-0", ADA, "FC1-C4-AAAAATJ", "classic", 1_000, 1, node.clock.now(), race)


async def reason(node: Node, run: Run, player: str) -> str:
    found = await node.shown.against(run, player)
    return str(found.reason) if isinstance(found, Rejected) else ""


async def test_a_replay_is_for_nobody_else_while_others_still_race_on_its_deal(
    memory: Memory, clock: ManualClock
) -> None:
    """Nobody: the rival may ask under another name, or from another node."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await under_way(here)
        run = finished(here, room.id)
        for node in (here, there):
            assert [await reason(node, run, player) for player in ("grace", "alan", "")] == ["not_over"] * 3
            assert await reason(node, run, "ada") == "", "one's own tells nothing new"
        assert room.id not in there.hall.rooms, "who only asked keeps no race"
        for player in ("ada", "grace"):
            await here.hall.ask(room, GiveUp(player, 1))
        await clock.settle()
        for node in (here, there):
            assert [await reason(node, run, player) for player in ("grace", "alan", "")] == [""] * 3


async def test_old_runs_are_shown_without_a_look_at_their_race(node: Node, memory: Memory) -> None:
    async with running(node):
        run = finished(node, "longgone")
        node.clock.move(LONGEST_MS + 1)
        calls = memory.calls
        assert await reason(node, run, "") == ""
        assert memory.calls == calls


async def test_runs_on_the_deal_of_a_day_wait_for_its_end(node: Node) -> None:
    async with running(node):
        run = Run(*("d-0", ADA, "FC1-C4-AAAAATJ", "classic", 1, 1, node.clock.now(), "d"), daily="2026-11-30")
        assert await reason(node, run, "grace") == "day_not_over"
        assert await reason(node, run, "ada") == ""


async def test_a_run_that_is_not_stored_yet_may_be_to_come(node: Node) -> None:
    """Of a delayed race there is no replay before spectators know the end."""
    async with running(node):
        options = replace(PAIR, seats=1, countdown_ms=0, delay_ms=20_000)
        room = await node.lobby.create(Visitor(ADA), Terms(options, 617))
        assert isinstance(room, Room)
        run = f"{room.id}-0"
        assert await node.shown.to_come(run) is None, "it has not begun"
        await node.hall.ask(room, Ready("ada"))
        await node.clock.settle()
        for end in (False, True):
            early = await node.shown.to_come(run)
            assert isinstance(early, Rejected)
            assert early.reason == "not_over"
            if not end:
                await node.hall.ask(room, GiveUp("ada", 1))
        await node.clock.pass_time(20_000)
        for unknown in (run, "nosuchrace-0", "no run"):
            assert await node.shown.to_come(unknown) is None
