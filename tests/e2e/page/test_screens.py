"""Every screen, from a small phone to a wide desk: nothing sticks out, nothing is cut, nothing goes wrong."""

import asyncio

import pytest

from tests.e2e.page import screens
from tests.e2e.page.screens import LANGUAGES, LONG_NAME, SIZES, Screens
from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 300

# A page that scrolls, what is wider than the window, what does not show all of its text, buttons and links that lie on
# each other, and words of theirs that are broken in two.
_WRONG = """() => {
  const apart = 'card-table, .unseen, svg, option';
  const front = document.querySelector('dialog[open]') ?? document.body;
  const shown = [...front.querySelectorAll('*')].filter((one) => !one.closest(apart));
  const boxes = shown.map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  const out = boxes.filter(([, box]) => box.right > innerWidth + 1 || box.left < -1);
  const pressed = boxes.filter(([one]) => one.matches('button, a'));
  const told = boxes.filter(([one]) => one.matches('button, a, .name, figcaption, td, h1, h2, p, .result, .lobby'));
  const cut = told.filter(([one]) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const kin = (one, other) => one.contains(other) || other.contains(one);
  const over = pressed.filter(([one, a]) => pressed.some(([other, b]) => !kin(one, other) && meet(a, b)));
  const isWhole = (node, word) => {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size < 2;
  };
  const texts = (one) => [...one.childNodes].flatMap((node) => (node.nodeType === 3 ? [node] : texts(node)));
  const isBroken = (node) => [...node.data.matchAll(/[^\\s-]+/g)].some((word) => !isWhole(node, word));
  const broken = pressed.filter(([one]) => !one.closest('td') && texts(one).some(isBroken));
  const { scrollWidth, scrollHeight } = document.documentElement;
  const page = scrollWidth > innerWidth || scrollHeight > innerHeight ? [[document.documentElement]] : [];
  return Object.entries({ page, out, cut, over, broken })
    .flatMap(([why, found]) => found.map(([one]) => `${why}: ${one.tagName} ${one.className} ${one.textContent}`));
}"""


async def _fit(shown: Screens) -> None:
    async for name, window in shown:
        for width, height in SIZES:
            await window.page.set_viewport_size({"width": width, "height": height})
            assert await window.page.evaluate(_WRONG) == [], f"{name} at {width}"
        assert window.faults == [] or name == "no such race"


_languages = pytest.mark.parametrize("locale", LANGUAGES)


@pytest.mark.parametrize(
    "locale", ["en", *(pytest.param(other, marks=pytest.mark.slow) for other in LANGUAGES[1:])]
)
async def test_nothing_is_cut_or_lies_on_another(
    server: ServerProcess, chromium: Chromium, locale: str
) -> None:
    async with asyncio.timeout(WITHIN):
        await _fit(screens.places(await chromium.window(server.url, locale=locale)))


@pytest.mark.slow
@_languages
async def test_nothing_of_dialogs_and_lobbies_is_cut(
    server: ServerProcess, chromium: Chromium, locale: str
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, locale=locale)
        await _fit(screens.dialogs(window))
        await _fit(screens.waits(window))


@pytest.mark.slow
@_languages
async def test_nothing_is_cut_from_the_first_cards_to_the_replay(
    server: ServerProcess, chromium: Chromium, locale: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, locale=locale, settings={"name": LONG_NAME})
        await _fit(screens.race(ada, *await chromium.windows(server.url, 2, locale=locale)))


@pytest.mark.slow
@_languages
async def test_nothing_is_cut_for_who_is_done_or_elsewhere(
    server: ServerProcess, chromium: Chromium, locale: str
) -> None:
    async with asyncio.timeout(WITHIN):
        home, given_up = await chromium.windows(server.url, 2, locale=locale)
        elsewhere = await chromium.window(server.url, locale=locale, settings={"name": LONG_NAME})
        await _fit(screens.done(home, given_up, elsewhere))


@pytest.mark.slow
async def test_boards_and_dailies_are_shown(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await server.dailies_chosen()
        await window.go("/#boards")
        await window.sees("Nothing here yet.")
        await window.sees("best run in ranked races")
        await window.page.get_by_label("Deal number or code").fill("617")
        await window.page.keyboard.press("Enter")
        await window.sees("best run on this deal")
        assert await window.page.get_by_label("Which runs").input_value() == "deal"
        await window.go("/#daily")
        await window.sees("Play today's deal")
        await window.sees("0 days in a row")
        await window.sees("Pocket, 2 cells")
        await window.go("/#watch")
        await window.sees("No public race just now.")
