"""What becomes of a race of one's own while one looks at another screen of the page."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from tests.e2e.page.screens import LANGUAGES
from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess
from tests.support.wire_client import WireClient, wire_client

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 120
_HEIGHT = """async (language) => {
  const base = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { default: words } = await import(`${base}languages/${language}.js`);
  const back = document.querySelector('a.back').cloneNode();
  back.textContent = `${words.halted} · ${words.backToRace}`;
  document.querySelector('a.back').after(back);
  const { height } = back.getBoundingClientRect();
  back.remove();
  return height;
}"""


class Counting(NamedTuple):
    """A person's window on another screen, the other player, and the channel of their race, which is about to start."""

    window: Window
    other: WireClient
    channel: int


@asynccontextmanager
async def counting(
    server: ServerProcess, chromium: Chromium, countdown_ms: int = 60_000, limit_ms: int = 60_000
) -> AsyncGenerator[Counting]:
    async with asyncio.timeout(WITHIN), wire_client(server.url, name="Grace") as other:
        _, _, channel, race, *_ = await other.ask(
            "create", "617", "classic", 2, False, False, countdown_ms, limit_ms
        )
        window = await chromium.window(server.url, 320, 568, settings={"name": "Ada"})
        await window.go(f"/r/{race}")
        await window.press("I'm ready")
        await other.say(["ready", channel, True])
        await window.stage("countdown")
        await window.page.locator(".brand").click()
        await window.page.locator("a.back:visible").filter(has_text="Back to the race").wait_for()
        yield Counting(window, other, channel)


async def test_a_countdown_that_is_called_off_is_told_and_the_way_back_stays(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with counting(server, chromium) as (ada, other, channel):
        await other.say(["leave", channel])
        back = ada.page.locator("a.back:visible")
        await back.filter(has_text="Start called off").wait_for()
        await ada.hears("Start called off · Back to the race")
        for language in LANGUAGES:
            assert await ada.page.evaluate(_HEIGHT, language) < 48, f"{language}: two lines"
        await ada.press("Best times")
        await back.filter(has_text="Start called off").click()
        await ada.stage("lobby")
        assert await back.count() == 0
        await ada.sees("I'm ready")
        await ada.page.locator(".racer.mine").filter(has_text="not ready").wait_for()
        await ada.press("Leave")
        await ada.page.locator(".screen.practice").wait_for()
        assert await back.count() == 0
        assert ada.faults == []


async def test_a_race_that_ends_is_told_and_the_way_leads_to_its_result(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with counting(server, chromium, 5_000, 1_000) as (ada, _, _):
        back = ada.page.locator("a.back:visible")
        await back.filter(has_text="The time is up").wait_for()
        await ada.hears("The time is up")
        await back.click()
        await ada.stage("ended")
        assert await back.count() == 0


async def test_that_a_race_has_ended_is_told_once(server: ServerProcess, chromium: Chromium) -> None:
    async with counting(server, chromium, 5_000, 1_000) as (ada, _, _):
        back = ada.page.locator("a.back:visible")
        await back.filter(has_text="The time is up").wait_for()
        await ada.press("Best times")
        await ada.page.locator(".board").first.wait_for()
        assert await back.count() == 0
