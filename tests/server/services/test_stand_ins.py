"""A ghost for whom nobody comes: in time, once, and not beside somebody who has come after all."""

import asyncio

import pytest

from cellrace_engine import LINEAR
from cellrace_server.core.evolve import fold
from cellrace_server.core.lobby import GHOST_AFTER_MS
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Player
from cellrace_server.core.race import Phase
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import Room
from cellrace_server.services.sights import NAMED
from tests.server.services.node import ADA, GRACE, Node, running, value
from tests.server.services.test_ghosts import stored
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

RUN = "first-0"


async def waits(node: Node, player: Player = ADA, ghost: str = RUN) -> Room:
    room = await node.clock.carry_out(node.lobby.quick(Visitor(player, "s"), Options(), ghost))
    assert isinstance(room, Room), room
    return room


def others(memory: Memory, *rooms: Room) -> list[str]:
    return sorted(memory.logs.keys() - {room.id for room in rooms})


async def test_who_waits_for_ten_seconds_races_the_ghost(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    async with running(node):
        room = await waits(node)
        await node.clock.pass_time(GHOST_AFTER_MS - 1)
        assert value(room.race).phase is Phase.LOBBY
        assert others(memory, room) == []
        await node.clock.pass_time(1)
        race = value(room.race)
        assert (race.phase, race.end_reason) == (Phase.ENDED, "ghost")
        against = value(node.hall.rooms[race.rematch].race)
        assert (against.options.ghosts, against.deal, against.options.rules) == (
            (RUN,),
            617,
            race.options.rules,
        )
        assert (against.options.public, against.options.ranked, len(against.seats)) == (False, False, 1)
        assert against.phase is Phase.COUNTDOWN, "there was ready to race, here is so too"
        assert [seat.player for _, seat in against.seated()] == [ADA]
        assert await node.sights.see(ADA.id, 617, NAMED), "the run was named before the race"
        again = await waits(node, ghost="")
        assert again is not room, "the queue is free again"


async def test_whoever_comes_is_raced_instead(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    async with running(node):
        room = await waits(node)
        await node.clock.pass_time(GHOST_AFTER_MS - 1)
        assert await waits(node, GRACE, "") is room
        await node.clock.pass_time(GHOST_AFTER_MS)
        assert value(room.race).phase is Phase.RUNNING
        assert others(memory, room) == []


async def test_the_last_word_counts_and_makes_the_wait_begin_anew(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    stored(memory, "second-0", deal=618)
    async with running(node):
        room = await waits(node)
        await node.clock.pass_time(GHOST_AFTER_MS - 1)
        assert await waits(node, ghost="second-0") is room
        await node.clock.pass_time(GHOST_AFTER_MS - 1)
        assert value(room.race).phase is Phase.LOBBY
        await node.clock.pass_time(1)
        against = node.hall.rooms[value(room.race).rematch]
        assert value(against.race).options.ghosts == ("second-0",)


async def test_who_takes_the_wish_back_waits_on(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    async with running(node):
        room = await waits(node)
        assert await waits(node, ghost="") is room
        await node.clock.pass_time(2 * GHOST_AFTER_MS)
        assert value(room.race).phase is Phase.LOBBY


async def test_a_run_that_is_gone_leaves_one_waiting(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    async with running(node):
        room = await waits(node)
        memory.replays.clear()
        await node.clock.pass_time(2 * GHOST_AFTER_MS)
        assert value(room.race).phase is Phase.LOBBY
        assert others(memory, room) == []
        assert await waits(node, GRACE, "") is room, "and can be met"


async def test_a_store_that_is_away_only_makes_it_later(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    async with running(node):
        room = await waits(node)
        memory.away = True
        await node.clock.pass_time(2 * GHOST_AFTER_MS)
        assert value(room.race).phase is Phase.LOBBY
        memory.mend()
        await node.clock.pass_time(1_000)
        race = value(room.race)
        assert race.end_reason == "ghost"
        assert value(node.hall.rooms[race.rematch].race).phase is Phase.COUNTDOWN
        assert others(memory, room) == [race.rematch]


async def test_two_nodes_let_one_ghost_stand_in(memory: Memory, clock: ManualClock) -> None:
    stored(memory, RUN)
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await waits(here)
        found = await clock.carry_out(there.hall.open(room.id))
        there.stand_ins.restored(value(found))
        await clock.pass_time(GHOST_AFTER_MS + 1_000)
        race = value(room.race)
        assert race.end_reason == "ghost"
        assert others(memory, room) == [race.rematch]
        against = await clock.carry_out(there.hall.open(race.rematch))
        assert value(value(against).race).phase is Phase.COUNTDOWN


@pytest.mark.parametrize("turns", range(12))
async def test_nobody_is_left_beside_a_player_who_has_gone(
    memory: Memory, clock: ManualClock, turns: int
) -> None:
    """A stranger comes on another node at the instant at which the ghost stands in: they race each other, or the one
    races the ghost and the other waits in a race of their own."""
    stored(memory, RUN)
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await waits(here)

        async def stranger() -> Room | Rejected:
            await clock.wait_until(value(room.race).at + GHOST_AFTER_MS)
            for _ in range(turns):
                await asyncio.sleep(0)
            return await there.lobby.quick(Visitor(GRACE, "t"), Options())

        came = asyncio.create_task(stranger())
        await clock.pass_time(GHOST_AFTER_MS)
        await clock.run_until(came.done)
        await clock.settle()
        theirs, race = came.result(), value(room.race)
        assert isinstance(theirs, Room)
        if race.phase is Phase.ENDED:
            assert theirs.id not in (room.id, race.rematch)
            assert value(theirs.race).phase is Phase.LOBBY
            assert value(here.hall.rooms[race.rematch].race).phase is Phase.COUNTDOWN
        else:
            assert (theirs.id, race.phase) == (room.id, Phase.COUNTDOWN)
            for opened in others(memory, room):
                assert value(fold(memory.logs[opened])).end_reason == "empty", "opened in vain, and left"


async def test_what_cannot_stand_in_is_said_beforehand(node: Node, memory: Memory) -> None:
    stored(memory, RUN)
    stored(memory, "linear-0", rules=LINEAR)
    stored(memory, "today-0", daily="2099-01-01")
    rules = Options().rules
    async with running(node):
        assert await node.ghosts.against(RUN, rules) is None
        for run, reason in (
            ("linear-0", "bad_options"),
            ("today-0", "day_not_over"),
            ("none-0", "not_found"),
        ):
            refused = await node.ghosts.against(run, rules)
            assert refused is not None
            assert refused.reason == reason
