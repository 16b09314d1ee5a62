"""Every screen, from a small phone to a wide desk: nothing sticks out, nothing is cut, nothing goes wrong."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 300
SIZES = ((320, 568), (390, 844), (768, 1024), (1440, 900), (844, 390))
SCREENS = ("/#deal=617", "/#friend", "/#watch", "/#boards", "/#daily", "/#profile")

# A page that scrolls, what is wider than the window, and buttons and links that are wider than they may be or lie
# on each other.
_WRONG = """() => {
  const apart = 'card-table, .unseen, svg, option';
  const shown = [...document.querySelectorAll('body *')].filter((one) => !one.closest(apart));
  const boxes = shown.map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  const out = boxes.filter(([, box]) => box.right > innerWidth + 1 || box.left < -1);
  const pressed = boxes.filter(([one]) => one.matches('button, a'));
  const cut = pressed.filter(([one]) => one.scrollWidth > one.clientWidth + 1 && !one.matches('.place'));
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const kin = (one, other) => one.contains(other) || other.contains(one);
  const over = pressed.filter(([one, a]) => pressed.some(([other, b]) => !kin(one, other) && meet(a, b)));
  const { scrollWidth, scrollHeight } = document.documentElement;
  const page = scrollWidth > innerWidth || scrollHeight > innerHeight ? [[document.documentElement]] : [];
  return [...page, ...out, ...cut, ...over].map(([one]) => `${one.tagName} ${one.className} ${one.textContent}`);
}"""


@pytest.mark.parametrize(
    "locale", ["en", *(pytest.param(other, marks=pytest.mark.slow) for other in ("fr", "it", "nl", "uk"))]
)
async def test_nothing_is_cut_or_lies_on_another(
    server: ServerProcess, chromium: Chromium, locale: str
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, locale=locale)
        for screen in SCREENS:
            await window.go("/")
            await window.go(screen)
            await window.page.locator("main .screen").wait_for()
            await window.page.wait_for_load_state("networkidle")
            for width, height in SIZES:
                await window.page.set_viewport_size({"width": width, "height": height})
                assert await window.page.evaluate(_WRONG) == [], f"{screen} at {width}"
        assert window.faults == []


async def _fits(window: Window, screen: str) -> None:
    for width, height in SIZES:
        await window.page.set_viewport_size({"width": width, "height": height})
        assert await window.page.evaluate(_WRONG) == [], f"{screen} at {width}"


@pytest.mark.slow
async def test_nothing_is_cut_from_the_lobby_to_the_replay(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace, watcher = [await chromium.window(server.url) for _ in range(3)]
        await watcher.go("/#friend")
        await watcher.press("Get the link")
        await watcher.stage("lobby")
        await _fits(watcher, "lobby")
        path = await meet(ada, grace)
        await _fits(grace, "race")
        await watcher.go(path)
        await watcher.page.locator(".gallery figure").nth(1).wait_for()
        await _fits(watcher, "grid")
        for move in winning_line():
            await ada.type(move)
        await grace.press("Give up")
        await grace.press("Yes, give up")
        await ada.page.locator(".result table").wait_for()
        await _fits(ada, "result")
        await ada.press("Replay")
        await ada.page.locator(".replay .card").first.wait_for()
        await _fits(ada, "replay")
        assert [window.faults for window in (ada, grace, watcher)] == [[], [], []]


@pytest.mark.slow
async def test_boards_and_dailies_are_shown(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await server.dailies_chosen()
        await window.go("/#boards")
        await window.sees("Nothing here yet.")
        await window.go("/#daily")
        await window.sees("Play today's deal")
        await window.sees("0 days in a row")
        await window.go("/#watch")
        await window.sees("No public race just now.")
