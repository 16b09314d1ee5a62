"""The terms of a race that one opens, and a series under them."""

import asyncio

import pytest

from cellrace_client import RequestFailed, connect
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.support.wire_client import wire_client

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300


async def test_a_series_is_opened_for_all_and_its_score_is_told(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as stranger:
        ada = await chromium.window(server.url, 320, 568, settings={"name": "Ada"})
        grace = await chromium.window(server.url, settings={"name": "Grace"})
        await ada.go("/#friend")
        await ada.page.locator("summary").click()
        deal, ranked = ada.page.locator("#with-deal"), ada.page.get_by_role("checkbox", name="Ranked")
        await deal.fill("FC1-C2-AAAAATJ")
        await ada.sees("another number of cells")
        await ada.press("Get the link")
        assert await deal.evaluate("(one) => one === document.activeElement"), (
            "there is no race as long as that is so"
        )
        await deal.fill("617")
        assert await ranked.is_disabled()
        await ada.page.get_by_role("combobox", name="Series").select_option("3")
        await ada.page.get_by_role("combobox", name="Who can come").select_option("all")
        await ada.page.get_by_role("combobox", name="Time limit").select_option("5")
        await ada.press("Get the link")
        await ada.stage("lobby")
        await ada.sees("Race 1, best of 3")
        await ada.sees("Time limit: 5 minutes")
        link = await ada.page.locator("input.link").input_value()
        (row,) = (await stranger.ask("races"))[2]
        assert link.endswith(row[0])
        await grace.go(link.removeprefix(ada.url))
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")
        await ada.plays(winning_line())
        await grace.gives_up()
        for window in (ada, grace):
            await window.sees("Race 1, best of 3 — Ada 1 : 0 Grace")
        await ada.press("Next race")
        for window in (ada, grace):
            await window.sees("Race 2, best of 3 — Ada 1 : 0 Grace")
        assert ada.faults == grace.faults == []


async def test_the_point_of_who_has_left_a_series_outlives_a_reload_and_a_closed_tab(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, settings={"name": "Ada"})
        grace = await chromium.window(server.url, 390, 844, settings={"name": "Grace"})
        await ada.go("/#friend")
        await ada.page.locator("summary").click()
        await ada.page.locator("#with-deal").fill("617")
        await ada.page.get_by_role("combobox", name="Series").select_option("3")
        await ada.press("Get the link")
        await ada.stage("lobby")
        link = await ada.page.locator("input.link").input_value()
        await grace.go(link.removeprefix(ada.url))
        await grace.press("I'm ready")
        await grace.stage("play")
        await grace.plays(winning_line())
        await ada.gives_up()
        await grace.stage("ended")
        await grace.press("Replay")
        await ada.press("Next race")
        await grace.press("Not now")
        await ada.page.locator(".racer").filter(has_text="free seat").wait_for()
        stands = "Race 2, best of 3 — Ada 0 : 1 Grace"
        await ada.sees(stands)
        await ada.page.reload()
        await ada.sees(stands)
        await ada.page.close()
        ada = Window(ada.context, await ada.context.new_page(), ada.url)
        await ada.go()
        await ada.press("open")
        await ada.sees(stands)
        assert ada.faults == grace.faults == []


async def test_a_new_key_signs_out_who_has_seen_the_old_one(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as elsewhere:
        window = await chromium.window(server.url, settings={"token": elsewhere.token, "name": "Ada"})
        await window.go("/#friend")
        await window.press("Get the link")  # what was not stored before is now
        await window.stage("lobby")
        tab = Window(window.context, await window.context.new_page(), server.url)
        await tab.page.goto(f"{window.url}/#profile")
        await tab.sees("0 races")
        await window.page.locator("button.menu").click()
        await window.press("Settings")
        await window.page.locator("dialog summary").press("Enter")  # no second tap in the place of the first
        await window.press("Take a new key")
        await window.sees("You have a new key")
        kept = await window.page.evaluate("JSON.parse(localStorage.cellrace).token")
        assert kept != elsewhere.token
        async with connect(server.url, token=kept) as again:
            assert again.player == elsewhere.player
        with pytest.raises(RequestFailed, match="revoked"):
            async with connect(server.url, token=elsewhere.token):
                pass
        await tab.page.locator("a.place.boards").click()
        await tab.page.locator("a.brand").click()
        await tab.page.goto(f"{window.url}/#profile")
        await tab.page.reload()
        await tab.sees("0 races")
        assert await tab.page.evaluate("JSON.parse(localStorage.cellrace).token") == kept
        assert window.faults == tab.faults == []


async def test_another_name_is_asked_about_and_the_same_one_changes_nothing(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Whoever says yes is a new player, and becomes the old one again by the key alone."""
    async with asyncio.timeout(WITHIN):
        token = "JSON.parse(localStorage.cellrace).token"
        window = await chromium.window(server.url, settings={"name": "Ada"})
        other = await chromium.window(server.url)
        await meet(window, other)
        for one in (window, other):
            await one.gives_up()
        await window.stage("ended")
        mine = str(await window.page.evaluate(token))
        await window.go("/#profile")
        await window.sees("1 race")
        await window.press("Save")
        await window.sees("Saved")
        assert await window.page.evaluate(token) == mine
        await window.page.locator("#name").fill("Grace")
        await window.press("Save")
        await window.sees("only the key, from the settings, makes you Ada again")
        await window.press("No")
        assert await window.page.evaluate(token) == mine
        assert await window.page.locator("#name").input_value() == "Ada"
        await window.page.locator("#name").fill("Grace")
        await window.press("Save")
        await window.press("Begin as a new player")
        await window.sees("Saved")
        await window.until("(old) => JSON.parse(localStorage.cellrace).token !== old", mine)
        assert window.faults == []


_IN_SIGHT = """(one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && document.elementFromPoint(innerWidth / 2, (top + bottom) / 2) === one;
}"""


async def test_the_link_is_in_reach_below_all_options(server: ServerProcess, chromium: Chromium) -> None:
    """And one is told which bots come to a race that is on no list."""
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844, phone=True)
        await ada.go("/#friend")
        await ada.page.locator("summary").tap()
        await ada.page.get_by_role("combobox", name="Spectators see it").scroll_into_view_if_needed()
        assert await ada.page.get_by_role("button", name="Get the link").evaluate(_IN_SIGHT)
        note = ada.page.get_by_text("Bots of the house come to races on the list only")
        assert not await note.is_visible()
        await ada.page.get_by_role("checkbox", name="Bots may sit down").check()
        assert await note.is_visible()
        await ada.page.get_by_role("combobox", name="Who can come").select_option("all")
        assert not await note.is_visible()
        assert ada.faults == []
