"""Boards: their pages, one's own place, ratings; and the daily, which goes on while it is shown."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from cellrace_client import Client, connect
from tests.e2e.page.window import Chromium
from tests.e2e.test_players import raced, ranked
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.support.winning import won

pytestmark = pytest.mark.asyncio

WITHIN = 300
PLAYERS = 23


async def home(client: Client) -> None:
    """Race deal 617 alone, to the end."""
    race = await client.create(deal="617", seats=1, public=False, countdown_ms=0)
    race.ready()
    await race.until(lambda model: model.phase == "running")
    for move in winning_line():
        await race.move(move)


def _document(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.slow
async def test_the_results_of_the_day_come_by_themselves_and_so_does_the_next_day(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Grace") as grace:
        await server.dailies_chosen()
        window = await chromium.window(server.url)
        said = window.frames().said
        await window.page.clock.install()
        await window.go("/?json#daily")
        await window.sees("Play today's deal")
        await window.sees("Nothing here yet.")
        await won(await grace.dailies.play())
        await window.sees("Grace")
        link = window.page.locator(".board a").first
        await link.focus()
        await window.page.locator("select[aria-label='Ranked by, Classic']").select_option("moves")
        await link.filter(has_text="Grace").wait_for()
        await window.page.locator(".board td.time").filter(has_text="moves").wait_for()

        def asked() -> int:
            return sum(str(text).startswith('["daily"') for text in said)

        before = asked()
        await window.page.clock.fast_forward("24:00:05")
        while asked() == before:  # noqa: ASYNC110 - the page asks when its clock is moved
            await asyncio.sleep(0.05)
        assert window.faults == []


@pytest.mark.slow
async def test_any_page_of_a_board_and_the_rows_around_one_s_own(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(connect(server.url, name=f"Player {n:02}"))
            for n in range(PLAYERS)
        ]
        for player in players:
            await home(player)
        last = players[-1]
        window = await chromium.window(
            server.url, 320, 568, settings={"token": last.token, "name": last.name}
        )
        await window.go("/#boards=617")
        await window.sees(f"1 to 20 of {PLAYERS}")
        await window.sees(f"of {PLAYERS}: ahead of")
        assert await window.page.get_by_role("button", name="Previous").is_disabled()
        await window.press("Next")
        await window.sees(f"21 to {PLAYERS} of {PLAYERS}")
        await window.hears(f"21 to {PLAYERS}")
        assert await window.page.locator(".board tr").count() == PLAYERS - 20
        await window.press("Previous")
        await window.sees(f"1 to 20 of {PLAYERS}")
        await window.page.locator(".filters summary").click()  # folded, on so small a window
        await window.page.get_by_label("Sight of the deal").select_option("first")
        await window.sees("Nothing here yet.")  # who names a deal has seen it
        await window.page.get_by_label("Sight of the deal").select_option("practised")
        await window.sees(f"1 to 20 of {PLAYERS}")
        await window.page.get_by_label("Ranked by").select_option("moves")
        await window.page.locator("td.time .exact").first.wait_for()  # the time
        await window.page.get_by_label("Ranked by").select_option("time")
        await window.page.get_by_label("Rules").select_option("relaxed")
        await window.sees("Nothing here yet.")
        await window.page.get_by_label("Ranked by").select_option("score")
        await window.page.get_by_label("Rules").select_option("classic")
        await window.sees(f"1 to 20 of {PLAYERS}")
        assert await window.page.get_by_label("Ranked by").input_value() == "time"
        assert window.faults == []


@pytest.mark.slow
async def test_a_rating_comes_to_the_board_and_goes_with_all_that_is_kept(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        window = await chromium.window(server.url, settings={"token": ada.token, "name": "Ada"})
        number = 0
        for races, says in ((1, "provisional: "), (10, "Your place is 1 of 2")):
            while number < races:
                number += 1
                await ranked(ada, grace)
                await raced(ada, number)
            await window.go("/")
            await window.go("/#boards")
            await window.page.get_by_label("Which runs").select_option("ratings")
            await window.sees(says)
        await window.sees("10 ranked races")
        await window.page.locator(".board a").first.click()
        await window.sees("10 races · 10 wins · 10 finished runs")
        await window.sees("The last 10 races: from 1")
        assert await window.page.locator("svg.history path").get_attribute("d")
        await window.page.locator("summary").click()
        async with window.page.expect_download() as saved:
            await window.press("Save it as a file")
        whole = _document(await (await saved.value).path())
        assert (whole["name"], len(whole["runs"]), len(whole["rating_steps"])) == ("Ada", 10, 10)
        await window.press("Erase it all")
        await window.press("Yes, erase it all")
        await window.sees("All of it is erased.")
        await window.sees("Nothing is kept of you yet")
        assert await window.page.locator("h1").inner_text() == "Profile"
        await window.press("Save it as a file")
        await window.page.locator(".note").get_by_text("Nothing is kept of you yet").nth(1).wait_for()
        await window.until("() => JSON.parse(localStorage.cellrace).token")  # as somebody new
        assert await window.page.locator(".banner").is_hidden()
        await window.go("/")
        await window.go("/#profile")
        await window.sees("Nothing is kept of you yet")
        assert await window.page.evaluate("JSON.parse(localStorage.cellrace).token") not in ("", ada.token)
        assert window.faults == []


@pytest.mark.slow
async def test_who_waits_in_vain_races_the_stored_run_that_was_agreed_on(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        await ranked(ada, grace)
        await raced(ada, 1)
        window = await chromium.window(server.url, 320, 568)
        await window.go("/#quick")
        await window.stage("lobby")
        choice = window.page.get_by_role("combobox", name="If nobody comes")
        await choice.locator("option[value=ghost]").wait_for(state="attached")
        await choice.focus()
        await choice.select_option("ghost")
        await window.sees("about ten seconds, you race the stored run")  # the server has agreed
        await window.page.reload()
        await window.stage("lobby")
        assert await choice.input_value() == "ghost"
        await window.stage("play")
        await window.page.locator(".racer.ghost").filter(has_text="Ada").wait_for()
        assert window.faults == []


async def test_what_there_is_to_choose_has_a_name_and_an_empty_board_says_where_dailies_are(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.go("/#boards")
        for name in (
            "Which runs",
            "Ranked by",
            "Sight of the deal",
            "Players",
            "Rules",
            "Cells",
            "Deal number",
        ):
            await window.page.locator(".field span").filter(has_text=name).wait_for()
        await window.page.get_by_label("Which runs").select_option("ratings")
        await window.page.locator(".field").filter(has_text="Ranked by").wait_for(state="hidden")
        await window.page.get_by_label("Which runs").select_option("week")
        await window.sees("Runs of the daily deal are on its own board")
        await window.press("today's board")
        await window.until("() => location.hash === '#daily'")
        assert window.faults == []


@pytest.mark.slow
async def test_what_is_chosen_on_the_board_is_folded_where_it_would_fill_the_window(
    server: ServerProcess, chromium: Chromium
) -> None:
    """And who finds nobody there is led to the races that count."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 320, 640, phone=True)
        await window.go("/#boards")
        await window.sees("Finished ranked races come here:")
        scopes = window.page.get_by_role("combobox", name="Which runs")
        assert not await scopes.is_visible()
        await window.page.locator(".filters summary").tap()
        assert await scopes.is_visible()
        await window.page.set_viewport_size({"width": 390, "height": 844})
        assert not await window.page.locator(".filters summary").is_visible()
        assert await scopes.is_visible()
        await window.page.locator("main a").filter(has_text="Ranked race").tap()
        await window.stage("lobby")
        assert window.faults == []
