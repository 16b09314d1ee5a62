"""How the page looks to whom: dark, light, four colours, colours of the system's, the left hand."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300

_COLOUR = "([where, kind]) => getComputedStyle(document.querySelector(where))[kind]"


async def _colour(window: Window, where: str, kind: str = "color") -> str:
    return str(await window.page.evaluate(_COLOUR, [where, kind]))


async def _set(window: Window, name: str) -> None:
    """Tick one of the settings."""
    await window.page.locator("button.menu").click()
    await window.press("Settings")
    await window.page.locator("dialog[open] label").filter(has_text=name).locator("input").check()
    await window.page.keyboard.press("Escape")
    await window.page.locator("dialog[open]").wait_for(state="detached")


async def test_the_system_s_theme_is_followed(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        seen: set[str] = set()
        for scheme in ("dark", "light"):
            await window.page.emulate_media(color_scheme=scheme)
            seen.add(await _colour(window, "body", "backgroundColor"))
        assert len(seen) == 2


async def test_four_suits_have_four_colours_where_that_is_wanted(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        for colours in (2, 4):
            assert len({await _colour(window, f".card.suit-{suit}") for suit in range(4)}) == colours
            await _set(window, "Four-colour")


async def test_cells_change_sides_for_the_left_hand(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.deals(617)
        for cells_left in (True, False):
            boxes = [
                await window.page.locator(f".slot.{kind}").first.bounding_box()
                for kind in ("cell", "foundation")
            ]
            assert boxes[0] is not None
            assert boxes[1] is not None
            assert (boxes[0]["x"] < boxes[1]["x"]) is cells_left
            if cells_left:
                await _set(window, "Left-handed")
        await window.type("2a")
        await window.made(1)
        assert window.faults == []


async def test_in_the_system_s_own_colours_what_is_taken_up_is_still_to_be_seen(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.emulate_media(forced_colors="active")
        await window.deals(617)
        await window.page.keyboard.press("2")
        await window.page.locator(".card.selected").wait_for()
        assert await _colour(window, ".card.selected", "outlineStyle") == "solid"
        assert await _colour(window, ".slot.legal", "outlineStyle") == "solid"


async def test_what_a_rule_set_is_stands_below_it(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.page.locator("button.menu").click()
        await window.press("Settings")
        await window.sees("Safe cards go home by themselves")
        await window.page.get_by_label("Rules").select_option("linear")
        await window.sees("an empty column counts no more than a cell")
