"""A run that is over: looked at again from moment to moment, and raced against."""

import asyncio

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
MOVES = "() => Number(document.querySelector('.replay .status .moves').textContent.split(' ')[0])"


async def _finished(ada: Window, grace: Window) -> str:
    """The run of a race that Ada won."""
    path = await meet(ada, grace)
    await ada.plays(winning_line())
    await grace.gives_up()
    await ada.page.locator(".result table").wait_for()
    return f"{path.removeprefix('/r/')}-0"


async def test_a_replay_is_stepped_through_and_a_moment_is_shared(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url)
        grace = await chromium.window(server.url, settings={"leftHanded": True})
        run = await _finished(ada, grace)
        await ada.go("/")
        await ada.go(f"/#replay={run}")
        await ada.page.locator(".replay .card").first.wait_for()
        assert await ada.page.evaluate(MOVES) == 0
        for _ in range(5):
            await ada.page.locator(".tools button").nth(2).click()
        assert await ada.page.evaluate(MOVES) == 5
        await ada.page.locator(".tools button").first.click()
        assert await ada.page.evaluate(MOVES) == 4
        await ada.page.locator(".scrubber").focus()
        for key, moves in (("ArrowRight", 5), ("ArrowUp", 6), ("ArrowLeft", 5), ("ArrowDown", 4)):
            await ada.page.keyboard.press(key)
            assert await ada.page.evaluate(MOVES) == moves
        bar = await ada.page.locator(".scrubber").bounding_box()
        assert bar is not None
        middle = bar["y"] + bar["height"] / 2
        await ada.page.mouse.move(bar["x"] + 10, middle)
        await ada.page.mouse.down()
        await ada.page.mouse.move(bar["x"] + bar["width"] / 2, middle, steps=5)
        await ada.page.mouse.up()
        moves, board = await ada.page.evaluate(MOVES), await ada.board()
        assert 4 < moves < len(winning_line())
        await ada.page.locator(".tools button").nth(3).click()
        await ada.until("() => location.hash.includes('@')")
        link = str(await ada.page.evaluate("location.pathname + location.hash"))
        await grace.go("/")
        await grace.go(link)
        await grace.page.locator(".replay .card").first.wait_for()
        assert await grace.page.evaluate(MOVES) == moves
        assert await grace.board() == board
        left = "(kind) => document.querySelector('.replay .slot.' + kind).getBoundingClientRect().x"
        assert await grace.page.evaluate(left, "cell") > await grace.page.evaluate(left, "foundation")
        assert ada.faults == grace.faults == []


async def test_the_link_of_a_run_shows_the_result_and_the_ways_to_a_race_against_it_and_its_replay(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        run = await _finished(ada, grace)
        await grace.go("/")
        await grace.sees("Practice")
        await grace.go(f"/g/{run}")
        await grace.sees("is home in 0:")
        await grace.sees("#617 · Classic · ")
        await grace.sees("Beside you a ghost")
        assert await grace.page.locator(".screen.race").count() == 0  # nobody is seated by a look
        await grace.press("Watch the replay")
        await grace.page.locator(".replay .card").first.wait_for()
        await grace.page.go_back()
        await grace.press("Race it: beat 0:")
        await grace.until("() => location.pathname.startsWith('/r/')")
        await grace.page.locator(".racer.ghost").wait_for()
        await grace.page.go_back()
        await grace.sees("Race it: beat 0:")
        await grace.go("/g/kbjueza-0")
        await grace.sees("There is no such race, run or player")
        assert grace.faults == []
