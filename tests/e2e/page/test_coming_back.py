"""Pages that come back to a race which another device of the same person plays by now, or another window shows."""

import asyncio

import pytest

from tests.e2e.page.devices import closes, next_tab, no_network, two_devices
from tests.e2e.page.test_own_races import another_tab
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120
_LATE = "() => { const now = Date.now; Date.now = () => now() + 60_000; }"
_KEPT = "() => Object.values(localStorage).some((text) => text.includes('unsaid\":[{'))"
_MISSING = "may be missing: the race went on without"


def _is_refused(frame: str | bytes) -> bool:
    return isinstance(frame, bytes) and b"taken_over" in frame


@pytest.mark.parametrize("unsent", [0, 2])
async def test_a_page_that_is_loaded_without_a_network_leaves_the_race_to_the_device_that_plays(
    server: ServerProcess, chromium: Chromium, unsent: int
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, _, phone = await two_devices(server, chromium)
        await no_network(laptop)
        await laptop.plays(winning_line()[1 : 1 + unsent])
        await laptop.made(1 + unsent)
        for _ in range(2):
            await laptop.page.reload()
            await laptop.sees("No connection")
        await phone.page.goto(laptop.page.url)
        await phone.stage("play")
        await phone.plays(winning_line()[1:2])
        await phone.settled()
        await laptop.context.set_offline(False)
        await laptop.stage("taken")
        await laptop.page.reload()
        await laptop.stage("taken")
        await phone.plays(winning_line()[2:4])
        await phone.settled()
        await phone.stage("play")
        await laptop.press("Play here")
        await laptop.stage("play")
        await laptop.made(4)
        told = await laptop.page.get_by_text(f"{unsent} moves of yours {_MISSING} them").count()
        assert bool(told) == bool(unsent)
        await phone.stage("taken")
        assert phone.faults == []


async def test_a_page_that_slept_through_a_result_leaves_the_rematch_to_the_device_that_plays_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, grace, phone = await two_devices(server, chromium)
        await laptop.gives_up()
        await grace.gives_up()
        await laptop.stage("ended")
        await no_network(laptop)
        await phone.page.goto(laptop.page.url)
        await phone.stage("ended")
        await grace.press("Rematch")
        await phone.stage("lobby")
        await phone.press("I'm ready")  # who asks for a rematch is
        await phone.stage("play")
        async with laptop.page.expect_websocket() as opened:
            await laptop.context.set_offline(False)
        await (await opened.value).wait_for_event("framereceived", _is_refused)
        await phone.type("2a")
        await phone.settled()
        await phone.stage("play")
        await laptop.stage("ended")


async def test_a_result_is_there_in_two_tabs(server: ServerProcess, chromium: Chromium) -> None:
    """From either one can race again, and neither says that one plays elsewhere."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        for each in (ada, grace):
            await each.gives_up()
        await ada.stage("ended")
        tab = await another_tab(ada, ada.page.url.removeprefix(grace.url))
        await tab.stage("ended")
        await ada.context.set_offline(True)
        await ada.context.set_offline(False)
        await tab.stage("ended")
        await ada.stage("ended")
        await ada.press("Rematch")
        await ada.stage("lobby")
        await grace.press("I'm ready")
        for each in (ada, grace):
            await each.stage("play")


async def test_a_race_that_another_tab_has_ended_is_no_race_of_ones_own_any_more(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        tab = await another_tab(ada, ada.page.url.removeprefix(grace.url))
        await tab.stage("play")
        await ada.stage("taken")
        await ada.page.locator(".brand").click()
        await ada.page.locator(".own-races a").wait_for()
        for each in (tab, grace):
            await each.gives_up()
        await tab.stage("ended")
        await ada.page.locator("header a:visible").filter(has_text="Best times").first.click()
        await ada.page.locator(".board").first.wait_for()
        await ada.page.locator(".brand").click()
        await ada.page.locator(".screen.practice").wait_for()
        assert await ada.page.locator(".own-races:visible").count() == 0
        await ada.page.go_back()
        await ada.page.go_back()
        await ada.page.go_back()
        await ada.stage("ended")
        await tab.stage("ended")


async def test_moves_that_came_too_late_for_a_race_are_told_with_its_result(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, grace, phone = await two_devices(server, chromium)
        await no_network(laptop)
        await laptop.plays(winning_line()[1:3])
        await laptop.made(3)
        await phone.page.goto(laptop.page.url)
        await phone.stage("play")
        for each in (phone, grace):
            await each.gives_up()
        await phone.stage("ended")
        await laptop.context.set_offline(False)
        await laptop.stage("ended")
        await laptop.sees(f"2 moves of yours {_MISSING} them")


async def test_behind_an_undo_that_cannot_be_shown_no_card_moves(
    server: ServerProcess, chromium: Chromium
) -> None:
    """What was done before the page was loaded is known to the server alone."""
    async with asyncio.timeout(WITHIN):
        laptop, _, _ = await two_devices(server, chromium)
        await laptop.page.reload()
        await laptop.stage("play")
        await laptop.made(1)
        before = await laptop.board()
        await no_network(laptop)
        await laptop.type("u")
        await laptop.sees("1 move on its way")
        await laptop.type("2b")
        await laptop.sees("the undo is still on its way")
        assert await laptop.board() == before
        await laptop.context.set_offline(False)
        await laptop.made(0)
        await laptop.settled()
        await laptop.type("2b")
        await laptop.made(1)


async def test_moves_of_a_tab_that_was_closed_are_sent_by_the_next(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, _, phone = await two_devices(server, chromium)
        path = laptop.page.url.removeprefix(laptop.url)
        await no_network(laptop)
        await laptop.plays(winning_line()[1:4])
        await laptop.made(4)
        tab = await next_tab(laptop)
        await closes(laptop)
        await tab.context.set_offline(False)
        await tab.go()
        await tab.press("Back to the race")
        await tab.stage("play")
        await tab.made(4)
        await tab.settled()
        await phone.page.goto(phone.url + path)
        await phone.stage("play")
        await phone.made(4)


@pytest.mark.parametrize("is_closed", [True, False])
async def test_moves_that_a_tab_has_not_sent_go_along_with_the_tab_in_which_one_plays_on(
    server: ServerProcess, chromium: Chromium, is_closed: bool
) -> None:
    """Which was open all the time. Whether the other one was closed, or comes back at the same time, nothing is told as
    missing."""
    async with asyncio.timeout(WITHIN):
        laptop, _, _ = await two_devices(server, chromium)
        url = laptop.page.url
        tab = await another_tab(laptop, "/#boards")
        await no_network(laptop)
        await laptop.plays(winning_line()[1:4])
        await laptop.made(4)
        if is_closed:
            await closes(laptop)
        else:
            await laptop.until(_KEPT)
        await tab.page.goto(url)
        await tab.context.set_offline(False)
        await tab.stage("play")
        await tab.made(4)
        await tab.settled()
        for each in (tab,) if is_closed else (tab, laptop):
            assert await each.page.get_by_text(_MISSING).count() == 0
        if not is_closed:
            await laptop.stage("taken")


async def test_nothing_that_a_tab_has_not_sent_is_made_on_the_board_of_another_device(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Though the numbers are the next ones, or were used by others: it is told."""
    async with asyncio.timeout(WITHIN):
        laptop, _, phone = await two_devices(server, chromium)
        url = laptop.page.url
        tab = await another_tab(laptop, "/#boards")
        await no_network(laptop)
        await laptop.plays(winning_line()[1:4])
        await laptop.made(4)
        await closes(laptop)
        await phone.page.goto(url)
        await phone.stage("play")
        await phone.plays(["8b", "8c"])
        await phone.settled()
        await tab.context.set_offline(False)
        await tab.page.locator(".brand").click()
        await tab.page.locator(".own-races a").click()
        await tab.stage("play")
        await tab.sees(f"3 moves of yours {_MISSING} them")
        await tab.made(3)
        await tab.settled()


async def test_a_race_that_ends_where_it_is_played_shows_its_result_where_it_was_before(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, grace, phone = await two_devices(server, chromium)
        await phone.page.goto(laptop.page.url)
        await phone.stage("play")
        await laptop.stage("taken")
        for each in (phone, grace):
            await each.gives_up()
        for each in (phone, laptop):
            await each.stage("ended")
        await phone.page.close()
        await grace.press("Rematch")
        await laptop.stage("lobby")
        await laptop.press("I'm ready")
        await laptop.stage("play")


async def test_a_race_of_strangers_that_was_asked_for_long_ago_is_left_to_the_device_that_waits_for_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, grace, phone = await two_devices(server, chromium)
        for each in (laptop, grace):
            await each.gives_up()
        await laptop.stage("ended")
        await no_network(laptop)
        await laptop.go("/#quick")
        await laptop.sees("This needs the network")
        await phone.go("/#ranked")
        await phone.stage("lobby")
        await laptop.page.evaluate(_LATE)
        await laptop.context.set_offline(False)
        await laptop.sees("have a race elsewhere by now")
        await phone.stage("lobby")


async def test_moves_of_a_closed_tab_that_came_too_late_are_told_wherever_one_is(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        laptop, grace, phone = await two_devices(server, chromium)
        await no_network(laptop)
        await laptop.plays(winning_line()[1:3])
        await laptop.made(3)
        tab = await next_tab(laptop)
        await phone.page.goto(laptop.page.url)
        await phone.stage("play")
        await closes(laptop)
        for each in (phone, grace):
            await each.gives_up()
        await phone.stage("ended")
        await tab.context.set_offline(False)
        await tab.go("/#boards")
        await tab.press(f"2 moves of yours {_MISSING} them")
        await tab.stage("ended")
        await tab.page.locator(".brand").click()
        await tab.page.locator(".screen.practice").wait_for()
        assert await tab.page.locator("a.back:visible").count() == 0


async def test_a_race_of_a_closed_tab_is_gone_on_with_however_long_there_was_no_network(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Nobody plays it anywhere."""
    async with asyncio.timeout(WITHIN):
        laptop, _, _ = await two_devices(server, chromium)
        await laptop.until("() => Object.keys(localStorage).some((key) => key.startsWith('cellrace left '))")
        tab, url = await next_tab(laptop), laptop.page.url
        await no_network(laptop)
        await closes(laptop)
        await tab.page.goto(url)
        await tab.sees("No connection")
        await tab.page.evaluate(_LATE)
        await tab.context.set_offline(False)
        await tab.stage("play")
        await tab.made(1)
