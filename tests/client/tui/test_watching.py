"""Looking on at a race of a few, and of many: every key and the mouse, on a small terminal and on a large one."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import pytest
from msgspec import structs
from textual.geometry import Offset

from cellrace_client.tui.app import CellraceApp
from cellrace_client.tui.boards import Shelf
from cellrace_client.tui.layout import Layout
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.picture import board_picture
from cellrace_client.tui.watch import WatchScreen
from cellrace_engine import CLASSIC, Line, deal
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.board import pack
from cellrace_protocol.commands import Kind
from tests.client.test_client import Said, scripted, snapshot
from tests.client.tui.pilots import Driver, press, program, shown, until
from tests.client.tui.test_races import greeted

SIZES = [(80, 24), (120, 40)]
PLAYERS = [2, 8, 12]
CARD = re.compile(r"[A2-9TJQK][♣♦♥♠CDHS]")


def watched(players: int) -> e.Snapshot:
    position = Line.begin(CLASSIC, deal(617)).position
    board = pack(position.columns, position.cells, position.foundations)
    start = snapshot(5, -1)
    seats = [
        e.SeatView(f"p{n}", f"Player{n + 1}", Kind.BOT, True, False, -1, 0, 0, 0, 0, board)
        for n in range(players)
    ]
    return structs.replace(start, seats=seats, start=board, open_boards=True)


@pytest.fixture(autouse=True)
def quick_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clicks are a double click however slow this machine is."""
    monkeypatch.setattr(CellraceApp, "CLICK_CHAIN_TIME_THRESHOLD", 60.0)


@asynccontextmanager
async def looking_on(
    players: int,
    size: tuple[int, int],
    looks: Looks = Looks(),  # noqa: B008 - a frozen value
    **changed: object,
) -> AsyncGenerator[Driver]:
    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        shown_race = structs.replace(watched(players), **changed)
        await said.say(e.Entered(asked.r, 2, "race", -1, 1), shown_race)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race", url=url, size=size, looks=looks) as pilot:
        await until(pilot, lambda: "Player1 " in shown(pilot) and bool(CARD.search(shown(pilot))))
        yield pilot


def screen_of(pilot: Driver) -> WatchScreen:
    screen = pilot.app.screen
    assert isinstance(screen, WatchScreen)
    return screen


def columns(size: tuple[int, int], players: int) -> int:
    return min(players, size[0] // 40)


def marked(pilot: Driver) -> str:
    """Who is marked on the screen, and whose cards are below."""
    lines = shown(pilot).splitlines()
    for at, line in enumerate(lines):
        if (mark := re.search(r"▶ (Player\d+)", line)) is not None:
            left = mark.start()
            cards = [CARD.findall(below[left : left + 40]) for below in lines[at + 3 : at + 11]]
            return mark.group(1) if sum(map(len, cards)) >= 20 else "no cards"
    return ""


def alone(pilot: Driver, number: int) -> bool:
    names = re.findall(r"Player\d+", shown(pilot))
    return names == [f"Player{number}"] and len(CARD.findall(shown(pilot))) >= 40


def test_a_shelf_is_gone_along_by_rows_and_columns() -> None:
    shelf = Shelf(8, 3)
    ways: Mapping[str, tuple[int, int]] = {
        "left": (4, 3), "right": (4, 5), "up": (4, 1), "down": (3, 6), "home": (7, 0), "end": (0, 7),
    }  # fmt: skip
    assert all(shelf.beside(at, key) == to for key, (at, to) in ways.items())
    stays = [(0, "left"), (2, "right"), (7, "right"), (1, "up"), (7, "down")]
    assert all(shelf.beside(at, key) == at for at, key in stays)
    assert shelf.beside(5, "down") == 7, "the last row is shorter"
    assert (shelf.beside(0, "pagedown", 2), shelf.beside(7, "pageup", 2)) == (6, 1)
    assert shelf.beside(0, "x") is None


@pytest.mark.asyncio
@pytest.mark.parametrize(("players", "size"), [(players, size) for players in PLAYERS for size in SIZES])
async def test_every_board_can_be_chosen_and_its_cards_seen(players: int, size: tuple[int, int]) -> None:
    wide = columns(size, players)
    async with looking_on(players, size) as pilot:
        await until(pilot, lambda: marked(pilot) == "Player1")
        for keys, number in (
            ("right", 2),
            ("left", 1),
            ("end", players),
            ("up", players - wide if players > wide else players),
            ("pageup pageup pageup home", 1),
            ("down", 1 + wide if players > wide else 1),
        ):
            press(pilot, *keys.split())
            await until(pilot, lambda number=number: marked(pilot) == f"Player{number}")  # type: ignore[misc]


@pytest.mark.asyncio
@pytest.mark.parametrize(("players", "size"), [(2, SIZES[0]), (8, SIZES[1]), (12, SIZES[0])])
async def test_a_board_is_shown_alone_by_a_key_and_by_the_mouse(players: int, size: tuple[int, int]) -> None:
    async with looking_on(players, size) as pilot:
        press(pilot, "pagedown", "pagedown", "pagedown", "end", "enter")
        for key, number in (("", players), ("left", players - 1), ("right", players)):
            press(pilot, *key.split())
            await until(pilot, lambda number=number: alone(pilot, number))  # type: ignore[misc]
        press(pilot, "escape")
        await until(pilot, lambda: marked(pilot) == f"Player{players}")
        press(pilot, "enter", "enter", "home")
        await until(pilot, lambda: marked(pilot) == "Player1")
        at = place_of(pilot, "Player2")
        await pilot.click(offset=at)
        await until(pilot, lambda: marked(pilot) == "Player2")
        boards = screen_of(pilot).boards
        assert not boards.alone
        await pilot.double_click(offset=at)
        await until(pilot, lambda: alone(pilot, 2))
        await pilot.double_click(offset=at)
        await until(pilot, lambda: marked(pilot) == "Player2")
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.asyncio
async def test_boards_stand_together_on_a_wide_screen() -> None:
    async with looking_on(2, (200, 60)) as pilot:
        await until(pilot, lambda: "Player2" in shown(pilot))
        assert place_of(pilot, "Player2").x - place_of(pilot, "Player1").x < 60
        at = place_of(pilot, "Player2")
        await pilot.double_click(offset=at)
        await until(pilot, lambda: alone(pilot, 2))


@pytest.mark.asyncio
async def test_who_looks_on_is_told_how_the_series_stands() -> None:
    async with looking_on(2, (80, 24), best_of=3, game=2, wins=[0, 1]) as pilot:
        await until(pilot, lambda: "Best of 3, game 2. Player1: 0, Player2: 1" in shown(pilot))


@pytest.mark.asyncio
async def test_the_wheel_scrolls_and_chooses_nothing() -> None:
    async with looking_on(12, (80, 24)) as pilot:
        boards = screen_of(pilot).boards
        await until(pilot, lambda: boards.max_scroll_y > 0)

        def scrolled() -> bool:
            boards.scroll_down(animate=False)  # again: the first sight of the chosen one may come in between
            return boards.scroll_offset.y > 1

        await until(pilot, scrolled)
        assert boards.chosen == 0


@pytest.mark.asyncio
async def test_a_larger_terminal_shows_more_and_the_chosen_one_stays_in_view() -> None:
    async with looking_on(12, (80, 24)) as pilot:
        await pilot.press("end")
        await until(pilot, lambda: marked(pilot) == "Player12")
        for size in ((120, 40), (60, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: marked(pilot) == "Player12")


@pytest.mark.asyncio
async def test_letters_mark_the_chosen_one_where_there_are_no_symbols() -> None:
    async with looking_on(2, (80, 24), Looks(ascii=True)) as pilot:
        await until(pilot, lambda: "> Player1" in shown(pilot))


def place_of(pilot: Driver, text: str) -> Offset:
    for y, line in enumerate(shown(pilot).splitlines()):
        if text in line:
            return Offset(line.index(text), y)
    raise AssertionError(f"{text} is not on the screen")


def test_four_colours_tell_the_suits_apart_and_two_the_colours() -> None:
    position = Line.begin(CLASSIC, deal(617)).position
    for four in (True, False):
        text = board_picture(position, Layout(56, 20), Looks(four=four))
        styles = {
            suit: {str(span.style) for span in text.spans if text.plain[span.start : span.end].endswith(suit)}
            for suit in Looks().suits
        }
        cards = {suit: {style for style in found if style != "dim"} for suit, found in styles.items()}
        assert all(len(found) == 1 for found in cards.values())
        assert len({style for found in cards.values() for style in found}) == (4 if four else 2)
    assert cards["♦"] == cards["♥"] != cards["♣"] == cards["♠"]
