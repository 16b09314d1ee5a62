"""Looking on at more boards than can be made of cards: pictures that tell how it stands, and one with its cards."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Literal

import pytest

from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 120
SEATS = 3

# The colours of a picture, most frequent first, none of them seen through.
_COLOURS = """(at) => {
  const canvas = document.querySelectorAll('.picture canvas')[at];
  const dots = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const count = new Map();
  for (let dot = 0; dot < dots.length; dot += 4) {
    const colour = dots.slice(dot, dot + 3).join();
    if (dots[dot + 3] === 255) count.set(colour, (count.get(colour) ?? 0) + 1);
  }
  return [...count].sort(([, a], [, b]) => b - a).slice(0, 6).map(([colour]) => colour);
}"""
# A number for what a picture shows; what nobody can see of how it was drawn does not count.
_DRAWN = """(at) => {
  const canvas = document.querySelectorAll('.picture canvas')[at];
  const dots = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return dots.reduce((sum, value) => (Math.imul(sum, 31) + (value >> 3)) | 0, 7);
}"""
# How often which colour is there in the empty cells of a picture, with how far it can be seen through.
_IN_CELLS = """(at) => {
  const canvas = document.querySelectorAll('.picture canvas')[at];
  const [width, height] = [Math.round(canvas.width * 0.4), Math.round(canvas.height * 0.1)];
  const dots = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const count = {};
  for (let dot = 0; dot < dots.length; dot += 4) {
    const colour = dots.slice(dot, dot + 4).join();
    count[colour] = (count[colour] ?? 0) + 1;
  }
  return count;
}"""
# A system colour, as dots of a canvas have it.
_SYSTEM = """(name) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = name;
  const [colour] = /[0-9, ]+/.exec(getComputedStyle(probe).color);
  probe.remove();
  return colour.replaceAll(' ', '');
}"""
GREEN, BLUE = "15,122,61", "19,88,196"


@asynccontextmanager
async def running(server: ServerProcess) -> AsyncGenerator[tuple[str, list[tuple[WireClient, int]]]]:
    """A race of three that runs: its name, and its players with their channels."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(wire_client(server.url, name=f"P{n}")) for n in range(SEATS)
        ]
        entered = [await clients[0].ask("create", "617", "classic", SEATS, True, False, 0)]
        entered += [await client.ask("join", entered[0][3]) for client in clients[1:]]
        players = [(client, one[2]) for client, one in zip(clients, entered, strict=True)]
        for client, channel in players:
            await client.say(["ready", channel])
        for client, _ in players:
            await client.hear_until("go")
        yield entered[0][3], players


async def _told(window: Window, at: int, standing: str) -> None:
    await window.until(
        "([at, said]) => document.querySelectorAll('.picture')[at]?.getAttribute('aria-label') === said",
        [at, standing],
    )


async def test_pictures_tell_how_it_stands_and_one_is_looked_at_with_its_cards(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), running(server) as (race, players):
        window = await chromium.window(server.url)
        await window.go(f"/r/{race}")
        for at in range(SEATS):
            await _told(window, at, f"P{at} · 0 moves · 0/52")
        assert await window.page.get_by_role("img", name="P1").count() == 1
        before = [await window.page.evaluate(_DRAWN, at) for at in range(SEATS)]
        assert len(set(before)) == 1
        client, channel = players[1]
        await client.play(channel, ["2a"])
        await _told(window, 1, "P1 · 1 move · 0/52")
        after = [await window.page.evaluate(_DRAWN, at) for at in range(SEATS)]
        assert [now == then for now, then in zip(after, before, strict=True)] == [True, False, True]
        await window.page.locator("figure button").nth(1).click()
        await window.page.locator("figure:visible card-table .card").first.wait_for()
        assert await window.page.locator("figure:visible").count() == 1
        assert (await window.board()).split("|")[1] != "----"
        await window.page.locator("figure button").nth(1).click()
        await _told(window, 1, "P1 · 1 move · 0/52")
        assert await window.page.locator("card-table").count() == 0
        await window.until(f"(shown) => ({_DRAWN})(1) === shown", after[1])
        assert window.faults == []


async def test_pictures_follow_the_colours_that_are_chosen(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN), running(server) as (race, _):
        window = await chromium.window(server.url)
        await window.go(f"/r/{race}")
        await _told(window, 0, "P0 · 0 moves · 0/52")
        await window.until(f"() => ({_COLOURS})(0).length > 2")
        assert not {GREEN, BLUE} & {*await window.page.evaluate(_COLOURS, 0)}
        await window.page.locator("button.menu").click()
        await window.press("Settings")
        await (
            window.page.locator("dialog[open] label").filter(has_text="Four-colour").locator("input").check()
        )
        assert {GREEN, BLUE} < {*await window.page.evaluate(_COLOURS, 0)}
        assert window.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pictures_follow_forced_colours(
    server: ServerProcess, chromium: Chromium, scheme: Literal["light", "dark"]
) -> None:
    """Cards stay as they are, and where one may lie is drawn in the colours of the system."""
    async with asyncio.timeout(WITHIN), running(server) as (race, _):
        window = await chromium.window(server.url)
        await window.page.emulate_media(color_scheme=scheme)
        await window.go(f"/r/{race}")
        await _told(window, 0, "P0 · 0 moves · 0/52")
        await window.until(f"() => ({_COLOURS})(0).length > 2")
        face = (await window.page.evaluate(_COLOURS, 0))[0]
        drawn = await window.page.evaluate(_DRAWN, 0)
        await window.page.emulate_media(color_scheme=scheme, forced_colors="active")
        await window.until(f"(drawn) => ({_DRAWN})(0) !== drawn", drawn)
        ink, felt = [await window.page.evaluate(_SYSTEM, name) for name in ("CanvasText", "Canvas")]
        cells = await window.page.evaluate(_IN_CELLS, 0)
        assert cells.get(f"{ink},255", 0) > 20, cells
        assert max(cells, key=cells.__getitem__).rpartition(",")[0] in (felt, "0,0,0"), cells
        assert (await window.page.evaluate(_COLOURS, 0))[0] == face
        await window.page.emulate_media(color_scheme=scheme, forced_colors="none")
        await window.until(f"(drawn) => ({_DRAWN})(0) === drawn", drawn)
        assert window.faults == []


@pytest.mark.slow
async def test_many_racers_leave_room_for_the_board_on_a_small_window(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Eight seats: one line on a small window, with the rows behind it; all rows on a wide one."""
    async with asyncio.timeout(WITHIN), AsyncExitStack() as stack:
        ada = await chromium.window(server.url, 320, 568)
        await ada.go("/#friend")
        await ada.page.locator("summary").click()
        await ada.page.locator("#seats").select_option("8")
        await ada.press("Get the link")
        await ada.stage("lobby")
        name = (await ada.page.locator("input.link").input_value()).rpartition("/")[2]
        for n in range(7):
            other = await stack.enter_async_context(wire_client(server.url, name=f"Konstantin W. Number {n}"))
            entered = await other.ask("join", name)
            await other.say(["ready", entered[2]])
        await ada.stage("play")
        card = "() => Math.round(document.querySelector('card-table').laid.width)"
        rows = ada.page.locator(".racer:visible")
        await ada.page.locator(".racers summary", has_text="+7").wait_for()
        # On its side the line is beside the board, and may be several.
        for width, height, least, most in ((320, 568, 36, 40), (390, 844, 36, 40), (844, 390, 40, 120)):
            await ada.page.set_viewport_size({"width": width, "height": height})
            await ada.until(f"() => ({card})() >= {least}")
            assert await rows.count() == 0
            summary = await ada.page.locator(".racers summary").bounding_box()
            assert summary is not None
            assert summary["x"] >= 0
            assert summary["x"] + summary["width"] <= width
            assert summary["height"] <= most  # room for a finger
        await ada.page.locator(".racers summary").click()
        await rows.nth(7).wait_for()
        await ada.page.locator(".racers summary").click()
        assert await rows.count() == 0
        await ada.page.set_viewport_size({"width": 1024, "height": 768})
        await rows.nth(7).wait_for()
        assert await ada.page.locator(".racers summary:visible").count() == 0
        assert ada.faults == []
