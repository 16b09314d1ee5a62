"""Racing again with those one has raced, from wherever one is."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300


async def _over(server: ServerProcess, chromium: Chromium) -> tuple[Window, Window]:
    """Ada at a desk and Grace with a phone, who have raced each other."""
    ada = await chromium.window(server.url, settings={"name": "Ada"})
    grace = await chromium.window(server.url, 390, 844)
    await meet(ada, grace)
    await ada.plays(winning_line())
    await grace.gives_up()
    for window in (ada, grace):
        await window.stage("ended")
    return ada, grace


async def _asked_again(server: ServerProcess, chromium: Chromium) -> tuple[Window, Window]:
    """The same, and Ada asks for a rematch while Grace looks at the replay."""
    ada, grace = await _over(server, chromium)
    await grace.press("Replay")
    await grace.page.locator(".replay .card").first.wait_for()
    await ada.press("Rematch")
    return ada, grace


async def test_who_looks_at_a_replay_is_asked_to_race_again(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Said where one is; one goes along by a button, and is seated at once."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await _asked_again(server, chromium)
        await grace.sees("Ada wants to race again")
        assert await grace.page.locator(".screen.replay").count() == 1  # nobody is moved
        await grace.press("Race again")
        await grace.stage("lobby")
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")
            assert window.faults == []


async def test_an_invitation_stands_while_one_looks_at_other_races(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Until one has said no, or it is over; and who waits has a link to send."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await _asked_again(server, chromium)
        await ada.page.locator("input.link").wait_for()
        await ada.sees("Waiting for those you raced")
        await grace.sees("Ada wants to race again")
        await grace.press("Race this")
        await grace.page.locator(".racer.ghost").wait_for()
        await grace.sees("Press when you are ready: you race a stored run.")
        await grace.press("Leave")
        await grace.page.locator(".screen.practice").wait_for()
        await grace.sees("Ada wants to race again")
        await grace.press("Race again")
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")
            assert window.faults == []


async def test_who_does_not_want_to_gives_the_seat_back(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _over(server, chromium)
        await grace.press("cellrace")
        await ada.press("Rematch")
        await ada.page.locator(".racer").nth(1).filter(has_not_text="free seat").wait_for()
        await grace.press("Not now")
        await grace.page.locator(".offer").wait_for(state="hidden")
        await ada.page.locator(".racer").filter(has_text="free seat").wait_for()


async def test_who_is_moved_from_the_result_is_told_why(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await _over(server, chromium)
        await ada.press("Rematch")
        await grace.stage("lobby")
        await grace.sees("Ada wants to race again: this is the next race.")
        assert await ada.page.locator(".brought").count() == 0
