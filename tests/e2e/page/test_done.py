"""Being done with a race, or nearly, on a phone, while others still play."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
_CONTRAST = """(one) => {
  const style = getComputedStyle(one);
  const light = (colour) => {
    const parts = colour.match(/\\d+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const [a, b] = [light(style.color), light(style.backgroundColor)];
  return Math.max(a, b) / Math.min(a, b);
}"""


async def _on_phones(server: ServerProcess, chromium: Chromium) -> tuple[Window, Window]:
    """Two whose race runs."""
    here, there = await chromium.windows(server.url, 2, 390, 844)
    await meet(here, there)
    return here, there


async def test_who_is_home_first_is_told_so_and_may_leave(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _on_phones(server, chromium)
        await ada.plays(winning_line())
        await ada.stage("done")
        await ada.sees("You are home in 0:")
        await ada.sees("Waiting for ")
        await ada.sees(f"Place 1 so far · {len(winning_line())} moves")
        await ada.sees("the others' boards stay hidden")
        await ada.press("See my board")
        await ada.page.locator(".gallery figcaption").filter(has_text="52/52").wait_for()
        await ada.press("Back to my result")
        await ada.sees("Place 1 so far")
        assert await ada.page.locator(".tool").count() == 0
        await ada.press("Leave: your result stays")
        await ada.page.locator(".screen.practice").wait_for()
        await grace.stage("play")
        assert ada.faults == grace.faults == []


async def test_who_has_given_up_is_told_so_and_may_leave(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _on_phones(server, chromium)
        await ada.press("Give up")
        await ada.page.get_by_role("button", name="No", exact=True).click()
        await ada.press("Give up")
        sure = ada.page.get_by_role("button", name="Yes, give up")
        for theme in ("light", "dark"):
            await ada.page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
            assert await sure.evaluate(_CONTRAST) >= 4.5, theme
        await ada.page.evaluate("document.documentElement.dataset.theme = 'auto'")
        await ada.page.emulate_media(color_scheme="light")
        assert await sure.evaluate(_CONTRAST) >= 4.5
        assert await sure.evaluate("(one) => one.getBoundingClientRect().height") >= 44
        await sure.click()
        await ada.stage("done")
        await ada.sees("You gave up")
        await ada.sees("Still playing: ")
        await grace.sees("The others have given up: get home and you win.")
        await ada.press("Leave: your result stays")
        await ada.page.locator(".screen.practice").wait_for()
        await grace.stage("play")
        assert ada.faults == grace.faults == []


async def test_the_board_stays_where_it_is_when_somebody_watches(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _on_phones(server, chromium)
        await ada.type("2a")
        top = "document.querySelector('card-table').getBoundingClientRect().top"
        before = await ada.page.evaluate(top)
        watcher = await chromium.window(server.url)
        await watcher.go(await grace.page.evaluate("location.pathname"))
        await ada.sees("1 spectator")
        await ada.page.locator(".status .pending").evaluate(
            "(one) => { one.hidden = false; one.textContent = '10 moves on their way'; }"
        )
        assert await ada.page.evaluate(top) == before


async def test_a_race_that_one_leaves_can_be_gone_back_to(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _on_phones(server, chromium)
        back = ada.page.locator("a.back")
        assert await back.is_hidden()
        await ada.type("2a")
        for place in ("Race a friend", "cellrace"):
            board = await ada.board()
            await ada.page.locator("header a:visible").filter(has_text=place).first.click()
            await back.click()
            await ada.stage("play")
            assert await ada.board() == board
            assert await back.is_hidden()
        await ada.press("cellrace")
        await grace.gives_up()
        await back.click()
        await ada.gives_up()
        await ada.stage("ended")
        await ada.press("cellrace")
        await ada.page.locator(".screen.practice").wait_for()
        assert await back.is_hidden()
        assert ada.faults == grace.faults == []


async def test_who_has_made_no_move_is_named_so(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _on_phones(server, chromium)
        await ada.type("2a")
        await ada.settled()
        for window in (ada, grace):
            await window.gives_up()
        for window in (ada, grace):
            await window.stage("ended")
            rows = await window.page.locator(".result tr").all_inner_texts()
            assert [row.split()[0] for row in rows] == ["1.", "2."]
            assert ["without a move" in row for row in rows] == [True, False]
            assert await window.page.locator(".result > .note").first.inner_text() == "#617"
        await ada.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        await ada.press("Copy result")
        assert "cellrace #617" in await ada.page.locator(".result textarea").input_value()


async def test_what_is_taken_back_is_told_and_giving_up_leaves_nobody_lost(
    server: ServerProcess, chromium: Chromium
) -> None:
    """By keys and for who hears it: what undo, redo and restart did; Escape is a no; one is led to the result."""
    async with asyncio.timeout(WITHIN):
        ada, _ = await _on_phones(server, chromium)
        await ada.plays(winning_line()[:1])
        await ada.hears("Moved")
        await ada.page.keyboard.press("u")
        await ada.hears("Undone, 0 of 52 home")
        await ada.page.keyboard.press("y")
        await ada.hears(f"Made again: {winning_line()[0]}")
        await ada.press("Restart")
        await ada.sees("Back to the deal? The clock goes on.")
        await ada.page.locator(".answers").get_by_text("No").click()
        await ada.made(1)
        await ada.press("Restart")
        await ada.press("Yes, restart")
        await ada.hears("Back at the beginning")
        await ada.press("Give up")
        await ada.page.locator(".answers").wait_for()
        await ada.page.keyboard.press("Escape")
        await ada.page.locator(".answers").wait_for(state="hidden")
        await ada.until("() => document.activeElement.classList.contains('tool-giveUp')")
        await ada.gives_up()
        await ada.stage("done")
        await ada.hears("You gave up")
        await ada.until("() => document.activeElement.matches('.result h2')")
        assert ada.faults == []
