"""Going from place to place: what stays, what begins, and what the way back leads to."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 300

# How many listeners the window has, in `listening()`.
_COUNTING = """{
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const held = new Set();
  window.listening = () => [...held].filter(({ signal }) => !signal?.aborted).length;
  window.addEventListener = function (kind, run, options) {
    held.add({ kind, run, signal: options?.signal });
    return add.call(window, kind, run, options);
  };
  window.removeEventListener = function (kind, run, options) {
    for (const one of held) if (one.kind === kind && one.run === run) held.delete(one);
    return remove.call(window, kind, run, options);
  };
}"""


@pytest.mark.slow
async def test_a_screen_that_is_opened_again_goes_on_hearing(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        here, there = await chromium.windows(server.url, 2)
        await here.go("/#watch")
        await here.sees("No public race just now.")
        await here.press("Watch")
        await here.sees("No public race just now.")
        await there.go("/#quick")
        await there.stage("lobby")
        await here.page.locator(".list .entry").wait_for()
        assert here.faults == there.faults == []


# The ways that are to be seen without scrolling.
_WAYS = """() => [...document.querySelectorAll('.top .place')].filter((one) => {
  const { width, bottom, right } = one.getBoundingClientRect();
  return width > 0 && bottom <= innerHeight && right <= innerWidth;
}).length"""


async def test_all_ways_are_to_be_seen_on_a_phone_but_in_a_race(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        for width, height in ((320, 568), (390, 844), (768, 1024), (844, 390), (667, 375)):
            await window.page.set_viewport_size({"width": width, "height": height})
            assert await window.page.evaluate(_WAYS) == 7, width
        await window.page.set_viewport_size({"width": 568, "height": 320})
        await window.page.get_by_text("Menu").click()  # which says so where there is no room for them
        await window.page.keyboard.press("Escape")
        await window.page.set_viewport_size({"width": 390, "height": 844})
        await window.press("Quick race")
        await window.stage("lobby")
        assert await window.page.evaluate(_WAYS) == 1


async def test_a_deal_that_is_asked_for_goes_on_where_it_was(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.type("2a")
        moved = await window.board()
        await window.page.reload()
        await window.sees("#617")
        assert await window.board() == moved
        await window.deals(618)
        assert await window.moves() == 0


async def test_a_table_that_is_left_listens_no_more(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.add_init_script(_COUNTING)
        await window.go("/#friend")
        await window.sees("Get the link")
        listening = await window.page.evaluate("listening()")
        for _ in range(2):
            await window.press("Practice")
            await window.page.locator("card-table .card").first.wait_for()
            assert await window.page.evaluate("listening()") > listening
            await window.press("Race a friend")
            await window.sees("Get the link")
            assert await window.page.evaluate("listening()") == listening


async def test_what_was_said_of_a_screen_is_gone_with_it(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.type("2a")
        await window.hears("Moved 2a")
        await window.press("Race a friend")
        await window.sees("Get the link")
        assert await window.hears("") == ""
        await window.press("Practice")
        await window.type("u")
        await window.page.keyboard.press("3")
        await window.page.evaluate("location.hash = '#friend'")  # before what has time has been said
        await window.sees("Get the link")
        await window.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert await window.hears("") == ""


@pytest.mark.slow
async def test_the_way_back_from_a_quick_race_leads_out_of_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.go("/")
        await window.press("Quick race")
        await window.stage("lobby")
        await window.page.go_back()
        await window.sees("Practice")
        assert await window.page.evaluate("location.href") == f"{window.url}/"


@pytest.mark.slow
async def test_a_seat_is_left_once(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        said = window.frames().said
        await window.go("/?json#friend")
        await window.press("Get the link")
        await window.stage("lobby")
        await window.press("Leave")
        await window.press("Watch")
        await window.sees("No public race just now.")
        assert [text for text in said if str(text).startswith('["leave"')] == ['["leave",0]']


@pytest.mark.slow
async def test_the_list_of_races_is_asked_for_once(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        said = window.frames().said
        await window.go("/?json#watch")
        await window.sees("No public race just now.")
        await window.press("Daily deal")
        await window.sees("Play today's deal")
        assert [text[:9] for text in map(str, said) if "follow" in text] == ['["follow"', '["unfollo']


@pytest.mark.slow
async def test_the_lobby_stays_as_it_is_where_nothing_in_it_changes(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        here, there, watcher = await chromium.windows(server.url, 3)
        await here.go("/#friend")
        await here.press("Get the link")
        await here.stage("lobby")
        path = (await here.page.locator("input.link").input_value()).removeprefix(here.url)
        await there.go(path)
        await there.stage("lobby")
        await here.sees("Waiting for")
        ready = here.page.locator(".lobby button").filter(has_text="Not ready after all")
        await ready.focus()
        await watcher.go(path)
        await here.sees("1 spectator")
        assert await ready.evaluate("(one) => one === document.activeElement")


@pytest.mark.slow
async def test_strangers_race_for_rank(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as stranger:
        window = await chromium.window(server.url)
        await window.go("/#ranked")
        await window.stage("lobby")
        _, _, channel, *_ = await stranger.ask("quick", "classic", True)
        await stranger.say(["look", channel])
        snapshot = await stranger.hear_until("snap")
        assert [bool(seat[0]) for seat in snapshot[19]] == [True, True]
        await window.stage("countdown")
        assert window.faults == []


_LABEL = """() => {
  const label = document.querySelector('.status .label');
  const { width, height, right } = label.getBoundingClientRect();
  return width > 0 && height > 0 && label.scrollWidth <= label.clientWidth && right <= innerWidth;
}"""


@pytest.mark.slow
async def test_practice_is_named_unranked_at_every_width_and_promises_nothing_of_a_race(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        for language, said in (
            ("en", "unranked"),
            ("fr", "non classé"),
            ("it", "senza classifica"),
            ("nl", "telt niet"),
            ("uk", "без рейтингу"),
        ):
            await window.go("/")
            await window.speaks(language)
            await window.sees(said)
            for width in (320, 360, 390, 768, 1440):
                await window.page.set_viewport_size({"width": width, "height": 568})
                assert await window.page.evaluate(_LABEL), f"{language} at {width}"
        await window.speaks("en")
        await window.go("/#watch")
        await window.sees("No public race")
        await window.context.set_offline(True)
        await window.sees("No connection. Trying again")
        await window.page.locator(".brand").click()
        await window.sees("practice needs none")
        assert await window.page.get_by_text("Your moves are kept").count() == 0


_LOOK = """(looks) => {
  Object.defineProperty(document, 'hidden', { value: !looks, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.mark.slow
async def test_a_host_who_looks_elsewhere_is_told_by_the_tab(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url)
        grace = await chromium.window(server.url, settings={"name": "Grace"})
        await ada.go("/#friend")
        await ada.press("Get the link")
        await ada.stage("lobby")
        usual = await ada.page.title()
        link = await ada.page.locator("input.link").input_value()
        await ada.page.evaluate(_LOOK, arg=False)
        await grace.go(link.removeprefix(grace.url))
        await ada.until("() => document.title.startsWith('Grace')")
        await grace.press("I'm ready")
        await ada.until("() => document.title.startsWith('It begins')")
        await ada.until("() => document.title.startsWith('The race runs')")
        await ada.page.evaluate(_LOOK, arg=True)
        assert await ada.page.title() == usual
        assert ada.faults == []
