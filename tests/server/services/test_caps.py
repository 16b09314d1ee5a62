"""How much one identity may hold: open races, seats; counted exactly, whatever is asked at once."""

import asyncio

import pytest

from cellrace_engine import DealCode
from cellrace_server.core.commands import Close, GiveUp, Leave, Ready
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Player
from cellrace_server.services.caps import Most
from cellrace_server.services.hall import NOBODY
from cellrace_server.services.lobby import Lobby, Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, PAIR, CountingChance, Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory, MemoryDirectory

pytestmark = pytest.mark.asyncio

HOSTED = Terms(PAIR, 617, play=False)
PLAYED = Terms(PAIR, 617)


@pytest.fixture
def lobby(node: Node, memory: Memory, clock: ManualClock) -> Lobby:
    """Two open races and three seats are the most."""
    return Lobby(node.hall, MemoryDirectory(memory), clock, CountingChance("caps"), node.dealer, Most(2, 3))


def room_of(answer: Room | Rejected) -> Room:
    assert isinstance(answer, Room), answer
    return answer


def refusal_of(answer: Room | Rejected) -> tuple[str, str]:
    assert isinstance(answer, Rejected), answer
    return str(answer.reason), answer.text.split()[0]


async def others(node: Node, count: int) -> list[Room]:
    """Open races of other players."""
    hosts = [Player(f"host{number}", f"Host {number}") for number in range(count)]
    return [room_of(await node.lobby.create(Visitor(host), PLAYED)) for host in hosts]


async def test_open_races_are_counted_until_they_start_or_end(node: Node, lobby: Lobby) -> None:
    async with running(node):
        first, second = [room_of(await lobby.create(Visitor(ADA), HOSTED)) for _ in range(2)]
        assert refusal_of(await lobby.create(Visitor(ADA), HOSTED)) == ("too_many_races", "2")
        room_of(await lobby.create(Visitor(GRACE), HOSTED))
        await node.hall.ask(first, Close())
        third = room_of(await lobby.create(Visitor(ADA), HOSTED))
        for room in (second, third):
            assert refusal_of(await lobby.create(Visitor(ADA), HOSTED)) == ("too_many_races", "2")
            for player in (ADA, GRACE):
                room_of(await lobby.join(Visitor(player), room.id))
                await node.hall.ask(room, Ready(player.id))
            await node.clock.settle()
            room_of(await lobby.create(Visitor(ADA), HOSTED))


async def test_a_quick_match_or_a_deal_counts_where_it_opens_a_race(node: Node, lobby: Lobby) -> None:
    """Joining what others have opened does not; and a name that led to no race is free again at once."""
    async with running(node):
        for _ in range(2):
            room_of(await lobby.create(Visitor(ADA), HOSTED))
        named = node.memory.names.copy()
        code = DealCode.parse("618", 4)
        assert refusal_of(await lobby.quick(Visitor(ADA), PAIR)) == ("too_many_races", "2")
        assert refusal_of(await lobby.join_deal(Visitor(ADA), code, PAIR)) == ("too_many_races", "2")
        assert node.memory.names == named
        theirs = room_of(await lobby.quick(Visitor(GRACE), PAIR))
        assert room_of(await lobby.quick(Visitor(ADA), PAIR)) is theirs
        deal = room_of(await lobby.join_deal(Visitor(GRACE), code, PAIR))
        assert room_of(await lobby.join_deal(Visitor(ADA), code, PAIR)) is deal


async def test_seats_are_counted_until_one_is_done(node: Node, lobby: Lobby) -> None:
    async with running(node):
        rooms = await others(node, 5)
        for room in rooms[:3]:
            room_of(await lobby.join(Visitor(ADA), room.id))
        assert refusal_of(await lobby.join(Visitor(ADA), rooms[3].id)) == ("too_many_seats", "3")
        assert refusal_of(await lobby.create(Visitor(ADA), PLAYED)) == ("too_many_seats", "3")
        assert room_of(await lobby.join(Visitor(ADA), rooms[0].id)) is rooms[0], "the seat one has"
        room_of(await lobby.create(Visitor(ADA), HOSTED))
        await node.hall.ask(rooms[0], Leave(ADA.id))
        room_of(await lobby.join(Visitor(ADA), rooms[3].id))
        for player in ("ada", "host3"):
            await node.hall.ask(rooms[3], Ready(player))
        await node.clock.settle()
        assert refusal_of(await lobby.join(Visitor(ADA), rooms[4].id)) == ("too_many_seats", "3")
        await node.hall.ask(rooms[3], GiveUp(ADA.id, 1))
        room_of(await lobby.join(Visitor(ADA), rooms[4].id))


async def test_what_is_asked_at_once_is_counted_at_once(node: Node, lobby: Lobby) -> None:
    async with running(node):
        rooms = await others(node, 6)
        created = await asyncio.gather(*(lobby.create(Visitor(GRACE), HOSTED) for _ in range(6)))
        assert sum(isinstance(answer, Room) for answer in created) == 2
        joined = await asyncio.gather(*(lobby.join(Visitor(ADA), room.id) for room in rooms))
        assert sum(isinstance(answer, Room) for answer in joined) == 3


async def test_after_a_restart_what_was_held_is_held(node: Node, memory: Memory, clock: ManualClock) -> None:
    async with running(node):
        for _ in range(2):
            room_of(await node.lobby.create(Visitor(ADA), HOSTED))
    again = Node(memory, clock)
    await again.recover()
    lobby = Lobby(
        again.hall, MemoryDirectory(memory), clock, CountingChance("again"), again.dealer, Most(2, 3)
    )
    async with running(again):
        assert refusal_of(await lobby.create(Visitor(ADA), HOSTED)) == ("too_many_races", "2")


async def test_a_failed_creation_counts_no_more(node: Node, lobby: Lobby) -> None:
    bad = Terms(Options(seats=0), 617)
    async with running(node):
        for _ in range(5):
            assert refusal_of(await lobby.create(Visitor(ADA), bad))[0] == "bad_options"
        room_of(await lobby.create(Visitor(ADA), HOSTED))


async def test_nothing_is_remembered_of_races_that_are_over(node: Node, lobby: Lobby) -> None:
    """Also of refused joins, of hosts who only host, and of guests who came and left."""
    async with running(node):
        for number in range(40):
            host, guest = Player(f"h{number}", "H"), Player(f"g{number}", "G")
            room = room_of(await lobby.create(Visitor(host), Terms(PAIR, 617, number % 2 == 0)))
            room_of(await lobby.join(Visitor(guest), room.id))
            await lobby.join(Visitor(Player(f"late{number}", "L")), room.id)
            await lobby.join(Visitor(Player(f"later{number}", "L")), room.id)
            if number % 3 == 0:
                await node.hall.ask(room, Leave(guest.id))
            room.submit(Close(), NOBODY)
        await node.clock.settle()
        assert len(node.hall.holdings) == 0
