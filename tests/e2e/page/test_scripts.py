"""Names in scripts that go from right to left, wherever the page shows them."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120
ADA, GRACE = "\u05d0\u05d3\u05d4", "\u062c\u0631\u064a\u0633 3"

# All that is shown or told and has a name beside something else, by itself or not.
_BESIDE = """(names) => {
  const texts = [...document.querySelectorAll('body *')].flatMap((one) => [
    ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent),
    ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
  ]);
  return texts.filter((text) => names.some((name) => text.includes(name)) && !names.includes(text));
}"""
# Where a text begins and ends on the screen.
_PLACES = """([selector, parts]) => {
  const node = document.querySelector(selector).firstChild;
  return parts.map((part) => {
    const range = document.createRange();
    range.setStart(node, node.data.indexOf(part));
    range.setEnd(node, node.data.indexOf(part) + part.length);
    return range.getBoundingClientRect().left;
  });
}"""


async def _assert_isolated(window: Window) -> None:
    found: list[str] = await window.page.evaluate(_BESIDE, [ADA, GRACE])
    for text in found:
        bare = text.replace(f"\u2068{ADA}\u2069", "").replace(f"\u2068{GRACE}\u2069", "")
        assert ADA not in bare, text
        assert GRACE not in bare, text


async def test_a_name_from_right_to_left_turns_nothing_round(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = [await chromium.window(server.url, settings={"name": name}) for name in (ADA, GRACE)]
        watcher = await chromium.window(server.url)
        path = await meet(ada, grace)
        await watcher.go(path)
        await watcher.stage("watch")
        await watcher.page.locator("figcaption").filter(has_text=GRACE).wait_for()
        parts = [GRACE, "0 moves"]
        places = await watcher.page.evaluate(_PLACES, [".gallery figure:nth-child(2) figcaption", parts])
        assert places == sorted(places), "the moves are right of the name"
        for window in (ada, watcher):
            await _assert_isolated(window)
        await ada.plays(winning_line())
        await ada.stage("done")
        await _assert_isolated(ada)
        await grace.gives_up()
        for window in (ada, grace, watcher):
            await window.stage("ended")
            await _assert_isolated(window)
        await ada.press("Rematch")
        await grace.stage("lobby")
        await grace.sees("wants to race again")
        for window in (ada, grace):
            await _assert_isolated(window)
        for place in ("/#boards=617", "/#watch", "/#friend", "/#profile", f"/g/{path[3:]}-0"):
            await watcher.go("/")
            await watcher.go(place)
            await watcher.page.wait_for_load_state("networkidle")
            await _assert_isolated(watcher)
        assert ada.faults == grace.faults == []
