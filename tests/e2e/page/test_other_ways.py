"""Other ways into a race: the deal of the day, a quick race."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium
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
        assert window.faults == []


@pytest.mark.slow
async def test_strangers_meet_in_a_quick_race(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        here, there = await chromium.windows(server.url, 2)
        for window in (here, there):
            await window.go("/#quick")
        for window in (here, there):
            await window.stage("play")
        assert here.faults == there.faults == []


@pytest.mark.slow
async def test_who_waits_for_a_stranger_is_told_so(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.go("/#quick")
        await window.stage("lobby")
        await window.sees("Looking for an opponent")
        await window.sees("no house bots are kept on this server")
        assert await window.page.get_by_text("a bot races you").count() == 0
        assert await window.page.get_by_text("Send this link").count() == 0
        assert window.faults == []
