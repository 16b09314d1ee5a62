"""Turning to something else while a race is entered: nobody is left with a seat that one does not see."""

import asyncio
import signal

import pytest

from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300


def _parts(frame: str | bytes) -> bool:
    return isinstance(frame, bytes) and b"part" in frame


@pytest.mark.parametrize("way", ["Ranked race", "Quick race"])
async def test_who_turns_away_while_the_server_is_slow_is_no_opponent(
    server: ServerProcess, chromium: Chromium, way: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        await ada.go("/#watch")
        await ada.sees("No public race just now.")
        server.process.send_signal(signal.SIGSTOP)
        try:
            await ada.press(way)
            await ada.sees("One moment…")
            await ada.press("Practice")
        finally:
            server.process.send_signal(signal.SIGCONT)
        await grace.go("/#watch")
        await grace.sees("No public race just now.")
        await grace.press(way)
        await grace.stage("lobby")
        await grace.page.locator(".racer").filter(has_text="free seat").wait_for()
        assert await ada.page.locator(".screen.practice").count() == 1
        assert ada.faults == grace.faults == []


async def test_what_was_pressed_without_a_network_is_not_asked_for_later(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        frames = ada.frames()
        await ada.go("/?json#watch")
        await ada.sees("No public race just now.")
        await ada.context.set_offline(True)
        await ada.sees("No connection")
        said = len(frames.said)
        await ada.press("Ranked race")
        await ada.sees("This needs the network")
        await ada.press("Practice")
        await ada.context.set_offline(False)
        await ada.until("() => document.querySelector('.banner').hidden")
        await ada.press("Watch")
        await ada.sees("No public race just now.")
        assert not any("quick" in str(one) for one in frames.said[said:])


async def test_a_race_for_a_friend_that_one_turns_away_from_is_closed(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        await ada.go("/#friend")
        await ada.sees("You race as ")  # there is a connection
        await ada.page.locator("summary").click()
        await ada.page.get_by_role("combobox", name="Who can come").select_option("all")
        server.process.send_signal(signal.SIGSTOP)
        try:
            await ada.press("Get the link")
            await ada.sees("One moment…")
            await ada.press("Practice")
        finally:
            server.process.send_signal(signal.SIGCONT)
        await grace.go("/#watch")
        await grace.sees("No public race just now.")
        assert ada.faults == []


async def test_who_leaves_a_lobby_by_the_menu_looks_on_no_more(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await grace.page.goto(await ada.invites())
        await grace.stage("lobby")
        async with ada.page.expect_websocket() as opened:
            await ada.page.reload()
        await ada.stage("lobby")
        async with (await opened.value).expect_event("framesent", _parts):
            await ada.page.locator(".brand").click()
        await grace.sees("has left")
        await grace.page.get_by_text("1 spectator").wait_for(state="hidden")
