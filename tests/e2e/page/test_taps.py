"""Playing alone: hints, taps, and what lets go of a card."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 300


# How many searches were begun, in `searches`.
_COUNTING = """{
  const { postMessage } = Worker.prototype;
  window.searches = 0;
  Worker.prototype.postMessage = function (message) {
    window.searches += 1;
    postMessage.call(this, message);
  };
}"""


async def test_a_hint_leads_on(server: ServerProcess, chromium: Chromium) -> None:
    """Whoever follows it is led on without another search."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.add_init_script(_COUNTING)
        await window.deals(8)
        for number in range(1, 4):
            await window.page.keyboard.press("?")
            hint = await window.hears("Hint:")
            await window.type(hint.rpartition("(")[2].removesuffix(")"))
            await window.made(number)
            await window.hears("Moved")  # comes behind the move, and takes the place of the hint
        assert await window.page.evaluate("searches") == 1


@pytest.mark.slow
async def test_a_hint_holds_no_card(server: ServerProcess, chromium: Chromium) -> None:
    """It marks what to move and where; a tap elsewhere plays as if there were none."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844, phone=True)
        await window.deals(8)
        await window.press("Hint")
        words = await window.hears("Hint:")
        assert "(" not in words  # nobody types it here
        assert " of " in words.partition(":")[2]  # a card, which can be found without counting columns
        await window.page.locator(".advised").nth(1).wait_for()
        assert await window.page.locator(".selected").count() == 0
        await window.page.touchscreen.tap(*await window.page.evaluate(_OTHER))
        await window.made(1)
        await window.until("() => !document.querySelector('.advised')")  # behind the frame of the move


@pytest.mark.slow
async def test_a_deal_that_was_won_can_be_played_again(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.deals(617)
        await window.plays(winning_line())
        await window.sees("All home!")
        await window.press("Play it again")
        await window.made(0)
        await window.sees("#617")
        await window.plays(winning_line()[:1])
        await window.made(1)


@pytest.mark.slow
async def test_a_double_tap_moves_one_card(server: ServerProcess, chromium: Chromium) -> None:
    """The card below is moved by a tap of its own."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844, phone=True)
        await window.deals(8)
        x, y = await window.page.evaluate(_TWICE)
        await window.page.touchscreen.tap(x, y)
        await window.page.touchscreen.tap(x + 3, y - 2)
        await window.made(1)
        await window.until(
            "(from) => performance.now() > from + 350", await window.page.evaluate("performance.now()")
        )
        assert await window.moves() == 1
        await window.page.touchscreen.tap(x, y)
        await window.made(2)
        await window.press("Menu")
        await window.press("How to play")
        await window.sees("tap one: it goes where it fits")


# On the last card of a column of which two can go somewhere, one behind the other.
_TWICE = """async () => {
  const base = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { tapped } = await import(base + 'game/referee.js');
  const table = document.querySelector('card-table');
  const { rules } = table.game.line();
  const pile = table.board.columns.findIndex((_, at) => tapped(table.board, at, 1, rules));
  const { x, y, width } = table.elementsOf({ pile, count: 1 })[0].getBoundingClientRect();
  return [x + width / 2, y + 20];
}"""
_OTHER = """() => {
  const table = document.querySelector('card-table');
  const columns = table.board.columns.map((cards, pile) => ({ pile, count: 1 }));
  const isOther = (place) => place.pile !== table.hinted.from.pile && table.targets(place).length;
  const { x, y, width } = table.elementsOf(columns.find(isOther))[0].getBoundingClientRect();
  return [x + width / 2, y + 20];
}"""
_FELT = """() => {
  const { x, y, width, height } = document.querySelector('card-table').getBoundingClientRect();
  return [x + width / 2, y + height - 8];
}"""


@pytest.mark.slow
async def test_felt_tools_and_escape_let_go_of_a_card(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.deals(8)
        held = window.page.locator(".selected")
        await window.plays(["1a"])
        await window.lies_still()

        async def take() -> None:
            await window.page.keyboard.press("2")
            await held.wait_for()

        await take()
        await window.page.mouse.click(*await window.page.evaluate(_FELT))
        await held.wait_for(state="detached")
        await take()
        await window.press("Undo")
        await window.made(0)
        await held.wait_for(state="detached")
        await take()
        await window.page.keyboard.press("Escape")
        await held.wait_for(state="detached")
        assert window.faults == []


@pytest.mark.slow
async def test_who_gets_no_hint_is_told_so_and_not_to_undo_what_was_not_done(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(11982)  # nothing leads home from its first board
        await window.page.keyboard.press("?")
        assert await window.hears("No ") == "No way leads home from here."


@pytest.mark.slow
async def test_a_hint_for_another_board_waits_for_no_other(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.add_init_script(_COUNTING)
        await window.deals(11982)  # nothing leads home from its first board
        ended = asyncio.Event()
        window.page.on("worker", lambda worker: worker.on("close", lambda _: ended.set()))
        for key in ("?", "?", "2", "a", "?"):
            await window.page.keyboard.press(key)
        await ended.wait()
        assert await window.page.evaluate("searches") == 2
        assert window.faults == []
