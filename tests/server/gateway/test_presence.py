"""Who is there, on two nodes with one store: told once, taken over everywhere, and told again after an outage."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from cellrace_server.core.commands import Ready
from cellrace_server.core.facts import AnyFact, Away, Here
from cellrace_server.core.options import AWAY_MS
from cellrace_server.core.people import Player
from cellrace_server.core.race import Phase
from cellrace_server.gateway.channels import Channel, Channels
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.gateway.audience import Listener
from tests.server.services.node import ADA, GRACE, PAIR, Node, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


class Gate:
    """A node with its channels."""

    def __init__(self, memory: Memory, clock: ManualClock, name: str) -> None:
        self.node = Node(memory, clock, name)
        self.channels = Channels(self.node.hall, clock.now)
        self.node.hall.listen(self.channels)

    async def enter(self, player: Player, race: str, name: str) -> Listener:
        """A new connection of a player takes the seat."""
        listener = Listener(name)
        room = await self.node.lobby.join(Visitor(player, listener.session), race)
        assert isinstance(room, Room), room
        self.channels.open(room).sit(value(room.race).seat_of(player.id), listener, player.id)
        return listener

    def channel(self, race: str) -> Channel:
        found = self.channels.of(self.node.hall.rooms[race])
        assert found is not None
        return found

    def lose(self, player: Player, race: str, listener: Listener) -> None:
        """The connection ends."""
        channel = self.channel(race)
        channel.part(listener, player.id)
        self.channels.close_if_empty(channel)


@pytest_asyncio.fixture
async def gates(memory: Memory, clock: ManualClock) -> AsyncGenerator[tuple[Gate, Gate]]:
    here, there = Gate(memory, clock, "a"), Gate(memory, clock, "b")
    async with running(here.node), running(there.node):
        yield here, there


async def opened(gate: Gate) -> str:
    """A race that Ada has opened, on a connection that nobody here listens to."""
    room = await gate.node.lobby.create(Visitor(ADA, "first"), Terms(PAIR, 617))
    assert isinstance(room, Room)
    return room.id


def comings_and_goings(memory: Memory, race: str) -> list[AnyFact]:
    return [fact for fact in memory.logs[race] if isinstance(fact, Here | Away)]


def told(listener: Listener) -> list[str]:
    return [type(message).__name__ for message in listener.heard()]


async def test_others_are_told_on_every_node(gates: tuple[Gate, Gate], clock: ManualClock) -> None:
    here, there = gates
    race = await opened(here)
    ada = await here.enter(ADA, race, "ada")
    await clock.settle()
    grace = await there.enter(GRACE, race, "grace")
    await clock.settle()
    assert told(ada) == ["Here", "Joined"]
    assert told(grace) == []
    there.lose(GRACE, race, grace)
    await clock.settle()
    assert told(ada) == ["Away"]
    back = await there.enter(GRACE, race, "grace again")
    await clock.settle()
    assert (told(ada), told(back)) == (["Here"], ["Here"])


async def test_the_seat_of_one_who_vanished_is_given_back(
    gates: tuple[Gate, Gate], clock: ManualClock
) -> None:
    here, there = gates
    race = await opened(here)
    ada = await here.enter(ADA, race, "ada")
    grace = await there.enter(GRACE, race, "grace")
    await clock.settle()
    there.lose(GRACE, race, grace)
    await clock.pass_time(AWAY_MS)
    assert told(ada)[-2:] == ["Away", "Left"]
    assert value(here.node.hall.rooms[race].race).seat_of("grace") == -1
    assert value(here.node.hall.rooms[race].race).seat_of("ada") == 0


async def test_a_connection_on_another_node_takes_the_seat_over(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory
) -> None:
    here, there = gates
    race = await opened(here)
    older = await here.enter(ADA, race, "older")
    await clock.settle()
    newer = await there.enter(ADA, race, "newer")
    await clock.settle()
    assert told(older) == ["Here", "Here", "Notice"]
    assert older.detached_from == [here.channel(race).number]
    assert here.channel(race).players == {}
    assert list(there.channel(race).players.values()) == [newer]
    here.channels.close_if_empty(here.channel(race))
    await clock.settle()
    assert [type(fact) for fact in comings_and_goings(memory, race)] == [Here, Here]


@pytest.mark.parametrize("first", [0, 1])
async def test_of_two_connections_that_come_at_once_one_has_the_seat(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory, first: int
) -> None:
    race = await opened(gates[0])
    await gates[1].node.hall.open(race)
    memory.hold()
    rooms = [gate.node.hall.rooms[race] for gate in gates]
    both = [Listener("here"), Listener("there")]
    for index in (first, 1 - first):
        gates[index].channels.open(rooms[index]).sit(0, both[index], "ada")
    memory.go_on()
    await clock.settle()
    seat = value(rooms[0].race).seats[0]
    assert seat is not None
    sitting = [gate.channel(race).players.get(0) for gate in gates]
    assert [listener for listener in both if listener in sitting] == [
        listener for listener in both if listener.session == seat.session
    ]
    assert not seat.away
    assert rooms[0].race == rooms[1].race


async def test_two_connections_on_one_node_at_once(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory
) -> None:
    here, _ = gates
    race = await opened(here)
    memory.hold()
    channel = here.channels.open(here.node.hall.rooms[race])
    older, newer = Listener("older"), Listener("newer")
    channel.sit(0, older, "ada")
    channel.sit(0, newer, "ada")
    channel.part(older, "ada")
    memory.go_on()
    await clock.settle()
    assert channel.players == {0: newer}
    assert told(older) == ["Notice"]
    seat = value(here.node.hall.rooms[race].race).seats[0]
    assert seat is not None
    assert (seat.session, seat.away) == (newer.session, 0)


async def test_coming_back_before_the_going_is_written(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory
) -> None:
    here, _ = gates
    race = await opened(here)
    ada = await here.enter(ADA, race, "ada")
    await clock.settle()
    memory.hold()
    room = here.node.hall.rooms[race]
    channel = here.channel(race)
    channel.part(ada, "ada")
    channel.sit(0, again := Listener("ada again"), "ada")
    memory.go_on()
    await clock.settle()
    seat = value(room.race).seats[0]
    assert seat is not None
    assert (seat.session, seat.away) == (again.session, 0)
    assert [type(fact) for fact in comings_and_goings(memory, race)] == [Here, Away, Here]


async def test_what_happens_while_the_store_is_away_is_told_when_it_is_back(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory
) -> None:
    here, _ = gates
    race = await opened(here)
    ada = await here.enter(ADA, race, "ada")
    grace = await here.enter(GRACE, race, "grace")
    await clock.settle()
    room = here.node.hall.rooms[race]
    memory.away = True
    room.submit(Ready("grace"), here.node.recorder)
    await clock.settle()
    assert here.node.hall.committer.away
    here.lose(GRACE, race, grace)
    here.channel(race).sit(0, newer := Listener("newer"), "ada")
    told(ada)
    memory.away = False
    await clock.pass_time(1_000)
    await eventually(lambda: len(comings_and_goings(memory, race)) == 3)
    assert [type(fact) for fact in comings_and_goings(memory, race)] == [Here, Away, Here]
    assert told(newer) == ["Readied", "Away", "Here"]
    seats = value(room.race).seats
    assert seats[0] is not None
    assert seats[1] is not None
    assert (seats[0].session, seats[0].away, seats[1].away > 0) == (newer.session, 0, True)


async def test_nothing_is_said_twice_however_often_one_asks(
    gates: tuple[Gate, Gate], clock: ManualClock, memory: Memory
) -> None:
    here, _ = gates
    race = await opened(here)
    ada = await here.enter(ADA, race, "ada")
    channel = here.channel(race)
    for _ in range(5):
        channel.sit(0, ada, "ada")
    await clock.settle()
    channel.sit(0, ada, "ada")
    await clock.settle()
    assert told(ada) == ["Here"]
    for _ in range(3):
        channel.part(ada, "ada")
    await clock.settle()
    assert [type(fact) for fact in comings_and_goings(memory, race)] == [Here, Away]


async def test_after_a_restart_nobody_is_there_until_they_come_back(
    memory: Memory, clock: ManualClock
) -> None:
    """The connections of a server that was killed could not say that they ended."""
    before = Gate(memory, clock, "a")
    async with running(before.node):
        race = await opened(before)
        await before.enter(ADA, race, "ada")
        await before.enter(GRACE, race, "grace")
        await clock.settle()
    after = Gate(memory, clock, "b")
    async with running(after.node):
        await after.node.recover()
        after.node.hall.nobody_is_here()
        await clock.settle()
        back = await after.enter(ADA, race, "ada again")
        await clock.pass_time(AWAY_MS)
        assert told(back) == ["Here", "Left"]
        race_now = value(after.node.hall.rooms[race].race)
        assert (race_now.phase, race_now.seat_of("ada"), race_now.seat_of("grace")) == (Phase.LOBBY, 0, -1)
