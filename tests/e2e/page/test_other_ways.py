"""Other ways into a race: the deal of the day, a quick race."""

import asyncio
import json
import re

import pytest
from playwright.async_api import WebSocketRoute

from cellrace_engine import DealCode, Line, format_move, parse_rules
from cellrace_engine.solver import solve
from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 300


@pytest.mark.slow
async def test_the_deal_of_the_day_begins_by_itself(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.go("/#daily")
        await window.press("Play today's deal")
        await window.stage("play")
        await window.gives_up()
        await window.stage("ended")
        await window.page.locator(".result button").filter(has_text="Daily deal").click()
        over = window.page.locator(".over")
        await over.wait_for()
        assert re.search(
            r"over without a result.* in \d+ h \d+ min; you can practise", await over.inner_text()
        )
        await window.press("Practise it")
        await window.stage("play")
        assert window.faults == []


async def _wins_the_daily(window: Window) -> None:
    frames = window.frames()
    await window.go("/?json#daily")
    await window.press("Play today's deal")
    await window.stage("play")
    (go,) = [said for said in map(json.loads, frames.heard) if said[0] == "go"]
    line = Line.begin(parse_rules("classic"), DealCode.parse(go[4]).deal())
    for move in solve(line.position, line.rules).line:
        await window.type(format_move(move, line.position, line.rules))
        line = line.play(move)
        if line.won:
            break
    await window.stage("ended")


@pytest.mark.slow
async def test_the_result_of_the_daily_tells_the_place_of_the_day(
    server: ServerProcess, chromium: Chromium
) -> None:
    """And not that of a race of one, where one is always the first."""
    async with asyncio.timeout(WITHIN):
        await server.dailies_chosen()
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        await _wins_the_daily(ada)
        await ada.sees("You are the only one here so far.")
        await _wins_the_daily(grace)
        await (
            grace.page.locator(".result .standing")
            .filter(has_text=re.compile(r"Your place is \d of 2"))
            .wait_for()
        )
        assert (await grace.page.locator(".result td").first.inner_text()) == ""
        await grace.press("Copy result")
        await grace.page.locator(".result textarea, .result .note:has-text('Copied')").wait_for()
        assert ada.faults == grace.faults == []


@pytest.mark.slow
async def test_a_deal_that_is_not_chosen_yet_is_asked_for_again(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        await server.dailies_chosen()
        window = await chromium.window(server.url)
        late = ["classic", "pocket+cells=2"]

        def answered(page: WebSocketRoute, text: str | bytes) -> None:
            """The server says of one rule set more each time that its deal is chosen."""
            message = json.loads(text)
            if message[0] == "dailies":
                message[4] = [row for row in message[4] if row[0] not in late]
                message[5:] = [list(late)]
                late[:1] = []
            page.send(json.dumps(message))

        def between(page: WebSocketRoute) -> None:
            beyond = page.connect_to_server()
            beyond.on_message(lambda text: answered(page, text))

        await window.page.route_web_socket("**/ws", between)
        await window.go("/?json#daily")
        await window.until(
            "() => document.querySelector('main').textContent.match(/being chosen/g)?.length === 2"
        )
        await window.sees("Play today's deal")
        await window.until("() => !document.querySelector('main').textContent.includes('being chosen')")
        assert await window.page.get_by_role("button", name="Play today's deal").count() == 2
        assert window.faults == []


@pytest.mark.slow
async def test_strangers_meet_in_a_quick_race(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        here, there = await chromium.windows(server.url, 2)
        for window in (here, there):
            await window.go("/#quick")
        for window in (here, there):
            await window.stage("play")
        for window in (here, there):
            await window.gives_up()
        await there.stage("ended")
        await there.press("cellrace")
        await there.page.locator(".screen.practice").wait_for()
        await here.press("Rematch")
        await here.stage("lobby")
        for _ in range(2):
            await here.sees("Waiting for ")  # those who raced, or the one of them that has not said yes
            assert await here.page.get_by_text("Looking for an opponent").count() == 0
            await here.page.reload()  # which leads back to the same
        assert here.faults == there.faults == []


@pytest.mark.slow
async def test_who_waits_for_a_stranger_is_told_so(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.go("/#quick")
        await window.stage("lobby")
        await window.sees("Looking for an opponent")
        await window.sees("No bot comes here: you wait for a person.")
        assert await window.page.get_by_text("a bot races you").count() == 0
        assert await window.page.get_by_text("Send this link").count() == 0
        assert window.faults == []
