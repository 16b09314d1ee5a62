"""Addresses that are typed by hand, or lead to nothing."""

import asyncio
from urllib.parse import unquote

import pytest

from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120


async def test_capitals_and_slashes_lead_where_they_should(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await ada.go("/#friend")
        await ada.press("Get the link")
        await ada.stage("lobby")
        path = str(await ada.page.evaluate("location.pathname"))
        await grace.go(f"{path.upper()}/")
        await grace.stage("lobby")
        await ada.page.locator(".racer").nth(1).filter(has_not_text="free seat").wait_for()
        assert ada.faults == grace.faults == []


@pytest.mark.parametrize(
    "path", ["/nonsense", "/r/", "/g/kbjueza-0/more", "/#replay=kbjueza-0", "/r/kbjueza"]
)
async def test_what_leads_to_nothing_says_so_and_leads_home(
    server: ServerProcess, chromium: Chromium, path: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go(path)
        await ada.page.locator(".lost [role=alert]").wait_for()
        assert await ada.page.locator(".scrubber, card-table").count() == 0  # nothing to control
        await ada.page.locator(".lost a").first.click()
        await ada.page.locator(".screen.practice card-table").wait_for()


@pytest.mark.parametrize(
    ("name", "shown", "cells"),
    [
        ("617", "#617", 4),
        ("%23617", "#617", 4),
        ("FC1-C2-AAAAATJ", "FC1-C2-AAAAATJ", 2),
        ("99999999999", "", 0),
        ("0x10", "", 0),
    ],
)
async def test_a_link_with_a_deal_for_a_race_seats_nobody(
    server: ServerProcess, chromium: Chromium, name: str, shown: str, cells: int
) -> None:
    """It is told to be no race's, and where it names a deal, that is there to practise on."""
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        frames = ada.frames()
        await ada.go(f"/r/{name}?json")
        await ada.page.locator(".lost [role=alert]").filter(has_text="There is no such race").wait_for()
        assert not any('"join"' in str(frame) for frame in frames.said)
        practice = ada.page.locator(".lost a").first
        assert await practice.text_content() == f"Practice {shown}".strip()
        await practice.click()
        await ada.page.locator(".screen.practice card-table").wait_for()
        if cells:
            await ada.sees("#617")
            assert await ada.page.evaluate("document.querySelector('card-table').board.cells.length") == cells


@pytest.mark.parametrize("typed", ["0x10", "617=5", "617.0", "%EF%BC%96%EF%BC%91%EF%BC%97", "FC1-C42-AAAAAA"])
async def test_a_deal_that_is_none_is_told_wherever_it_is_given(
    server: ServerProcess, chromium: Chromium, typed: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go(f"/#deal={typed}")
        await ada.sees("That is no deal: a number such as 617, or a code.")
        await ada.go("/?#friend")
        await ada.page.locator("summary").click()
        await ada.page.locator("#with-deal").fill(unquote(typed))
        await ada.page.locator("#deal-fault").filter(has_text="That is no deal").wait_for()
        await ada.go(f"/?a#boards={typed}")
        await ada.sees("That is no deal")
        assert ada.faults == []


async def test_a_deal_is_no_code_of_a_race(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/?json#friend")
        await ada.page.locator("#code").fill("617")
        await ada.page.keyboard.press("Enter")
        await ada.page.locator("#code-fault").filter(has_text="There is no such race").wait_for()
        assert await ada.page.locator(".screen.race").count() == 0


async def test_who_waits_for_a_ranked_race_is_told_for_whom(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/#ranked")
        await ada.sees("Ranked races are for people only")
        await ada.page.locator(".invitation button").filter(has_text="Quick race").click()
        await ada.sees("It begins as soon as somebody comes")
        assert ada.faults == []


async def test_a_code_that_leads_nowhere_is_told_beside_its_field(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.go("/#friend")
        await window.page.locator("#code").fill("abcdefg")
        await window.page.keyboard.press("Enter")
        await window.page.locator("#code-fault").filter(has_text="There is no such race").wait_for()
        assert await window.page.locator("#code").input_value() == "abcdefg"
        assert await window.page.evaluate("location.pathname") == "/"
        assert window.faults == []


async def test_what_needs_the_network_says_so_where_there_is_none(
    server: ServerProcess, chromium: Chromium
) -> None:
    """And goes on when there is one."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844)
        await window.go("/#daily")
        await window.sees("One attempt a day")
        await window.context.set_offline(True)
        await window.page.locator(".banner:visible").wait_for()
        for place in ("watch", "daily", "profile", "quick"):
            await window.page.evaluate("(place) => (location.hash = place)", place)
            await window.sees("This needs the network")
        await window.context.set_offline(False)
        await window.stage("lobby")
        await window.press("Leave")
