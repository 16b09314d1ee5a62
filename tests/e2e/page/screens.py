"""Every screen of the page, as people come to it, in whatever language: what tests look at and pictures are taken of.

Each generator leads people from screen to screen and stops at each: its name, and the window that shows it."""

from collections.abc import AsyncGenerator
from typing import NamedTuple

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Window
from tests.support.lines import winning_line

LANGUAGES = ("en", "fr", "it", "nl", "uk")
SIZES = ((320, 568), (390, 844), (768, 1024), (1440, 900), (844, 390))
PLACES = ("deal=617", "friend", "watch", "boards", "boards=617", "daily", "profile")
LONG_NAME = "Konstantin W. Ziolkowski"  # as long as a name may be

# All that is behind a word.
_OPENED = """async () => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  await new Promise((done) => setTimeout(done)); // their contents are made when they are told
}"""


class Seen(NamedTuple):
    """A screen, and the window in which it is to be seen."""

    name: str
    window: Window


Screens = AsyncGenerator[Seen]


async def places(window: Window) -> Screens:
    """What the menu leads to, all that is behind a word told, and a link that leads nowhere."""
    for place in PLACES:
        await _come(window, f"/#{place}")
        await window.page.evaluate(_OPENED)
        yield Seen(place, window)
    await window.go("/r/kbjueza")
    await window.page.locator(".waiting .refused").wait_for()
    yield Seen("no such race", window)


async def dialogs(window: Window) -> Screens:
    await window.deals(617)
    await window.page.locator("button.menu").click()
    yield Seen("menu", window)
    for at, name in enumerate(("settings", "help")):
        if at:
            await window.page.locator("button.menu").click()
        await window.page.locator("dialog[open] .places button").nth(at).click()
        await window.page.locator(f"dialog[open] .{name}").wait_for()
        await window.page.evaluate(_OPENED)
        yield Seen(name, window)
        await window.page.keyboard.press("Escape")
    await window.page.locator(".tool-newDeal").click()
    await window.page.locator("dialog[open] #deal").wait_for()
    yield Seen("new deal", window)
    await window.page.keyboard.press("Escape")
    await window.page.locator("dialog").wait_for(state="detached")
    await window.plays(winning_line())
    await window.page.locator("dialog[open] .big").wait_for()
    yield Seen("won alone", window)


async def waits(window: Window) -> Screens:
    """For a friend, and for a stranger."""
    await window.go("/#friend")
    await window.presses("openRace")
    await window.stage("lobby")
    yield Seen("lobby", window)
    await _come(window, "/#quick")
    await window.stage("lobby")
    yield Seen("waiting for a stranger", window)


async def race(ada: Window, grace: Window, watcher: Window) -> Screens:
    """From the first cards to the replay: one wins, one gives up, one looks on."""
    path = await meet(ada, grace)
    yield Seen("race", grace)
    await watcher.go(path)
    await watcher.page.locator(".gallery figure").nth(1).wait_for()
    yield Seen("grid", watcher)
    *before, last = winning_line()
    await ada.plays(before)
    yield Seen("race nearly won", ada)
    await ada.type(last)
    await grace.page.locator(".tool-giveUp").click()
    yield Seen("giving up", grace)
    await grace.page.locator(".answers .danger").click()
    for name, window in (("result", ada), ("result of a spectator", watcher)):
        await window.page.locator(".result table").wait_for()
        yield Seen(name, window)
    await _come(ada, "/#boards=617")
    await ada.page.locator("td button").first.wait_for()
    yield Seen("board of the deal", ada)
    await ada.page.locator("td button").first.click()
    await ada.page.locator(".replay .card").first.wait_for()
    yield Seen("replay", ada)
    await _come(ada, "/#profile")
    await ada.page.locator(".board td button").first.wait_for()
    await ada.page.evaluate(_OPENED)
    yield Seen("profile of who has raced", ada)


async def done(home: Window, given_up: Window, elsewhere: Window) -> Screens:
    """One is home, one has given up, and one who still plays looks at another screen."""
    await meet(home, given_up, elsewhere)
    await home.plays(winning_line())
    await given_up.gives_up()
    for name, window in (("home first", home), ("given up", given_up)):
        await window.stage("done")
        await window.page.get_by_text(LONG_NAME).nth(1).wait_for()
        yield Seen(name, window)
    await elsewhere.page.locator(".brand").click()
    await elsewhere.page.locator("a.back:visible").wait_for()
    yield Seen("the way back", elsewhere)
    await elsewhere.page.reload()
    await elsewhere.page.locator(".own-races a").wait_for()
    yield Seen("own races", elsewhere)


async def _come(window: Window, path: str) -> None:
    """Another part of the same address alone would not load the page anew."""
    await window.go("/")
    await window.go(path)
    await window.page.locator("main .screen").wait_for()
    await window.page.wait_for_load_state("networkidle")
