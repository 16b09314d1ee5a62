"""What is pressed is large enough for a finger, on phones of two widths; and what a result and a replay show there."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
_SMALL = """() => [...document.querySelectorAll('button, a[href], select, summary, input')]
  .filter((one) => one.checkVisibility() && !one.closest('card-table') && one.type !== 'checkbox')
  .map((one) => [one.textContent || one.id || one.className, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 40 || height < 40)
  .map(([name, { width, height }]) => `${name} ${Math.round(width)}x${Math.round(height)}`)"""
# How many beginnings and ends there are to the bars of those who race.
_BARS = """() => new Set([...document.querySelectorAll('.racer progress')]
  .map((one) => JSON.stringify([one.getBoundingClientRect().left, one.getBoundingClientRect().right]))).size"""
_CUT = """() => [...document.querySelectorAll('.status > :not([hidden])')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


async def _is_fit(window: Window, where: str) -> None:
    for width in (390, 320):
        await window.page.set_viewport_size({"width": width, "height": 844})
        small = [one for one in await window.page.evaluate(_SMALL) if not one.startswith("Others")]
        assert small == [], f"{where} at {width}"


async def _explains_what_is_exact(window: Window) -> None:
    """Where there is anything: on a quick machine the network takes nothing, and every time is exact."""
    exact = window.page.locator(".result .exact")
    told = window.page.get_by_text("Small under a time: what the network took")
    assert await told.count() == min(1, await exact.count())
    if await exact.count():
        words = exact.first.locator(".explained")
        small = await words.bounding_box()
        await exact.first.tap()
        large = await words.bounding_box()
        assert small is not None
        assert large is not None
        assert large["width"] > 80 > small["width"]
        assert "exact to" in await words.inner_text()


async def test_fingers_find_what_they_press(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844, phone=True)
        grace = await chromium.window(server.url, 390, 844)
        path = await meet(ada, grace)
        watcher = await chromium.window(server.url, 390, 844, phone=True)
        await watcher.go(path)
        await watcher.stage("watch")
        await watcher.sees("you are watching.")  # who came to sit down
        await watcher.page.locator(".gallery figure").nth(1).wait_for()
        await _is_fit(watcher, "looking on")
        await ada.plays(winning_line()[:-1])
        assert await ada.page.evaluate(_BARS) == 1
        await ada.plays(winning_line()[-1:])
        assert await grace.page.evaluate(_BARS) == 1
        await grace.gives_up()
        await ada.stage("ended")
        await _is_fit(ada, "the result")
        await ada.page.set_viewport_size({"width": 390, "height": 844})
        row = await ada.page.locator(".result tr").first.inner_text()
        assert f"{len(winning_line())} moves" in row
        await _explains_what_is_exact(ada)
        await ada.press("Replay")
        await ada.page.locator(".replay .card").first.wait_for()
        await _is_fit(ada, "a replay")
        assert await ada.page.evaluate(_CUT) == []
        await ada.press("Back to the result")
        await ada.stage("ended")
        for place in ("/#boards", "/#watch", "/#friend", "/#profile"):
            await grace.go(place)
            await grace.page.locator(".screen").wait_for()
            await _is_fit(grace, place)
        assert ada.faults == grace.faults == watcher.faults == []


# Taller ones of a table that is low would leave it no room; as wide as they are they are found.
_LOW = _SMALL.replace("width < 40 || height < 40", "height < 39.5")


async def test_fingers_find_what_they_press_on_a_phone_that_lies(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 844, 390, phone=True)
        await ada.deals(617)
        assert await ada.page.evaluate(_LOW) == []
        await ada.press("Menu")
        assert await ada.page.evaluate(_LOW) == []
        assert await ada.page.evaluate(_BORDERED) == 0
        await meet(ada, grace)
        assert await ada.page.evaluate(_LOW) == []
        assert await ada.page.evaluate("[document.scrollingElement.scrollHeight, scrollY]") == [390, 0]


_PLACES = (
    """() => [...document.querySelectorAll('.top .place')].filter((one) => one.checkVisibility()).length"""
)


_BORDERED = """() => [...document.querySelectorAll('.places > *')]
  .filter((one) => getComputedStyle(one).borderTopWidth !== '0px').length"""
_OVER = """() => {
  const { scrollWidth, clientWidth, clientHeight } = document.querySelector('.top');
  return [scrollWidth - clientWidth, clientHeight < 60];
}"""


@pytest.mark.parametrize("language", ["en", "fr", "it", "nl", "uk"])
async def test_a_wide_window_shows_every_place_and_where_one_is(
    server: ServerProcess, chromium: Chromium, language: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 1440, 900, settings={"language": language})
        for place, key in (("/", "practice"), ("/#boards", "boards"), ("/#friend", "raceFriend")):
            await ada.go(place)
            await ada.page.locator(f".place.{key}[aria-current=page]").wait_for()
            assert await ada.page.locator("[aria-current]").count() == 1
        assert await ada.page.evaluate(_PLACES) == 7
        for width in (1200, 1440):
            await ada.page.set_viewport_size({"width": width, "height": 900})
            assert await ada.page.evaluate(_OVER) == [0, True]
