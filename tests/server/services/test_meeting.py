"""Meeting: the next race of strangers, the same people again, a series; asked by many at once, on any node."""

import asyncio

import pytest

from cellrace_engine import parse_rules
from cellrace_server.core.commands import GiveUp, Leave, Vanish
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import Series
from cellrace_server.core.options import STRANGERS_AWAY_MS, Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Phase
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, ALAN, GRACE, Node, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

QUICK = Options()


def room_of(answer: Room | Rejected) -> Room:
    assert isinstance(answer, Room), answer
    return answer


def reason_of(answer: Room | Rejected) -> str:
    assert isinstance(answer, Rejected), answer
    return str(answer.reason)


async def ready_in(node: Node, player: Player, session: str = "") -> Room:
    return room_of(await node.lobby.quick(Visitor(player, session), QUICK))


async def test_five_presses_of_quick_match_are_one_ticket(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    """And nobody races against themselves."""
    async with running(node):
        presses = [asyncio.create_task(ready_in(node, ADA)) for _ in range(5)]
        await clock.run_until(lambda: all(press.done() for press in presses))
        assert len({press.result().id for press in presses}) == 1
        assert len(memory.logs) == 1
        race = value(presses[0].result().race)
        assert [seat and seat.player.id for seat in race.seats] == ["ada", None]
        assert race.phase is Phase.LOBBY
        room = await ready_in(node, GRACE)
        assert value(room.race).phase is Phase.COUNTDOWN
        assert await ready_in(node, ADA) is room


@pytest.mark.parametrize("turn", range(8))
async def test_quick_match_on_two_nodes_at_once(memory: Memory, clock: ManualClock, turn: int) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:

        async def press(node: Node, player: Player, turns: int) -> Room:
            for _ in range(turns):
                await asyncio.sleep(0)
            return await ready_in(node, player)

        presses = [
            asyncio.create_task(press(here, ADA, turn % 4)),
            asyncio.create_task(press(there, GRACE, turn // 2)),
        ]
        await clock.run_until(lambda: all(press.done() for press in presses))
        await clock.settle()
        rooms = [press.result() for press in presses]
        assert rooms[0].race == rooms[1].race
        assert value(rooms[0].race).phase is Phase.COUNTDOWN
        assert len(memory.logs) == 1


async def test_ranked_friendly_and_other_rules_are_queues_of_their_own(node: Node) -> None:
    async with running(node):
        kinds = [
            QUICK,
            Options(ranked=True),
            Options(bots=False),
            Options(rules=parse_rules("relaxed")),
        ]
        rooms = [room_of(await node.lobby.quick(Visitor(ADA), options)) for options in kinds]
        assert len({room.id for room in rooms}) == len(kinds)


async def test_nobody_is_matched_with_one_who_has_vanished(node: Node, clock: ManualClock) -> None:
    async with running(node):
        room = await ready_in(node, ADA, "a1")
        await node.hall.ask(room, Vanish("ada", "a1"))
        assert await ready_in(node, GRACE) is room
        assert value(room.race).phase is Phase.LOBBY
        await clock.pass_time(STRANGERS_AWAY_MS)
        assert value(room.race).seat_of("ada") == -1
        assert await ready_in(node, ALAN) is room
        assert value(room.race).phase is Phase.COUNTDOWN


async def test_one_who_gave_the_quick_match_up_is_not_matched(node: Node, clock: ManualClock) -> None:
    async with running(node):
        room = await ready_in(node, ADA)
        await node.hall.ask(room, Leave("ada"))
        await clock.settle()
        again = await ready_in(node, GRACE)
        assert again is not room
        assert value(again.race).seat_of("ada") == -1


async def test_after_a_quick_match_the_next_one_is_another(node: Node, clock: ManualClock) -> None:
    """Once one is done in it, though the other still races; and when it is over for both."""
    async with running(node):
        room = await ready_in(node, ADA)
        await ready_in(node, GRACE)
        await clock.pass_time(3_000)
        assert await ready_in(node, ADA) is room
        await node.hall.ask(room, GiveUp("ada", 1))
        second = await ready_in(node, ADA)
        assert second is not room
        await node.hall.ask(room, GiveUp("grace", 1))
        assert await ready_in(node, GRACE) is second


async def test_a_bot_that_wants_no_bots_is_told_so(node: Node) -> None:
    async with running(node):
        bot = Visitor(Player("bot", "Bot", Kind.BOT))
        assert reason_of(await node.lobby.quick(bot, Options(bots=False))) == "no_bots"
        assert node.hall.rooms == {}


async def over(node: Node, *players: Player, best_of: int = 1) -> Room:
    """A race of these players that all of them have given up."""
    room = await node.race(*players, options=Options(seats=len(players), countdown_ms=0, best_of=best_of))
    for player in players:
        await node.hall.ask(room, GiveUp(player.id, 1))
    await node.clock.settle()
    return room


@pytest.mark.parametrize("turn", range(4))
async def test_ten_press_rematch_at_once_on_two_nodes_and_meet_in_one_race(
    memory: Memory, clock: ManualClock, turn: int
) -> None:
    players = [Player(f"p{n}", f"P{n}") for n in range(10)]
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        old = await over(here, *players)
        rooms = [old, await there.hall.open(old.id)]

        async def press(player: Player, number: int) -> str | Rejected:
            for _ in range(number * turn % 7):
                await asyncio.sleep(0)
            node, room = ((here, rooms[0]), (there, rooms[1]))[number % 2]
            assert room is not None
            found = await node.lobby.rematch(Visitor(player), room)
            assert isinstance(found, str)
            room_of(await node.lobby.join(Visitor(player), found))
            return found

        presses = [asyncio.create_task(press(player, n)) for n, player in enumerate(players)]
        await clock.run_until(lambda: all(press.done() for press in presses))
        await clock.settle()
        (found,) = {press.result() for press in presses}
        assert isinstance(found, str)
        assert set(memory.logs) == {old.id, found}
        race = value(fold(memory.logs[found]))
        assert {seat.player.id for _, seat in race.seated()} == {player.id for player in players}
        assert value(fold(memory.logs[old.id])).rematch == found


async def test_a_series_goes_on_in_the_next_race(node: Node) -> None:
    async with running(node):
        first = await over(node, ADA, GRACE, best_of=3)
        found = await node.lobby.rematch(Visitor(GRACE), first)
        assert isinstance(found, str)
        race = value(node.hall.rooms[found].race)
        assert (race.series, race.options, race.host) == (
            Series(2, {}, value(first.race).ended),
            value(first.race).options,
            "grace",
        )
        assert await node.lobby.rematch(Visitor(ADA), first) == found
        refused = await node.lobby.rematch(Visitor(ALAN), first)
        assert isinstance(refused, Rejected)
        assert refused.reason == "not_seated"


async def test_who_asks_for_a_rematch_late_is_led_where_the_others_went(node: Node, memory: Memory) -> None:
    """Though that race may have begun, or be over."""
    async with running(node):
        first = await over(node, ADA, GRACE)
        found = await node.lobby.rematch(Visitor(GRACE), first)
        assert isinstance(found, str)
        await node.hall.ask(node.hall.rooms[found], Leave("grace"))
        assert await node.lobby.rematch(Visitor(ADA), first) == found
        assert len(memory.logs) == 2
