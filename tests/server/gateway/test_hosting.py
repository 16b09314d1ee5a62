"""Hosts without a seat, on two nodes with one store: there while any connection is, and followed by who sits."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from cellrace_protocol import events as e
from cellrace_server.core.commands import Leave, Ready, Start
from cellrace_server.core.facts import AnyFact, HandedOn, HostAway, HostHere
from cellrace_server.core.options import AWAY_MS, LOBBY_MS, Options
from cellrace_server.core.race import Phase
from cellrace_server.services import roll_call
from cellrace_server.services.nodes import SILENT_MS
from cellrace_server.services.sweeper import EVERY_MS as SWEEP_MS
from tests.server.gateway.connected import Connected, House
from tests.server.services.node import ADA, ALAN, GRACE, Recorder, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

TERMS = Options(seats=4, countdown_ms=0)
NOTICED_MS = SILENT_MS + 2 * roll_call.EVERY_MS


@pytest_asyncio.fixture
async def here(memory: Memory, clock: ManualClock) -> AsyncGenerator[House]:
    async with running(House(memory, clock, "a")) as node:
        yield node


@pytest_asyncio.fixture
async def there(memory: Memory, clock: ManualClock) -> AsyncGenerator[House]:
    async with running(House(memory, clock, "b")) as node:
        yield node


def hosting(memory: Memory, race: str) -> list[type[AnyFact]]:
    """What the log says of who hosts."""
    return [type(fact) for fact in memory.logs[race] if isinstance(fact, HostHere | HostAway | HandedOn)]


async def snapshot(node: House, connection: Connected, race: str) -> e.Snapshot:
    value(node.channels.of(node.hall.rooms[race])).catch_up(connection, None)
    (told,) = [message for message in connection.heard() if isinstance(message, e.Snapshot)]
    return told


def told(connection: Connected) -> list[tuple[str, bool]]:
    """Who hosts, as this connection was told, and whether they are away."""
    return [(message.host, message.away) for message in connection.heard() if isinstance(message, e.Hosts)]


async def test_the_connection_that_opens_a_race_is_its_hosts_and_nothing_more_is_said(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await clock.settle()
    assert here.state(race).host_session == ada.session
    assert hosting(memory, race) == []


async def test_everybody_is_told_on_both_nodes_that_somebody_hosts_instead(
    here: House, there: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    alan, grace = await there.enter(ALAN, race), await here.enter(GRACE, race)
    looker = await there.watch(ADA, race)
    there.part(looker, race)
    await clock.settle()
    here.part(ada, race)
    await clock.settle()
    assert (await snapshot(there, alan, race)).host_away
    await clock.pass_time(AWAY_MS)
    assert told(grace)[-2:] == [("ada", True), ("alan", False)]
    assert told(alan) == [("alan", False)]
    for node, connection in ((here, grace), (there, alan)):
        seen = await snapshot(node, connection, race)
        assert (seen.host, seen.host_away) == ("alan", False)
    assert hosting(memory, race)[-2:] == [HostAway, HandedOn]
    assert here.state(race) == there.state(race)
    there.hall.rooms[race].submit(Start("alan"), Recorder())
    await clock.settle()
    assert here.state(race).phase is not Phase.LOBBY


async def test_a_host_who_comes_back_in_time_on_the_other_node_hosts_still(
    here: House, there: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    grace = await here.enter(GRACE, race)
    await clock.settle()
    here.part(ada, race)
    await clock.pass_time(AWAY_MS - 1)
    await there.watch(ADA, race)
    await clock.pass_time(2 * AWAY_MS)
    assert told(grace) == [("ada", True), ("ada", False)]
    assert here.state(race).host == "ada"
    assert hosting(memory, race) == [HostAway, HostHere]


async def test_one_who_comes_back_later_looks_on_like_others(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.enter(GRACE, race)
    here.part(ada, race)
    await clock.pass_time(AWAY_MS)
    back = await here.watch(ADA, race)
    await clock.settle()
    here.part(back, race)
    await clock.settle()
    assert hosting(memory, race) == [HostAway, HandedOn]


@pytest.mark.parametrize("newest_first", [True, False])
@pytest.mark.parametrize("apart", [True, False])
async def test_a_host_is_there_while_any_connection_is(
    here: House, there: House, memory: Memory, clock: ManualClock, apart: bool, newest_first: bool
) -> None:
    """Two tabs, on one node or on two."""
    elsewhere = there if apart else here
    race, older = await here.hosted(ADA, TERMS)
    await elsewhere.enter(GRACE, race)
    newer = await elsewhere.watch(ADA, race)
    await clock.settle()
    first = (elsewhere, newer) if newest_first else (here, older)
    last = (here, older) if newest_first else (elsewhere, newer)
    first[0].part(first[1], race)
    await clock.pass_time(2 * AWAY_MS)
    assert (here.state(race).host, here.state(race).host_away) == ("ada", 0)
    assert here.state(race).host_session == last[1].session
    last[0].part(last[1], race)
    await clock.pass_time(AWAY_MS)
    assert elsewhere.state(race).host == "grace"
    assert hosting(memory, race)[-2:] == [HostAway, HandedOn]


async def test_two_nodes_that_decide_at_once_give_one_answer(
    here: House, there: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.enter(GRACE, race)
    await there.enter(ALAN, race)
    here.part(ada, race)
    await clock.settle()
    memory.hold()
    await clock.pass_time(AWAY_MS)
    back = await there.watch(ADA, race)
    memory.go_on()
    await clock.pass_time(1_000)
    assert hosting(memory, race) == [HostAway, HandedOn]
    assert here.state(race) == there.state(race)
    assert here.state(race).host == "grace"
    there.part(back, race)


async def test_what_the_store_did_not_hear_is_said_again(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.enter(GRACE, race)
    memory.away = True
    here.hall.rooms[race].submit(Ready("grace"), here.recorder)
    await clock.settle()
    here.part(ada, race)
    back = await here.watch(ADA, race)
    memory.away = False
    await clock.pass_time(1_000)
    await eventually(lambda: here.state(race).host_session == back.session)
    await clock.pass_time(AWAY_MS)
    assert (here.state(race).host, here.state(race).host_away) == ("ada", 0)


async def test_the_host_of_a_node_that_died_is_missed(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    async with running(House(memory, clock, "b")) as there:
        race, _ = await there.hosted(ADA, TERMS)
        grace = await here.enter(GRACE, race)
        await clock.pass_time(3 * SILENT_MS)
        assert not here.state(race).host_away, "it lives"
    await clock.pass_time(NOTICED_MS)
    assert told(grace) == [("ada", True)]
    await clock.pass_time(AWAY_MS)
    assert told(grace) == [("grace", False)]


async def test_a_race_all_of_which_died_with_its_node_is_taken_up_by_another(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    async with running(House(memory, clock, "b")) as there:
        race, _ = await there.hosted(ADA, TERMS)
        await clock.pass_time(1_000)
    await clock.pass_time(NOTICED_MS + SWEEP_MS)
    assert here.state(race).host_away
    await here.enter(GRACE, race)
    await clock.pass_time(AWAY_MS)
    assert here.state(race).host == "grace"


async def test_a_host_taken_for_dead_is_there_again_at_once(
    here: House, there: House, memory: Memory, clock: ManualClock
) -> None:
    race, _ = await there.hosted(ADA, TERMS)
    grace = await here.enter(GRACE, race)
    await clock.pass_time(2 * SILENT_MS)
    here.nodes.left("b")
    here.roll_call.call()
    for _ in range(4):
        await clock.settle()
    assert told(grace) == [("ada", True), ("ada", False)]
    await clock.pass_time(AWAY_MS)
    assert there.state(race).host == "ada"


async def test_after_a_restart_the_host_is_away_until_they_come_back(
    memory: Memory, clock: ManualClock
) -> None:
    before = House(memory, clock, "a")
    async with running(before):
        race, _ = await before.hosted(ADA, TERMS)
        other, _ = await before.hosted(ALAN, TERMS)
        await before.enter(GRACE, race)
        await before.enter(GRACE, other)
        await clock.settle()
    after = House(memory, clock, "b")
    async with running(after):
        await after.recover()
        after.hall.nobody_is_here()
        await clock.settle()
        grace = await after.enter(GRACE, race)
        await after.enter(GRACE, other)
        await after.watch(ALAN, other)
        await clock.pass_time(AWAY_MS)
        assert told(grace) == [("grace", False)]
        assert (after.state(race).host, after.state(other).host) == ("grace", "alan")


async def test_a_host_who_leaves_hands_on_at_once_and_looks_on(here: House, clock: ManualClock) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.enter(GRACE, race)
    here.hall.rooms[race].submit(Leave("ada"), Recorder())
    await clock.settle()
    heard: list[tuple[str, bool]] = []

    def is_told() -> bool:
        heard.extend(told(ada))
        return heard == [("grace", False)]

    await eventually(is_told)


async def test_a_deserted_lobby_is_not_on_the_list_and_ends(
    here: House, there: House, memory: Memory, clock: ManualClock
) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.listing.tell()
    assert [row.entry.race for row in here.listing.newest()] == [race]
    here.part(ada, race)
    await clock.settle()
    assert here.listing.newest() == []
    await clock.pass_time(3_000)
    assert there.listing.newest() == []
    grace = await there.enter(GRACE, race)
    await clock.pass_time(3_000)
    assert [row.entry.race for row in here.listing.newest()] == [race]
    there.part(grace, race)
    await clock.pass_time(AWAY_MS)
    await clock.pass_time(LOBBY_MS)
    assert race not in here.hall.rooms
    assert race not in there.hall.rooms


async def test_whoever_hosts_now_counts_as_hosting(here: House, clock: ManualClock) -> None:
    race, ada = await here.hosted(ADA, TERMS)
    await here.enter(GRACE, race)
    here.part(ada, race)
    await clock.pass_time(AWAY_MS)
    assert here.hall.holdings.open_races("ada") == set()
    assert here.hall.holdings.open_races("grace") == {race}
    assert "ada" not in here.hall.holdings.players()
