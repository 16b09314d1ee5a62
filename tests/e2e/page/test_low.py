"""Windows as low as a page that is enlarged to 400 % leaves them: cards stay large, and one scrolls to them."""

import asyncio

import pytest

from tests.e2e.page.screens import LANGUAGES
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120
LOW = ((320, 256), (320, 200), (320, 400), (568, 232), (480, 270))
USUAL = ((320, 568), (390, 844), (568, 320), (844, 390), (1024, 768))
LEAST = 28
_WIDTH = "Math.min(...[...document.querySelectorAll('card-table')].map((one) => one.laid.width))"
# How far there is to scroll: the screen down, and what should not, the document.
_SCROLL = """() => {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.querySelector('.screen');
  const page = document.scrollingElement;
  return [
    ...[scrollHeight - clientHeight, scrollWidth - clientWidth],
    ...[page.scrollHeight - innerHeight, page.scrollWidth - innerWidth],
  ];
}"""
_TOP = "document.querySelector('.screen').scrollTop"
# Whether what is pressed there is in sight once one has scrolled to it.
_IN_SIGHT = """(selector) => {
  const one = document.querySelector(selector);
  one.scrollIntoView({ block: 'nearest' });
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return one.contains(seen) && bottom <= innerHeight + 1 && right <= innerWidth;
}"""


_IN_ONE_LINE = (
    "[...document.querySelectorAll('.tool .word')].every((one) => one.getClientRects()[0].height < 16)"
)


async def _is_usable(window: Window) -> None:
    for width, height in LOW:
        await window.page.set_viewport_size({"width": width, "height": height})
        await window.until(f"(least) => {_WIDTH} >= least", LEAST)
        down, across, *page = await window.page.evaluate(_SCROLL)
        assert down > 0, (width, height)
        assert [across, *page] == [0, 0, 0], (width, height)
        assert await window.page.evaluate(_IN_SIGHT, ".tools button:not(:disabled)"), (width, height)


async def test_cards_of_a_low_window_can_be_hit_and_scrolled_to(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await ada.deals(617)
        await _is_usable(ada)
        path = await meet(ada, grace, open_boards=True)
        await _is_usable(ada)
        watcher = await chromium.window(server.url, 320, 256)
        await watcher.go(path)
        await watcher.page.locator("figure card-table").nth(1).wait_for()
        assert await watcher.page.evaluate(_WIDTH) >= LEAST
        await ada.plays(winning_line())
        await grace.page.set_viewport_size({"width": 1024, "height": 768})
        await grace.gives_up()
        await ada.stage("ended")
        await ada.go(f"/#replay={path[3:]}-0")
        await ada.page.locator(".replay .card").first.wait_for()
        await _is_usable(ada)


async def test_who_drags_does_not_scroll_and_keys_go_where_one_is(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 320, 256, phone=True)
        await ada.deals(617)
        await ada.until(f"(least) => {_WIDTH} >= least", LEAST)
        await ada.page.evaluate(f"document.querySelector('.screen').scrollTop = 44; {_TOP}")
        line = winning_line()
        await ada.touch(line[0])
        await ada.made(1)
        await ada.drag(line[1])
        await ada.made(2)
        assert await ada.page.evaluate(_TOP) == 44
        await ada.page.evaluate(f"document.querySelector('.screen').scrollTop = 0; {_TOP}")
        await ada.page.locator("card-table [tabindex='0']").focus()
        for key in ("Home", "End", "ArrowRight", "End"):
            await ada.page.keyboard.press(key)
            bottom, top = await ada.page.evaluate(
                "(({ bottom, top }) => [bottom, top])(document.activeElement.getBoundingClientRect())"
            )
            assert 0 <= top < bottom <= 256 + 1, key


async def test_windows_of_the_usual_sizes_need_no_scrolling(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await ada.deals(617)
        for _ in range(2):
            for width, height in USUAL:
                await ada.page.set_viewport_size({"width": width, "height": height})
                assert await ada.page.evaluate(_SCROLL) == [0, 0, 0, 0], (width, height)
            if await ada.page.locator(".screen.practice").count():
                await meet(ada, grace)


async def test_who_races_is_beside_the_board_of_a_low_window(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 568, 320)
        await meet(ada, grace)
        await ada.until(f"(least) => {_WIDTH} >= least", LEAST)
        for language in LANGUAGES:
            await ada.speaks(language)
            await ada.stage("play")
            assert await ada.page.evaluate(_IN_ONE_LINE), language
            for one in (".racer.mine", ".racer:not(.mine)", ".status .time"):
                assert await ada.page.evaluate(_IN_SIGHT, one), (language, one)
