"""The list of races and the counts of spectators, over nodes that come, go and die."""

from collections.abc import Sequence

import pytest

from cellrace_engine import parse_rules
from cellrace_server.core.commands import GiveUp, Leave, Ready
from cellrace_server.core.options import Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.services.listing import EVERY_MS, ROWS_MOST, Row
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.nodes import BEAT_MS, SILENT_MS
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, PAIR, SOLO, Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

BOT = Player("bot", "Robot", Kind.BOT)


async def opened(node: Node, options: Options = PAIR, host: Player = ADA) -> Room:
    room = await node.lobby.create(Visitor(host), Terms(options, 617))
    assert isinstance(room, Room)
    return room


def shown(node: Node) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(entry.race, entry.phase, entry.players) for entry, _ in node.listing.newest()]


def races(node: Node) -> list[str]:
    return [entry.race for entry, _ in node.listing.newest()]


class Reading:
    """Implements `services.listing.Reader`."""

    def __init__(self, node: Node) -> None:
        self.lists: list[Sequence[Row]] = []
        self.counts: list[tuple[str, int]] = []
        node.listing.listen(self)

    async def listed(self, rows: Sequence[Row], /) -> None:
        self.lists.append(rows)

    async def counted(self, race: str, spectators: int, /) -> None:
        self.counts.append((race, spectators))


async def test_public_races_that_are_open_or_running_the_newest_first(node: Node, clock: ManualClock) -> None:
    async with running(node):
        first = await opened(node)
        clock.move(10)
        solo = await opened(node, SOLO)
        clock.move(10)
        await opened(node, Options(public=False))
        assert shown(node) == [(solo.id, "lobby", ("Ada",)), (first.id, "lobby", ("Ada",))]
        await node.hall.ask(solo, Ready("ada"))
        await clock.pass_time(1)
        assert shown(node)[0] == (solo.id, "running", ("Ada",))
        await node.lobby.join(Visitor(GRACE), first.id)
        await node.hall.ask(solo, GiveUp("ada", 1))
        assert shown(node) == [(first.id, "lobby", ("Ada", "Grace"))]
        await node.hall.ask(first, Leave("ada"))
        await node.hall.ask(first, Leave("grace"))
        assert shown(node) == []


async def test_a_row_says_what_one_wants_to_know_and_nothing_of_the_deal(
    node: Node, clock: ManualClock
) -> None:
    async with running(node):
        options = Options(rules=parse_rules("pocket+cells=2"), seats=3, ranked=True)
        room = await opened(node, options, BOT)
        clock.move(700)
        await node.lobby.join(Visitor(ADA), room.id)
        ((entry, spectators),) = node.listing.newest()
        assert (entry.rules, entry.seats, entry.players, entry.bot_players) == (
            "pocket+cells=2",
            3,
            ("Robot", "Ada"),
            1,
        )
        assert (entry.ranked, entry.bots, entry.created, entry.since) == (
            True,
            True,
            clock.now() - 700,
            clock.now(),
        )
        assert spectators == 0
        assert "617" not in repr(entry)


async def test_the_list_is_bounded(node: Node, clock: ManualClock) -> None:
    async with running(node):
        for _ in range(ROWS_MOST + 20):
            clock.move(1)
            await opened(node)
        clock.move(1)
        last = await opened(node)
        assert len(node.listing.newest()) == len(node.listing.most_watched()) == ROWS_MOST
        assert races(node)[0] == last.id


async def test_the_most_watched_first(node: Node, clock: ManualClock) -> None:
    async with running(node):
        rooms = [await opened(node) for _ in range(3)]
        node.listing.watched(rooms[1].id, 5)
        node.listing.watched(rooms[0].id, 2)
        watched = [(entry.race, count) for entry, count in node.listing.most_watched()]
        assert watched == [(rooms[1].id, 5), (rooms[0].id, 2), (rooms[2].id, 0)]


async def test_nodes_list_each_others_races(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await clock.settle()
        ours = await opened(here)
        clock.move(1)
        theirs = await opened(there, host=GRACE)
        await clock.pass_time(EVERY_MS)
        assert (
            shown(here)
            == shown(there)
            == [
                (theirs.id, "lobby", ("Grace",)),
                (ours.id, "lobby", ("Ada",)),
            ]
        )
        assert theirs.id not in here.hall.rooms
        await there.hall.ask(theirs, Leave("grace"))
        assert (await here.lobby.join(Visitor(GRACE), ours.id)) is ours
        await clock.pass_time(EVERY_MS)
        assert shown(here) == shown(there) == [(ours.id, "lobby", ("Ada", "Grace"))]


async def test_who_sits_in_a_race_is_told_of_it_on_any_node_listed_or_not(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await clock.settle()
        secret = await opened(here, Options(public=False))
        assert (here.listing.of(ADA), here.listing.of(GRACE)) == ([secret.id], [])
        await clock.pass_time(EVERY_MS)
        assert (there.listing.of(ADA), races(there)) == ([secret.id], [])
        both = await opened(there)
        assert there.listing.of(ADA) == sorted([secret.id, both.id])
        await here.hall.ask(secret, Leave("ada"))
        await there.hall.ask(both, Leave("ada"))
        assert there.listing.of(ADA) == [secret.id], "as was heard last"
        await clock.pass_time(EVERY_MS)
        assert (here.listing.of(ADA), there.listing.of(ADA)) == ([], [])


async def test_a_race_that_two_nodes_have_is_listed_once_as_the_better_informed_knows_it(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await clock.settle()
        ours = await opened(here)
        assert isinstance(await there.lobby.join(Visitor(GRACE), ours.id), Room)
        await clock.pass_time(EVERY_MS)
        for node in (here, there):
            assert shown(node) == [(ours.id, "lobby", ("Ada", "Grace"))]


async def test_who_comes_later_is_told_everything(memory: Memory, clock: ManualClock) -> None:
    """A node that starts, and one whose subscription was lost for a while."""
    async with running(Node(memory, clock, "a")) as here:
        room = await opened(here, Options(lobby_ms=3_600_000))
        here.listing.watched(room.id, 4)
        await clock.pass_time(5 * EVERY_MS)
        async with running(Node(memory, clock, "b")) as there:
            await clock.pass_time(EVERY_MS)
            assert [(entry.race, count) for entry, count in there.listing.newest()] == [(room.id, 4)]
            memory.reset_subscriptions()
            await clock.settle()
            assert there.listing.newest() == []
            await clock.pass_time(EVERY_MS)
            assert races(there) == [room.id]


async def test_a_node_that_dies_is_missed_and_what_it_said_vanishes(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as here:
        async with running(Node(memory, clock, "b")) as there:
            room = await opened(there)
            there.listing.watched(room.id, 4)
            here.listing.watched(room.id, 1)
            await clock.pass_time(SILENT_MS + BEAT_MS)
            assert [(entry.race, count) for entry, count in here.listing.newest()] == [(room.id, 5)]
        await clock.pass_time(SILENT_MS + EVERY_MS)
        assert here.listing.newest() == []
        assert here.listing.spectators(room.id) == 1


async def test_a_node_that_goes_in_good_order_is_not_waited_for(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await clock.settle()
        room = await opened(there)
        await clock.pass_time(EVERY_MS)
        assert races(here) == [room.id]
        await there.listing.leave()
        await clock.settle()
        assert here.listing.newest() == []


async def test_words_that_were_lost_are_made_up_for(memory: Memory, clock: ManualClock) -> None:
    """The store is away for a while; and a node that was taken for dead is heard again."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        await clock.settle()
        before = await opened(there)
        memory.away = True
        await clock.pass_time(SILENT_MS + EVERY_MS)
        assert races(here) == []
        memory.away = False
        after = await opened(there)
        await clock.pass_time(3 * EVERY_MS)
        assert set(races(here)) == {before.id, after.id}


async def test_spectators_are_summed_and_said_when_they_change(memory: Memory, clock: ManualClock) -> None:
    """Coalesced: many changes within a second are one."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        reading = Reading(here)
        room = await opened(here, Options(public=False))
        await clock.pass_time(EVERY_MS)
        for count in range(1, 50):
            here.listing.watched(room.id, count)
        there.listing.watched(room.id, 7)
        await clock.pass_time(2 * EVERY_MS)
        assert here.listing.spectators(room.id) == there.listing.spectators(room.id) == 56
        assert 1 <= len(reading.counts) <= 2
        assert reading.counts[-1] == (room.id, 56)
        there.listing.watched(room.id, 0)
        await clock.pass_time(2 * EVERY_MS)
        assert reading.counts[-1] == (room.id, 49)
        assert here.listing.newest() == []


async def test_readers_are_told_of_changes_and_of_nothing_else(node: Node, clock: ManualClock) -> None:
    async with running(node):
        reading = Reading(node)
        room = await opened(node, SOLO)
        await clock.pass_time(3 * EVERY_MS)
        assert [[entry.race for entry, _ in rows] for rows in reading.lists] == [[room.id]]
        await node.hall.ask(room, Ready("ada"))
        await clock.pass_time(2 * EVERY_MS)
        for n in range(1, 9):
            await node.hall.ask(room, GiveUp("ada", 9 - n) if n == 8 else Ready("ada"))
        await clock.pass_time(2 * EVERY_MS)
        assert [[entry.phase for entry, _ in rows] for rows in reading.lists] == [["lobby"], ["running"], []]


async def test_the_list_is_as_late_as_spectators_see(node: Node, clock: ManualClock) -> None:
    async with running(node):
        room = await opened(node, Options(seats=1, countdown_ms=0, delay_ms=5_000))
        await node.hall.ask(room, Ready("ada"))
        await clock.pass_time(100)
        assert shown(node)[0][1] == "countdown"
        await node.hall.ask(room, GiveUp("ada", 1))
        assert shown(node)[0][1] == "countdown"
        await clock.pass_time(4_900)
        assert shown(node)[0][1] == "running"
        await clock.pass_time(100)
        assert shown(node) == []


async def test_a_quiet_node_gives_a_sign_of_life_and_no_more(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")):
        await opened(here, Options(lobby_ms=3_600_000))
        await clock.pass_time(5 * EVERY_MS)
        calls = memory.calls
        await clock.pass_time(10 * BEAT_MS)
        assert memory.calls - calls <= 2 * 10 + 2
