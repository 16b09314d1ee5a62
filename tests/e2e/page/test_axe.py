"""What axe finds on every screen, in both themes: nothing serious. `make check-axe` fetches it and runs this."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.test_screens import OPENED
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.web.tools import missing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
AXE = Path(__file__).parents[3] / "build" / "axe" / "package" / "axe.min.js"

_FOUND = """async (only) => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) });
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 5).join(', ')}`);
}"""


async def _looks_at(window: Window, screen: str) -> list[str]:
    """What is wrong with what a window shows; in the other theme, what cannot be read."""
    found: list[str] = []
    if not await window.page.evaluate("'axe' in window"):
        await window.page.evaluate(AXE.read_text())
    for theme, only in (("dark", None), ("light", "color-contrast")):
        await window.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        found += [f"{screen}, {theme}: {one}" for one in await window.page.evaluate(_FOUND, only)]
    return found


async def _of_dialogs(window: Window) -> list[str]:
    found: list[str] = []
    await window.deals(617)
    for name in ("Settings", "How to play"):
        await window.page.locator("button.menu").click()
        found += await _looks_at(window, "menu")
        await window.page.locator("dialog[open] button").filter(has_text=name).click()
        await window.page.locator("dialog[open] h2").filter(has_text=name).wait_for()
        await window.page.evaluate(OPENED)
        found += await _looks_at(window, name)
        await window.page.keyboard.press("Escape")
    return found


async def _of_places(window: Window) -> list[str]:
    found: list[str] = []
    for place in ("deal=617", "friend", "watch", "boards", "boards=617", "daily", "profile"):
        await window.go("/")
        await window.go(f"/#{place}")
        await window.page.locator("main .screen").wait_for()
        await window.page.wait_for_load_state("networkidle")
        await window.page.evaluate(OPENED)
        found += await _looks_at(window, place)
    return found


async def _of_a_race(ada: Window, grace: Window, watcher: Window) -> list[str]:
    """From the lobby to the replay."""
    await watcher.go("/#friend")
    await watcher.press("Get the link")
    await watcher.stage("lobby")
    found = await _looks_at(watcher, "lobby")
    path = await meet(ada, grace)
    await watcher.go(path)
    await watcher.page.locator(".gallery figure").nth(1).wait_for()
    found += await _looks_at(watcher, "grid")
    *before, last = winning_line()
    await ada.plays(before)
    found += await _looks_at(ada, "race")
    await ada.type(last)
    await grace.press("Give up")
    found += await _looks_at(grace, "giving up")
    await grace.press("Yes, give up")
    await ada.page.locator(".result table").wait_for()
    found += await _looks_at(ada, "result")
    await ada.go("/")
    await ada.go("/#boards=617")
    await ada.page.locator("td button").first.wait_for()
    found += await _looks_at(ada, "the board of the deal")
    await ada.page.locator("td button").first.click()
    await ada.page.locator(".replay .card").first.wait_for()
    found += await _looks_at(ada, "replay")
    await ada.go("/")
    await ada.go("/#profile")
    await ada.page.locator(".board td button").first.wait_for()
    await ada.page.evaluate(OPENED)
    return found + await _looks_at(ada, "the profile of who has raced")


async def test_nothing_serious_is_found_on_any_screen(server: ServerProcess, chromium: Chromium) -> None:
    if not AXE.exists():
        missing("axe is not there: make check-axe fetches it")
    async with asyncio.timeout(WITHIN):
        ada, grace, watcher = await chromium.windows(server.url, 3)
        found = [*await _of_places(ada), *await _of_dialogs(ada), *await _of_a_race(ada, grace, watcher)]
        assert found == []
