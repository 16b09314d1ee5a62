"""A network that is silent, which is worse than one that says it is gone."""

import asyncio
import signal

import pytest

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300


async def test_moves_that_nobody_answers_for_a_while_are_not_lost(
    server: ServerProcess, chromium: Chromium
) -> None:
    """The server stands still until the page has given two connections up: more than ten seconds."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        opened = 0

        def count(_: object) -> None:
            nonlocal opened
            opened += 1

        ada.page.on("websocket", count)
        await meet(ada, grace)
        line = winning_line()
        await ada.plays(line[:10])
        await ada.settled()
        server.process.send_signal(signal.SIGSTOP)
        try:
            await ada.plays(line[10:20])
            await ada.sees("10 moves on their way")
            await ada.sees("No connection")
            await ada.plays(line[20:25])
            await ada.sees("15 moves on their way")
            while opened < 3:
                await ada.page.wait_for_event("websocket")
        finally:
            server.process.send_signal(signal.SIGCONT)
        await ada.settled()
        await ada.until("() => document.querySelector('.banner').hidden")
        assert await ada.moves() == 25
        board = await ada.board()
        await ada.page.reload()
        await ada.stage("play")
        assert await ada.board() == board
        assert await ada.moves() == 25
        await ada.plays(line[25:])
        await grace.gives_up()
        await ada.sees("You won")
        assert ada.faults == grace.faults == []


async def test_who_only_waits_notices_a_server_that_is_silent(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Nothing was asked: in a lobby there is nothing to wait for but others."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        link = await ada.invites()
        server.process.send_signal(signal.SIGSTOP)
        try:
            await ada.sees("No connection")
        finally:
            server.process.send_signal(signal.SIGCONT)
        await ada.until("() => document.querySelector('.banner').hidden")
        await grace.go(link.removeprefix(grace.url))
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")


@pytest.mark.parametrize("who", ["asks", "is brought along"])
async def test_a_rematch_is_met_by_who_had_no_network_when_it_was_asked_for(
    server: ServerProcess, chromium: Chromium, who: str
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        for window in (ada, grace):
            await window.gives_up()
        for window in (ada, grace):
            await window.stage("ended")
        lost = ada if who == "asks" else grace
        await lost.context.set_offline(True)
        await lost.sees("No connection")
        await ada.press("Rematch")
        if lost is grace:
            await ada.stage("lobby")
        await lost.context.set_offline(False)
        for window in (ada, grace):
            await window.stage("lobby")
        await grace.press("I'm ready")  # who asked for it is
        for window in (ada, grace):
            await window.stage("play")


async def test_a_list_that_was_left_before_there_was_a_connection_is_not_followed(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        ended = asyncio.Event()

        def hear(frame: str | bytes) -> None:
            if "unfollow" in str(frame):
                ended.set()

        window.page.on("websocket", lambda socket: socket.on("framesent", hear))
        await window.go("/?json")
        await window.sees("New deal")
        await window.context.set_offline(True)
        await window.press("Watch")
        await window.sees("No connection")
        await window.press("cellrace")
        await window.page.locator(".screen.practice").wait_for()
        assert not ended.is_set()
        await window.context.set_offline(False)
        await ended.wait()


async def test_back_to_a_race_that_the_page_has_needs_no_network(
    server: ServerProcess, chromium: Chromium
) -> None:
    """It is as it was, with the state of the connection; moves wait for it, and the result stays."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        line = winning_line()
        await ada.plays(line[:3])
        await ada.settled()
        board = await ada.board()
        await ada.press("Best times")
        await ada.page.locator(".board").first.wait_for()
        await ada.context.set_offline(True)
        await ada.page.locator(".banner:visible").wait_for()
        await ada.page.go_back()
        await ada.stage("play")
        assert await ada.board() == board
        assert await ada.page.locator("a.back").is_hidden()
        await ada.sees("No connection. Your moves are kept")
        await ada.plays(line[3:5])
        await ada.sees("2 moves on their way")
        await ada.page.go_forward()
        await ada.page.locator("a.back:visible").wait_for()
        await ada.page.go_back()
        await ada.sees("2 moves on their way")
        await ada.context.set_offline(False)
        await ada.settled()
        assert await ada.moves() == 5
        for window in (ada, grace):
            await window.gives_up()
        await ada.stage("ended")
        await ada.press("cellrace")
        await ada.page.locator(".screen.practice").wait_for()
        await ada.context.set_offline(True)
        await ada.page.locator(".banner:visible").wait_for()
        await ada.page.go_back()
        await ada.stage("ended")


async def test_back_to_a_lobby_that_one_has_left_asks_for_the_seat_again(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        link = await grace.invites()
        await ada.go(link.removeprefix(ada.url))
        await ada.press("Leave")
        await ada.page.locator(".screen.practice").wait_for()
        await ada.context.set_offline(True)
        await ada.page.go_back()
        await ada.sees("This needs the network")
        await ada.context.set_offline(False)
        await ada.stage("lobby")
        await ada.page.locator(".racer.mine").wait_for()


_COVERED = """() => {
  const banner = document.querySelector('.banner').getBoundingClientRect();
  return [...document.querySelectorAll('.status > :not([hidden]), .racer .name, h1, .tool, button, .card')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < banner.right && right > banner.left && top < banner.bottom && bottom > banner.top;
    }).map((one) => one.textContent);
}"""


async def test_what_is_said_of_the_connection_covers_nothing(
    server: ServerProcess, chromium: Chromium
) -> None:
    """On phones, upright and lying, and on a desk; and it moves no board."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        await meet(ada, grace)
        sizes = ((390, 844), (320, 568), (844, 390), (568, 320), (1024, 768), (1440, 900))
        box = "document.querySelector('card-table').getBoundingClientRect().top"
        tops: list[float] = []
        for width, height in sizes:
            await ada.page.set_viewport_size({"width": width, "height": height})
            tops.append(await ada.page.evaluate(box))
        await ada.context.set_offline(True)
        await ada.sees("No connection")
        await ada.plays(winning_line()[:2])
        await ada.sees("2 moves on their way")
        for (width, height), top in zip(sizes, tops, strict=True):
            await ada.page.set_viewport_size({"width": width, "height": height})
            assert await ada.page.evaluate(_COVERED) == [], (width, height)
            assert await ada.page.evaluate(box) == top
        await ada.page.set_viewport_size({"width": 390, "height": 844})
        await ada.press("Menu")
        await ada.press("Daily deal")
        await ada.sees("This needs the network.")
        assert await ada.page.evaluate(_COVERED) == []
        await ada.context.set_offline(False)
        await ada.sees("Play today's deal")
        assert ada.faults == [] or all("net::" in fault or "WebSocket" in fault for fault in ada.faults)
