"""A rematch that others ask for, while one looks at the result."""

import asyncio

import pytest
from msgspec import structs

from cellrace_client.tui.lobby import LobbyScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, Script, scripted
from tests.client.tui.pilots import program, shown, until
from tests.client.tui.test_races import a_race, greeted, in_race, is_over, over, running

pytestmark = pytest.mark.asyncio


def invited(first: asyncio.Event, then: asyncio.Event, *heard: list[c.ClientMessage]) -> Script:
    """A server on which another player asks for a rematch of a race that is over, which starts later."""

    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        await said.say(over(2))
        await first.wait()
        lobby = structs.replace(running(3), phase="lobby", start="", deal="")
        await said.say(e.Rematched(2, 7, 0, "race3"), e.Entered(0, 3, "race3", 0, 1), lobby)
        if heard:
            while len(heard[0]) < 2:
                heard[0].append(await said.hear())
        await then.wait()
        await said.say(e.Countdown(3, 6, 0, 3_000))
        await said.socket.wait_closed()

    return server


@pytest.mark.parametrize("by", ["m", "its start"])
async def test_a_rematch_of_others_invites_who_looks_at_the_result(by: str) -> None:
    first, then = asyncio.Event(), asyncio.Event()
    async with scripted(invited(first, then)) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        first.set()
        await until(pilot, lambda: "The others race again: m sits down" in shown(pilot))
        assert in_race(pilot, "race2")
        if by == "m":
            await pilot.press("m")
        else:
            then.set()
        await until(pilot, lambda: in_race(pilot, "race3"))
        assert sum(hasattr(screen, "race") for screen in pilot.app.screen_stack) == 1
        then.set()


async def test_who_does_not_want_to_race_again_gives_the_seat_back() -> None:
    first, then, heard = asyncio.Event(), asyncio.Event(), list[c.ClientMessage]()
    server = invited(first, then, heard)
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        first.set()
        await until(pilot, lambda: "The others race again" in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen) and len(heard) == 2)
        then.set()
    assert c.Leave(3) in heard
