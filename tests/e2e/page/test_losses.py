"""What a page must not lose, whatever another tab, a lost request or a key in the wrong moment does."""

import asyncio

import pytest

from tests.e2e.page.devices import no_network, two_devices
from tests.e2e.page.test_own_races import another_tab
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120


async def test_a_second_tab_is_whoever_the_first_became(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        tab = await another_tab(ada)
        await tab.sees("New deal")
        await meet(ada, grace)
        await ada.plays(winning_line()[:1])
        await ada.settled()
        token = await ada.page.evaluate("JSON.parse(localStorage.cellrace).token")
        await tab.go("/#boards")
        await tab.sees("Nothing here yet")
        assert await tab.page.evaluate("JSON.parse(localStorage.cellrace).token") == token
        await ada.page.reload()
        await ada.stage("play")
        await ada.made(1)


async def test_who_races_is_offered_no_other_name(server: ServerProcess, chromium: Chromium) -> None:
    """One would be somebody else, without the seat."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        for place, shown in (("Race a friend", ".opener"), ("Daily deal", ".card-like")):
            await ada.page.locator("header a:visible").filter(has_text=place).first.click()
            await ada.page.locator(shown).first.wait_for()
            assert await ada.page.locator(".naming:visible").count() == 0
        await ada.page.locator("a.back").click()
        await ada.stage("play")
        await ada.go("/#daily")  # loaded anew: the server says that there is a race
        await ada.page.locator(".card-like").first.wait_for()
        assert await ada.page.locator(".naming:visible").count() == 0


async def test_a_language_that_cannot_be_had_leaves_english(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.route("**/languages/fr.js", lambda route: route.abort())
        await window.page.add_init_script("Object.defineProperty(navigator, 'languages', { value: ['fr'] })")
        await window.go("/")
        await window.sees("New deal")


async def test_a_key_in_mid_drag_lets_the_card_go(server: ServerProcess, chromium: Chromium) -> None:
    """Another card lies there by now: it was never in the hand."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.type("2a")
        await window.made(1)
        before = await window.board()
        card = await window.page.get_by_label("10 of spades, column 2").first.bounding_box()
        cell = await window.page.locator("[data-pile='9']").bounding_box()
        assert card is not None
        assert cell is not None
        mouse = window.page.mouse
        await mouse.move(card["x"] + 20, card["y"] + 20)
        await mouse.down()
        await mouse.move(cell["x"] + 20, cell["y"] + 30, steps=5)
        await window.page.keyboard.press("u")
        await window.made(0)
        undone = await window.board()
        await mouse.up()
        await window.lies_still()
        assert await window.board() == undone != before


async def test_a_pasted_link_is_as_good_as_its_code(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        link = await ada.invites()
        await grace.go("/#friend")
        await grace.page.locator("#code").fill("a" * 40)
        await grace.presses("enter")
        await grace.sees("There is no such race")
        await grace.page.locator("#code").fill(link)
        await grace.presses("enter")
        await grace.stage("lobby")


async def test_settings_of_the_wrong_kind_are_passed_over(server: ServerProcess, chromium: Chromium) -> None:
    wrong: dict[str, object] = {"rules": "bogus", "name": 5, "guest": None, "token": [], "language": 7}
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, settings=wrong)
        await window.go("/")
        await window.sees("New deal")
        await window.go("/#daily")
        await window.sees("One attempt a day")
        assert window.faults == []


async def test_what_could_not_be_sent_before_a_reload_is_sent_after_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        await ada.until("() => navigator.serviceWorker.controller !== null")
        await ada.plays(winning_line()[:2])
        await ada.settled()
        await no_network(ada)
        await ada.plays(winning_line()[2:5])
        await ada.made(5)
        await ada.page.reload()
        await ada.sees("No connection")
        await ada.context.set_offline(False)
        await ada.stage("play")
        await ada.made(5)
        await ada.settled()
        there = await ada.board()
        await ada.page.reload()
        await ada.stage("play")
        await ada.made(5)
        assert await ada.board() == there


async def test_a_device_that_comes_back_leaves_the_race_to_the_one_that_plays(
    server: ServerProcess, chromium: Chromium
) -> None:
    """What it has not sent is not made on another board; whoever wants to go on there says so."""
    async with asyncio.timeout(WITHIN):
        laptop, _, phone = await two_devices(server, chromium)
        await no_network(laptop)
        await laptop.type("u")
        await phone.page.goto(laptop.page.url)
        await phone.stage("play")
        await phone.plays(winning_line()[1:3])
        await phone.settled()
        await laptop.context.set_offline(False)
        await laptop.stage("taken")
        await phone.plays(winning_line()[3:4])
        await phone.settled()
        await phone.made(4)
        await laptop.press("Play here")
        await laptop.stage("play")
        await laptop.sees("1 move of yours may be missing")
        await laptop.made(4)
        await phone.stage("taken")


async def test_what_was_done_without_a_network_outlives_any_number_of_reloads(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        await ada.until("() => navigator.serviceWorker.controller !== null")
        await ada.plays(winning_line()[:3])
        await ada.settled()
        await no_network(ada)
        await ada.type("u")
        await ada.plays(winning_line()[2:4])
        await ada.made(4)
        for _ in range(2):
            await ada.page.reload()
            await ada.sees("No connection")
        await ada.context.set_offline(False)
        await ada.stage("play")
        await ada.made(4)
        await no_network(ada)
        await ada.gives_up()
        await ada.page.reload()
        await ada.sees("No connection")
        await ada.context.set_offline(False)
        await ada.stage("done")


async def test_the_tab_that_plays_keeps_the_race_when_the_network_of_all_tabs_is_back(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        tab = await another_tab(ada, ada.page.url.removeprefix(grace.url))
        await tab.stage("play")
        await ada.stage("taken")
        for number in (1, 2):
            await ada.context.set_offline(True)
            await tab.sees("No connection")
            await tab.plays(winning_line()[number - 1 : number])
            await ada.context.set_offline(False)
            await tab.settled()
            await tab.made(number)
            await ada.stage("taken")
        await ada.press("Play here")
        await ada.stage("play")
        await ada.made(2)
        await tab.stage("taken")
        assert await ada.page.get_by_text("may be missing").count() == 0


async def test_what_was_done_before_a_reload_is_sent_also_where_one_looks_elsewhere(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        await ada.until("() => navigator.serviceWorker.controller !== null")
        await no_network(ada)
        await ada.plays(winning_line()[:2])
        await ada.made(2)
        await ada.page.reload()
        await ada.sees("No connection")
        await ada.page.locator(".brand").click()
        await ada.page.locator(".screen.practice").wait_for()
        await ada.context.set_offline(False)
        await ada.press("Back to the race")
        await ada.stage("play")
        await ada.made(2)
        await ada.settled()


async def test_who_looks_away_from_a_lobby_that_another_tab_has_gives_no_seat_back(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        link = await ada.invites()
        await grace.page.goto(link)
        await grace.stage("lobby")
        tab = await another_tab(ada, ada.page.url.removeprefix(grace.url))
        await tab.stage("lobby")
        await ada.stage("taken")
        await ada.page.locator(".brand").click()
        await ada.page.locator(".screen.practice").wait_for()
        await ada.page.go_back()
        await ada.stage("lobby")
        await tab.stage("taken")
        await grace.press("I'm ready")  # who has the link to send is
        for each in (ada, grace):
            await each.stage("play")


async def test_who_comes_back_to_a_lobby_before_there_is_a_connection_has_not_left_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        link = await ada.invites()
        await no_network(ada)
        await ada.page.locator(".brand").click()
        await ada.page.locator(".screen.practice").wait_for()
        await ada.page.go_back()
        await ada.context.set_offline(False)
        await ada.stage("lobby")
        await grace.page.goto(link)
        await grace.stage("lobby")
        await ada.sees(await grace.page.evaluate("JSON.parse(localStorage.cellrace).guest"))
