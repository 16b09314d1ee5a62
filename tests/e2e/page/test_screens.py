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
LANGUAGES = ("en", "fr", "it", "nl", "uk")
SCREENS = ("/#deal=617", "/#friend", "/#watch", "/#boards", "/#daily", "/#profile")

LONG_NAME = "Konstantin W. Ziolkowski"  # as long as a name may be

# All that is behind a word.
OPENED = """async () => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  await new Promise((done) => setTimeout(done)); // their contents are made when they are told
}"""

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


@pytest.mark.parametrize(
    "locale", ["en", *(pytest.param(other, marks=pytest.mark.slow) for other in LANGUAGES[1:])]
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
            await window.page.evaluate(OPENED)
            for width, height in SIZES:
                await window.page.set_viewport_size({"width": width, "height": height})
                assert await window.page.evaluate(_WRONG) == [], f"{screen} at {width}"
        assert window.faults == []


async def _fits(window: Window, screen: str) -> None:
    for width, height in SIZES:
        await window.page.set_viewport_size({"width": width, "height": height})
        assert await window.page.evaluate(_WRONG) == [], f"{screen} at {width}"


async def _opens_the_settings(window: Window) -> None:
    await window.page.locator("button.menu").click()
    await window.page.locator("dialog[open] .places button").first.click()
    await window.page.locator("dialog[open] .settings").wait_for()
    await window.page.evaluate(OPENED)


@pytest.mark.slow
async def test_nothing_of_the_menu_and_the_settings_is_cut(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        for language in LANGUAGES:
            await window.speaks(language)
            await window.page.locator("button.menu").click()
            await _fits(window, f"menu in {language}")
            await window.page.keyboard.press("Escape")
            await _opens_the_settings(window)
            await _fits(window, f"settings in {language}")


@pytest.mark.slow
async def test_nothing_is_cut_from_the_lobby_to_the_replay(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, settings={"name": LONG_NAME})
        grace, watcher = await chromium.windows(server.url, 2)
        await watcher.go("/#friend")
        await watcher.press("Get the link")
        await watcher.stage("lobby")
        await _fits(watcher, "lobby")
        path = await meet(ada, grace)
        await _fits(grace, "race")
        await watcher.go(path)
        await watcher.page.locator(".gallery figure").nth(1).wait_for()
        await _fits(watcher, "grid")
        await ada.plays(winning_line())
        await grace.gives_up()
        for language in LANGUAGES:
            for window, who in ((ada, "player"), (watcher, "spectator")):
                await window.speaks(language)
                await window.page.locator(".result table").wait_for()
                await _fits(window, f"result of a {who} in {language}")
        await ada.page.locator("td button").first.click()
        await ada.page.locator(".replay .card").first.wait_for()
        await _fits(ada, "replay")
        assert [window.faults for window in (ada, grace, watcher)] == [[], [], []]


@pytest.mark.slow
async def test_nothing_is_cut_for_who_is_done_or_elsewhere(server: ServerProcess, chromium: Chromium) -> None:
    """One is home, one has given up, and one who still plays looks at another screen."""
    async with asyncio.timeout(WITHIN):
        home, given_up = await chromium.windows(server.url, 2)
        elsewhere = await chromium.window(server.url, settings={"name": LONG_NAME})
        await meet(home, given_up, elsewhere)
        await home.plays(winning_line())
        await given_up.gives_up()
        for language in LANGUAGES:
            for window, how in ((home, "home"), (given_up, "given up")):
                await window.speaks(language)
                await window.stage("done")
                await window.page.get_by_text(LONG_NAME).nth(1).wait_for()
                await _fits(window, f"who is {how}, in {language}")
            await elsewhere.speaks(language)
            await elsewhere.stage("play")
            await elsewhere.page.locator(".brand").click()
            await elsewhere.page.locator("a.back:visible").wait_for()
            await _fits(elsewhere, f"the way back in {language}")
            await elsewhere.page.locator("a.back").click()
        assert [window.faults for window in (home, given_up, elsewhere)] == [[], [], []]


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
