"""Players of a node that stops without a word: missed by the others, and back when it was slow only."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from cellrace_server.core.commands import GiveUp, Ready
from cellrace_server.core.options import AWAY_MS
from cellrace_server.core.race import Phase
from cellrace_server.services import roll_call
from cellrace_server.services.nodes import SILENT_MS
from cellrace_server.services.sweeper import EVERY_MS as SWEEP_MS
from tests.server.gateway.connected import House
from tests.server.services.node import ADA, ALAN, GRACE, Recorder, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

NOTICED_MS = SILENT_MS + 2 * roll_call.EVERY_MS


@pytest_asyncio.fixture
async def here(memory: Memory, clock: ManualClock) -> AsyncGenerator[House]:
    async with running(House(memory, clock, "a")) as node:
        yield node


async def test_its_players_are_away_some_seconds_later(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race = await here.opened()
    async with running(House(memory, clock, "b")) as there:
        await there.enter(GRACE, race)
        await clock.pass_time(3 * SILENT_MS)
        assert not here.seat(race, GRACE).away, "it lives"
    await clock.pass_time(NOTICED_MS)
    assert here.seat(race, GRACE).away
    assert not here.seat(race, ADA).away
    await clock.pass_time(AWAY_MS)
    assert here.state(race).seat_of("grace") == -1


async def test_who_comes_does_not_race_against_them(here: House, memory: Memory, clock: ManualClock) -> None:
    """Nobody else had the race open."""
    async with running(House(memory, clock, "b")) as there:
        race = await there.opened()
        await clock.pass_time(1_000)
    await clock.pass_time(NOTICED_MS)
    assert race not in here.hall.rooms
    await here.enter(GRACE, race)
    here.hall.rooms[race].submit(Ready("grace"), Recorder())
    await clock.settle()
    assert here.seat(race, ADA).away
    assert here.state(race).phase is Phase.LOBBY


async def test_a_race_that_nobody_has_open_is_swept(here: House, memory: Memory, clock: ManualClock) -> None:
    async with running(House(memory, clock, "b")) as there:
        race = await there.opened()
        await clock.pass_time(1_000)
    await clock.pass_time(NOTICED_MS + SWEEP_MS)
    assert here.seat(race, ADA).away


async def test_after_a_start_those_of_an_earlier_life_are_missed(memory: Memory, clock: ManualClock) -> None:
    async with running(House(memory, clock, "b")) as before:
        race = await before.opened()
        await before.enter(GRACE, race)
        await clock.settle()
    after = House(memory, clock, "c")
    await after.recover()
    async with running(after):
        await after.enter(GRACE, race)
        await clock.pass_time(NOTICED_MS)
        assert after.seat(race, ADA).away
        assert not after.seat(race, GRACE).away


async def test_nobody_is_judged_before_the_first_beat(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race = await here.opened()
    await clock.pass_time(5 * SILENT_MS)
    new = House(memory, clock, "d")
    async with running(new):
        await new.enter(ALAN, race)
        await clock.pass_time(3 * SILENT_MS)
    assert [type(fact).__name__ for fact in memory.logs[race]].count("Away") == 0


async def test_who_was_taken_for_dead_says_that_its_players_are_there(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race = await here.opened()
    async with running(House(memory, clock, "b")) as there:
        grace = await there.enter(GRACE, race)
        await clock.settle()
        await clock.pass_time(2 * SILENT_MS)
        grace.heard()
        here.nodes.left("b")
        here.roll_call.call()
        for _ in range(4):
            await clock.settle()
        assert [type(message).__name__ for message in grace.heard()] == ["Away", "Here"]
        assert not there.seat(race, GRACE).away
        assert here.state(race) == there.state(race)
        await clock.pass_time(AWAY_MS)
        assert not there.seat(race, GRACE).away


async def test_an_absence_of_the_store_is_nobodys_death(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race = await here.opened()
    async with running(House(memory, clock, "b")) as there:
        await there.enter(GRACE, race)
        await clock.pass_time(1_000)
        memory.away = True
        await clock.pass_time(2 * SILENT_MS)
        memory.away = False
        await clock.pass_time(2 * SILENT_MS)
        assert not here.seat(race, GRACE).away
        assert not [fact for fact in memory.logs[race] if type(fact).__name__ == "Away"]


async def test_what_the_store_did_not_take_is_said_again(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    race = await here.opened()
    async with running(House(memory, clock, "b")) as there:
        await there.enter(GRACE, race)
        await clock.pass_time(1_000)
    memory.away = True
    here.hall.rooms[race].submit(Ready("ada", ready=False), Recorder())
    await clock.pass_time(2 * SILENT_MS)
    memory.away = False
    await clock.pass_time(NOTICED_MS + SILENT_MS)
    assert here.seat(race, GRACE).away


async def test_a_race_is_under_way_until_its_players_are_done_offline_or_not(
    here: House, memory: Memory, clock: ManualClock
) -> None:
    """And on the node alone that has them, while that lives."""
    race = await here.opened()
    grace = await here.enter(GRACE, race)
    room = here.hall.rooms[race]
    assert here.roll_call.under_way == 0
    room.submit(Ready("grace"), Recorder())
    await clock.settle()
    assert here.roll_call.under_way == 1
    channel = value(here.channels.of(room))
    for player, sitting in ((ADA, channel.players[0]), (GRACE, grace)):
        channel.part(sitting, player.id)
    here.channels.close_if_empty(channel)
    await clock.settle()
    assert here.seat(race, GRACE).away
    assert here.roll_call.under_way == 1, "they may come back"
    async with running(House(memory, clock, "b")) as there:
        await clock.pass_time(1_000)
        for player in (ADA, GRACE):
            await there.enter(player, race)
        await clock.settle()
        assert (here.roll_call.under_way, there.roll_call.under_way) == (0, 1)
    await clock.pass_time(NOTICED_MS)
    assert here.roll_call.under_way == 1, "nobody else looks after it"
    for player in (ADA, GRACE):
        await here.hall.ask(room, GiveUp(player.id, 1))
    assert here.roll_call.under_way == 0
