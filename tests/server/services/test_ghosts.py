"""Racing against stored runs: on their deal, friendly, and not seated among people."""

import pytest

from cellrace_engine import CLASSIC, LINEAR, DealCode, Rules, rules_text
from cellrace_engine.replay import Action, PlayerKind, PlayerRun, Replay, Result, to_json
from cellrace_server.core.commands import GiveUp, Ready
from cellrace_server.core.dailies import shown_at
from cellrace_server.core.evolve import fold
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.runs import Run
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.services.ghosts import GhostRaces
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import Room
from cellrace_server.services.sights import NAMED
from tests.server.services.node import ADA, Node, running, value
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio


def stored(memory: Memory, run: str, deal: int = 617, rules: Rules = CLASSIC, daily: str = "") -> None:
    actions = (Action(1_000, "2a"),)
    player = PlayerRun(run.title(), PlayerKind.HUMAN, actions, Result(1_000, 1, 0, 0))
    memory.replays[run] = to_json(Replay(rules, (player,), DealCode(4, deal))).encode()
    memory.runs[run] = Run(
        *(run, ADA, str(DealCode(4, deal)), rules_text(rules), 1_000, 1, 5_000, run.partition("-")[0]),
        daily=daily,
    )


async def raced(node: Node, *runs: str, seats: int = 1) -> Room | Rejected:
    return await node.clock.carry_out(
        node.ghosts.create(Visitor(ADA), runs, Options(seats=seats, public=False))
    )


async def test_a_race_against_ghosts_is_on_their_deal_and_friendly(node: Node, memory: Memory) -> None:
    stored(memory, "first-0")
    stored(memory, "second-1")
    async with running(node):
        room = await raced(node, "first-0", "second-1", "first-0", seats=2)
        assert isinstance(room, Room), room
        race = value(room.race)
        assert (race.deal, race.options.ranked, race.options.public) == (617, False, False)
        assert race.options.ghosts == ("first-0", "second-1")
        assert [seat.player for _, seat in race.seated()] == [ADA], "ghosts take no seat"
        assert [ghost.name for ghost in await node.ghosts.of(room)] == ["First-0", "Second-1"]
        assert value(fold(memory.logs[room.id])).options.ghosts == race.options.ghosts


async def test_ghosts_of_other_deals_or_rules_do_not_race_together(node: Node, memory: Memory) -> None:
    stored(memory, "first-0")
    stored(memory, "deal-0", deal=618)
    stored(memory, "rules-0", rules=LINEAR)
    async with running(node):
        for runs, reason in (
            (("first-0", "deal-0"), "bad_options"),
            (("first-0", "rules-0"), "bad_options"),
            (("first-0", "none-0"), "not_found"),
            ((), "bad_options"),
            (tuple(f"run-{n}" for n in range(9)), "bad_options"),
        ):
            refused = await raced(node, *runs)
            assert isinstance(refused, Rejected)
            assert refused.reason == reason
        assert memory.logs == {}


async def test_the_days_runs_are_nobodys_ghosts_before_they_are_shown(node: Node, memory: Memory) -> None:
    """Not even their own players': others sit down beside a ghost."""
    stored(memory, "first-0", daily="1970-01-01")
    node.clock.move(shown_at("1970-01-01") - 1_000 - node.clock.now())
    async with running(node):
        refused = await raced(node, "first-0", seats=2)
        assert isinstance(refused, Rejected)
        assert refused.reason == "day_not_over"
        await node.clock.pass_time(shown_at("1970-01-01") - node.clock.now())
        assert isinstance(await raced(node, "first-0", seats=2), Room)


async def test_who_names_a_run_has_seen_its_deal(node: Node, memory: Memory) -> None:
    stored(memory, "first-0")
    async with running(node):
        assert isinstance(await raced(node, "first-0"), Room)
        assert not await node.sights.see(ADA.id, 617, "another race")
        assert await node.sights.see(ADA.id, 617, NAMED)


async def test_a_ghost_whose_replay_is_gone_is_left_out(node: Node, memory: Memory) -> None:
    stored(memory, "first-0")
    async with running(node):
        room = await raced(node, "first-0")
        assert isinstance(room, Room)
    memory.replays.clear()
    again = Node(memory, node.clock, "b")
    async with running(again):
        found = await again.hall.open(room.id)
        assert found is not None
        assert await again.ghosts.of(found) == []


async def test_a_store_that_is_away_keeps_nobody_from_the_race(node: Node, memory: Memory) -> None:
    stored(memory, "first-0")
    async with running(node):
        room = await raced(node, "first-0")
        assert isinstance(room, Room)
        memory.away = True
        assert [ghost.run for ghost in await node.ghosts.of(room)] == ["first-0"], "it is known here"
        fresh = Node(memory, node.clock, "b")
        assert await fresh.ghosts.of(room) == ()
        memory.mend()
        assert [ghost.run for ghost in await fresh.ghosts.of(room)] == ["first-0"]


async def test_a_ghost_whose_player_was_erased_is_seen_no_more(node: Node, memory: Memory) -> None:
    """Though it is known here."""
    stored(memory, "first-0")
    async with running(node):
        room = await raced(node, "first-0")
        assert isinstance(room, Room)
        assert [ghost.run for ghost in await node.ghosts.of(room)] == ["first-0"]
        del memory.runs["first-0"], memory.replays["first-0"]
        assert await node.ghosts.of(room) == []
        memory.away = True
        assert await node.ghosts.of(room) == ()


async def test_a_rematch_is_without_ghosts(node: Node, memory: Memory) -> None:
    """It is on another deal."""
    stored(memory, "first-0")
    async with running(node):
        room = await raced(node, "first-0")
        assert isinstance(room, Room)
        await node.hall.ask(room, Ready("ada"))
        await node.clock.pass_time(3_000)
        await node.hall.ask(room, GiveUp("ada", 1))
        next_race = await node.clock.carry_out(node.lobby.rematch(Visitor(ADA), room))
        assert isinstance(next_race, str)
        assert value(node.hall.rooms[next_race].race).options.ghosts == ()


async def test_a_replay_that_cannot_be_read_is_told_and_keeps_nobody_from_a_seat(
    node: Node, memory: Memory
) -> None:
    async with running(node):
        stored(memory, "r-0")
        room = await raced(node, "r-0")
        assert isinstance(room, Room)
        memory.replays["r-0"] = b"{}"
        fresh = GhostRaces(node.results, node.sights, node.lobby, node.shown)
        with pytest.raises(StoreCorrupt, match="r-0"):
            await fresh.create(Visitor(ADA), ["r-0"], Options(seats=1))
        assert await fresh.of(room) == ()
