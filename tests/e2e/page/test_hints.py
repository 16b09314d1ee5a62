"""Hints that do not come."""

import asyncio

import pytest

from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 60


@pytest.mark.slow
async def test_a_search_for_a_hint_that_breaks_is_told(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.page.route("**/hint-worker.js", lambda route: route.abort())
        for _ in range(2):
            await window.page.keyboard.press("?")
            await window.sees("No hint found in time.")
