"""Races of one's own that go on while one is not there: the way back from the first screen."""

import asyncio

import pytest

from tests.e2e.page.screens import LANGUAGES
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
_NARROW = "() => document.documentElement.scrollWidth <= innerWidth"


async def another_tab(of: Window, path: str = "/") -> Window:
    """Another tab of the same browser."""
    tab = Window(of.context, await of.context.new_page(), of.url)
    await tab.go(path)
    return tab


async def test_who_has_closed_the_tab_finds_the_way_back_to_a_private_race(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 320, 568, settings={"name": "Ada"})
        grace = await chromium.window(server.url, settings={"name": "Grace"})
        code = (await meet(ada, grace)).removeprefix("/r/").upper()
        line = winning_line()
        await ada.plays(line[:3])
        await ada.settled()
        board = await ada.board()
        await ada.page.close()
        ada = await another_tab(ada)
        await ada.page.get_by_role("navigation", name="Your races").wait_for()
        for language in LANGUAGES:
            await ada.speaks(language)
            await ada.page.locator(".own-races a").filter(has_text=f"{code} · Grace · ").wait_for()
            assert await ada.page.evaluate(_NARROW), language
        await ada.speaks("en")
        await ada.press(f"{code} · Grace · running")
        await ada.stage("play")
        assert await ada.board() == board
        assert await ada.page.locator(".own-races").count() == 0
        await ada.page.locator(".brand").click()
        await ada.page.locator("a.back:visible").wait_for()
        assert await ada.page.locator(".own-races").count() == 0, "this page has it"
        await ada.press("Back to the race")
        await ada.plays(line[3:])
        await ada.stage("done")
        await ada.press("Leave: your result stays")
        await ada.press(f"{code} · Grace · You are home in ")
        await ada.stage("done")
        await grace.gives_up()
        await ada.stage("ended")
        await ada.page.locator(".brand").click()
        await ada.page.locator(".screen.practice").wait_for()
        async with ada.page.expect_websocket() as opened:
            await ada.page.reload()
        await (await opened.value).wait_for_event("framereceived")
        await ada.page.locator(".screen.practice").wait_for()
        assert await ada.page.locator(".own-races").count() == 0
        assert ada.faults == grace.faults == []


async def test_a_race_that_another_tab_plays_is_told_and_so_it_is_after_a_lost_connection(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, settings={"name": "Ada"})
        grace = await chromium.window(server.url, settings={"name": "Grace"})
        tab = await another_tab(ada, "/#watch")
        await tab.sees("No public race")
        await meet(ada, grace)
        assert await tab.page.locator(".own-races").count() == 0
        for offline in (True, False):
            await tab.context.set_offline(offline)
            await tab.page.locator(".banner").wait_for(state="visible" if offline else "hidden")
        await tab.sees("Grace · running")
        await tab.press("Grace · running")
        await tab.stage("play")
        await ada.stage("taken")
        await ada.page.locator(".brand").click()
        await ada.press("Grace · running")
        await ada.stage("play")
        await tab.stage("taken")


async def test_who_is_nobody_yet_needs_no_connection_to_practise(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        frames = window.frames()
        await window.deals(617)
        await window.page.evaluate(
            "navigator.serviceWorker.ready.then(() => true)"
        )  # it comes behind all else
        assert frames.said == []


async def test_who_is_somebody_and_has_no_network_may_practise_in_peace(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, settings={"token": "t" * 48})
        await window.page.route_web_socket("**/ws", lambda socket: socket.close())
        await window.deals(617)
        await window.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        assert await window.page.locator(".banner").is_hidden()
        await window.go("/#watch")
        await window.sees("No connection")
