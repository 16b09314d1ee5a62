"""Races in which those who play see each other's boards."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
_BELOW = """() => {
  const boxOf = (one) => document.querySelector(one).getBoundingClientRect();
  const [table, other] = ['card-table', '.beside .picture'].map(boxOf);
  return [other.top >= table.bottom, other.left >= table.right, other.height > 60, table.height > 380];
}"""


async def test_the_others_board_is_seen_while_one_plays(server: ServerProcess, chromium: Chromium) -> None:
    """On a phone below one's own, on a desk beside it; it follows each move, and can be put away."""
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844, phone=True)
        grace = await chromium.window(server.url)
        await meet(ada, grace, open_boards=True)
        for window in (ada, grace):
            await window.page.locator(".beside figure").wait_for()
            assert await window.page.locator(".beside figure").count() == 1
        assert await ada.page.evaluate(_BELOW) == [True, False, True, True]
        assert await grace.page.evaluate(_BELOW) == [False, True, True, True]
        await grace.plays(winning_line()[:2])
        await ada.page.locator(".beside .picture[aria-label*='2 moves']").wait_for()
        await ada.plays(winning_line()[:1])
        await ada.settled()
        await ada.press("Others")
        await ada.page.locator(".beside").wait_for(state="hidden")
        await ada.page.locator(".racer").nth(1).click()
        await ada.page.locator(".beside").wait_for()
        assert ada.faults == grace.faults == []


async def test_one_of_the_others_boards_is_shown_larger(server: ServerProcess, chromium: Chromium) -> None:
    """By a tap on it, on its words or on its row; again shows all. Nothing of what is written above it is cut."""
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844, phone=True)
        others = [await chromium.window(server.url) for _ in range(2)]
        await meet(ada, *others, open_boards=True)
        figures = ada.page.locator(".beside figure")
        await figures.nth(1).wait_for()
        small = await figures.first.bounding_box()
        assert small is not None
        assert await ada.page.evaluate(_CUT) == []
        for way in (".beside .picture >> nth=0", ".beside .caption >> nth=0", ".racer >> nth=1"):
            await ada.page.locator(way).tap()
            await figures.nth(1).wait_for(state="hidden")
            large = await figures.first.bounding_box()
            assert large is not None
            assert (large["width"] > small["width"], large["height"] > small["height"]) == (True, True)
            await ada.page.locator(way).tap()
            await figures.nth(1).wait_for()
        await ada.page.locator(".racer.mine").tap()
        assert await figures.nth(1).is_visible()
        assert ada.faults == []


_CUT = """() => [...document.querySelectorAll('.beside .caption')]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
  .map((one) => one.textContent)"""


async def test_the_lobby_says_that_boards_are_seen(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url)
        await ada.go("/#friend")
        await ada.page.locator("summary").click()
        await ada.page.locator("#open").check()
        await ada.press("Get the link")
        await ada.stage("lobby")
        await ada.sees("you see each other's boards during the race")


async def test_boards_that_are_not_open_are_not_seen(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        await ada.plays(winning_line()[:1])
        await ada.settled()
        assert await ada.page.locator(".beside, .tool-otherBoards").count() == 0
