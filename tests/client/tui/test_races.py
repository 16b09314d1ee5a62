"""The terminal program against a server that says exactly what a test has written down."""

import asyncio

import pytest
from msgspec import structs

from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.watch import WatchScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted, snapshot
from tests.client.tui.pilots import Driver, press, program, until

pytestmark = pytest.mark.asyncio


async def greeted(said: Said, *rows: e.RaceRow) -> None:
    """Answer the hello and the wish to follow the list of races."""
    await said.greet()
    follow = await said.hear()
    assert isinstance(follow, c.Follow)
    await said.say(e.Races(follow.r, list(rows)))


def running(channel: int, seat: int = 0) -> e.Snapshot:
    return structs.replace(snapshot(5, seat), ch=channel, race=f"race{channel}")


async def a_race(said: Said, channel: int, seat: int = 0) -> None:
    """Answer the wish to watch by a race that runs."""
    asked = await said.hear()
    assert isinstance(asked, c.Watch)
    await said.say(e.Entered(asked.r, channel, f"race{channel}", seat, 1), running(channel, seat))


def over(channel: int) -> e.End:
    return e.End(channel, 6, 0, "all_done", [], "deal", "")


def in_race(pilot: Driver, name: str) -> bool:
    race = getattr(pilot.app.screen, "race", None)
    return race is not None and race.id == name and race.model is not None


def is_over(pilot: Driver) -> bool:
    screen = pilot.app.screen
    return isinstance(screen, RaceScreen | WatchScreen) and screen.race.over


async def test_a_race_that_is_over_is_parted_from_so_that_no_rematch_of_others_leads_away() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        await said.say(over(2))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.parametrize("seat", [0, -1])
async def test_a_rematch_takes_the_place_of_the_race_that_is_over(seat: int) -> None:
    seen = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2, seat)
        await said.say(over(2))
        await seen.wait()
        await said.say(e.Entered(0, 3, "race3", seat, 1), running(3, seat))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        seen.set()
        await until(pilot, lambda: in_race(pilot, "race3"))
        assert sum(hasattr(screen, "race") for screen in pilot.app.screen_stack) == 1
