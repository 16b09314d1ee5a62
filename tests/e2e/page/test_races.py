"""Racing through a link, looking on, and coming back."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess, free_port, server_process
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 300


async def meet(host: Window, *others: Window, query: str = "", open_boards: bool = False) -> str:
    """People meet for a race on deal 617 by its link; it runs when this returns. Returns the link's path."""
    await host.go(f"/{query}#friend")
    await host.page.locator("summary").click()
    await host.page.locator("#with-deal").fill("617")
    await host.page.locator("#seats").select_option(str(len(others) + 1))
    if open_boards:
        await host.page.locator("#open").check()
    await host.presses("openRace")
    await host.stage("lobby")
    link = await host.page.locator("input.link").input_value()
    path = link.removeprefix(host.url)
    for other in others:
        await other.go(path)
        await other.presses("ready")
    for window in (host, *others):
        await window.stage("play")
    return path


async def test_two_race_to_the_end_and_a_third_looks_on(server: ServerProcess, chromium: Chromium) -> None:
    """One by drag, the other by keys."""
    async with asyncio.timeout(WITHIN):
        ada, grace, watcher = await chromium.windows(server.url, 3)
        path = await meet(ada, grace)
        await watcher.go(path)
        await watcher.stage("watch")
        line = winning_line()
        for move in line[:-1]:
            await ada.drag(move)
            await grace.type(move)
        await ada.settled()
        board = await ada.board()
        await watcher.until("() => document.querySelectorAll('card-table').length === 2")
        await watcher.until(
            "(home) => [...document.querySelectorAll('figcaption')].every((one) => one.textContent.includes(home))",
            f"{len(line) - 1} moves",
        )
        assert await watcher.board() == board
        await ada.drag(line[-1])
        await grace.type(line[-1])
        for window in (ada, grace, watcher):
            await window.stage("ended")
            await window.page.locator(".result table tr").nth(1).wait_for()
        assert [window.faults for window in (ada, grace, watcher)] == [[], [], []]
        await watcher.sees("you are taken along to watch")
        assert await watcher.page.get_by_role("button", name="Rematch").count() == 0
        await ada.press("Rematch")
        for window in (ada, grace, watcher):
            await window.stage("lobby")
        await ada.sees("Not ready after all")
        await grace.sees("Everyone is here. Press when you are ready.")
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")


# Until the page has had no connection for ten seconds, by the clock of the race, which goes on.
_TEN_SECONDS_LATER = """(from) => {
  const [minutes, seconds] = document.querySelector('.status .time').textContent.split(':').map(Number);
  return minutes * 60 + seconds >= from + 10;
}"""
_RACE_S = """() => {
  const [minutes, seconds] = document.querySelector('.status .time').textContent.split(':').map(Number);
  return minutes * 60 + seconds;
}"""
_BACK = "() => document.querySelector('.banner').hidden"


async def _stands(window: Window, board: str, moves: int) -> None:
    """The page shows this board, and so does the server."""
    await window.settled()
    await window.until(_BACK)
    assert (await window.board(), await window.moves()) == (board, moves)
    await window.page.reload()
    await window.stage("play")
    assert (await window.board(), await window.moves()) == (board, moves)


@pytest.mark.slow
async def test_nothing_is_lost_by_a_reload_or_a_lost_network(
    server: ServerProcess, chromium: Chromium
) -> None:
    """The player, and who looks on, have no network for ten seconds, in which moves are made, and the race goes on."""
    async with asyncio.timeout(WITHIN):
        ada, grace, watcher = await chromium.windows(server.url, 3)
        path = await meet(ada, grace)
        await watcher.go(path)
        await watcher.stage("watch")
        line = winning_line()
        await ada.plays(line[:10])
        await ada.settled()
        await _stands(ada, await ada.board(), 10)
        for window in (ada, watcher):
            await window.context.set_offline(True)
            await window.sees("No connection")
        began = await ada.page.evaluate(_RACE_S)
        await ada.plays(line[10:20])
        await grace.plays(line[:5])
        await ada.sees("10 moves on their way")
        board = await ada.board()
        await ada.until(_TEN_SECONDS_LATER, began)
        assert (await ada.board(), await ada.moves()) == (board, 20)
        for window in (ada, watcher):
            await window.context.set_offline(False)
        await _stands(ada, board, 20)
        await watcher.until(_BACK)
        for moves in (20, 5):
            await watcher.page.locator("figcaption").filter(has_text=f"{moves} moves").wait_for()
        await ada.page.keyboard.press("u")
        await ada.made(19)
        await ada.settled()
        await _loses_the_network_for_a_moment(ada)
        await ada.plays(line[19:])
        await grace.sees("52/52")
        await grace.gives_up()
        for window in (ada, grace, watcher):
            await window.stage("ended")
        await ada.sees("You won")
        assert grace.faults == []


async def _loses_the_network_for_a_moment(window: Window) -> None:
    await window.context.set_offline(True)
    await window.sees("No connection")
    await window.context.set_offline(False)
    await window.until(_BACK)


@pytest.mark.slow
async def test_a_restarted_server_loses_nothing(tmp_path: Path, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        port = free_port()
        line = winning_line()
        async with server_process(tmp_path / "data", port=port) as server:
            ada, grace, watcher = await chromium.windows(server.url, 3)
            path = await meet(ada, grace)
            await watcher.go(path)
            await watcher.stage("watch")
            await ada.plays(line[:10])
            await ada.settled()
            before = await ada.board()
            await server.stop()
        for window in (ada, grace, watcher):
            await window.sees("No connection")
        await ada.plays(line[10:15])
        await ada.sees("5 moves on their way")
        board = await ada.board()
        assert board != before
        async with server_process(tmp_path / "data", port=port):
            await _stands(ada, board, 15)
            await watcher.until(_BACK)
            await watcher.page.locator("figcaption").filter(has_text="15 moves").wait_for()
            await ada.plays(line[15:])
            await ada.stage("done")
            await grace.gives_up()
            for window in (ada, grace, watcher):
                await window.stage("ended")
            await ada.sees("You won")


@pytest.mark.slow
async def test_a_second_tab_takes_over_and_the_first_says_so(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        path = await meet(ada, grace)
        second = Window(ada.context, await ada.context.new_page(), ada.url)
        await second.go(path)
        await second.stage("play")
        await ada.stage("taken")
        await ada.press("Play here")
        await ada.stage("play")
        await second.stage("taken")


@pytest.mark.slow
async def test_a_race_is_played_through_the_readable_twin(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        frames = ada.frames()
        await meet(ada, grace, query="?json")
        line = winning_line()
        await ada.plays(line)
        await ada.stage("done")
        await grace.gives_up()
        for window in (ada, grace):
            await window.stage("ended")
        await ada.sees("You won")
        assert {type(frame) for kind in frames for frame in kind} == {str}
        said, heard = [[*map(json.loads, kind)] for kind in frames]
        assert [message[3] for message in said if message[0] == "m"] == [*line]
        assert [message[0] for message in heard].count("a") == len(line)
        assert ada.faults == grace.faults == []


@pytest.mark.slow
async def test_a_refused_move_goes_back(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        start = await ada.board()
        await ada.type("18")
        await ada.sees("it needs a black queen")
        assert await ada.board() == start
        await ada.gives_up()
        await grace.sees("gave up")
        await grace.gives_up()
        for window in (ada, grace):
            await window.stage("ended")
        await ada.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        await ada.press("Copy result")
        assert "/g/" not in await ada.page.locator(".result textarea").input_value()  # nobody was home
        assert await ada.page.get_by_text("Copied").count() == 0


async def test_whoever_hosts_now_can_start(server: ServerProcess, chromium: Chromium) -> None:
    """The race was opened by somebody who only hosts it, and goes; a third seat stays free."""
    async with asyncio.timeout(WITHIN), wire_client(server.url) as host:
        answer = await host.ask("create", "617", "classic", 3, False, False, 0, 600_000, False)
        ch, race = answer[2], answer[3]
        ada, grace = await chromium.windows(server.url, 2)
        start = 'button:has-text("Start now")'
        for window in (ada, grace):
            await window.go(f"/r/{race}")
            await window.sees("Waiting for")
        assert [await window.page.locator(start).count() for window in (ada, grace)] == [0, 0]
        await host.say(["part", ch])
        await grace.sees("The host is away")
        await host.ask("watch", race)
        await grace.page.get_by_text("The host is away").wait_for(state="hidden")
        await host.say(["leave", ch])
        for window in (ada, grace):
            await window.page.locator(".racer", has_text="(host)").wait_for()
        await ada.page.locator(start).wait_for()
        assert await ada.hears("You host the race now") == "You host the race now, and can start it."
        assert await grace.page.locator(start).count() == 0
        await ada.press("Start now")
        for window in (ada, grace):
            await window.stage("play")
        assert [window.faults for window in (ada, grace)] == [[], []]
