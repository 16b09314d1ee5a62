"""A race with nothing but keys, and with nothing but fingers on a phone, from the front page to the result."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
TABS_MOST = 60

_AT = """(said) => {
  const at = document.activeElement;
  const names = [at.textContent, at.getAttribute('aria-label') ?? '', at.id];
  return at !== document.body && names.some((name) => name.includes(said));
}"""


async def _reach(window: Window, said: str) -> None:
    """Go on by the tabulator key to what says this, or is named so."""
    for _ in range(TABS_MOST):
        await window.page.keyboard.press("Tab")
        if await window.page.evaluate(_AT, said):
            return
    raise AssertionError(f"no key leads to {said!r}")


async def _choose(window: Window, said: str) -> None:
    await _reach(window, said)
    await window.page.keyboard.press("Enter")


async def test_a_race_is_opened_and_won_by_keys(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await ada.go("/")
        await _choose(ada, "Race a friend")
        await ada.sees("Get the link")
        await _choose(ada, "Options")
        await _reach(ada, "with-deal")
        await ada.page.keyboard.type("617")
        await _choose(ada, "Get the link")
        await ada.stage("lobby")
        link = await ada.page.locator("input.link").input_value()
        await grace.go(link.removeprefix(grace.url))
        await grace.stage("lobby")
        await _choose(grace, "I'm ready")
        for window in (ada, grace):
            await window.stage("play")
        await ada.page.keyboard.press("?")
        await ada.sees("No hints in a race")
        await ada.plays(winning_line()[:2])
        there = await ada.board()
        for key in "uuyy":
            await ada.page.keyboard.press(key)
        await ada.settled()
        assert await ada.board() == there
        await ada.page.keyboard.press("y")
        await ada.sees("nothing to redo")
        await ada.plays(winning_line()[2:])
        assert ada.page.workers == []
        await _choose(grace, "Give up")
        await _choose(grace, "Yes, give up")
        await ada.stage("ended")
        await ada.sees("You won")
        await _choose(ada, "Rematch")
        for window in (ada, grace):
            await window.stage("lobby")
        assert ada.faults == grace.faults == []


async def test_a_race_is_opened_and_won_by_touch(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844, phone=True)
        await ada.go("/")
        await _tap(ada, "Race a friend")
        await ada.page.locator("summary").tap()
        await ada.page.locator("#with-deal").tap()
        await ada.page.keyboard.type("617")
        await _tap(ada, "Get the link")
        await ada.stage("lobby")
        link = await ada.page.locator("input.link").input_value()
        await grace.go(link.removeprefix(grace.url))
        await _tap(grace, "I'm ready")
        for window in (ada, grace):
            await window.stage("play")
        for number, move in enumerate(winning_line()[:-1], 1):
            await ada.touch(move)
            await ada.made(number)
        await ada.touch(winning_line()[-1])
        await _tap(grace, "Give up")
        await _tap(grace, "Yes, give up")
        await ada.stage("ended")
        await ada.sees("You won")
        await _tap(ada, "Rematch")
        for window in (ada, grace):
            await window.stage("lobby")
            assert await window.page.evaluate("[scrollX, scrollY]") == [0, 0]
        assert ada.faults == grace.faults == []


async def _tap(window: Window, name: str) -> None:
    await window.page.locator("button:visible, a:visible").filter(has_text=name).first.tap()
