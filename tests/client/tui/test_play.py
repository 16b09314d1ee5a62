"""Every key and every way of the mouse, on a game alone."""

import io
import itertools
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cellrace_client.cli.draw import looks
from cellrace_client.languages import Catalogue
from cellrace_client.tui.layout import TOP_ROWS, Layout
from cellrace_client.tui.looks import Looks, terminal_encoding
from cellrace_client.tui.practice import PracticeScreen
from cellrace_engine import CLASSIC, RELAXED, Line, Move, deal, parse_move
from tests.client.tui.pilots import Driver, line_of, practice, said, screen_of, shown, until
from tests.support.lines import winning_line

pytestmark = pytest.mark.asyncio


async def test_two_keys_make_a_move_and_the_rest_of_the_keys_do_what_they_say() -> None:
    async with practice() as pilot:
        await pilot.press("2", "a", "2", "b")
        assert line_of(pilot).moves == 2
        await pilot.press("u")
        assert line_of(pilot).moves == 1
        await pilot.press("ctrl+z")
        assert line_of(pilot).moves == 0
        await pilot.press("r", "ctrl+y")
        assert line_of(pilot).moves == 2
        await pilot.press("R")
        assert line_of(pilot).moves == 2
        assert "R" in said(pilot)
        await pilot.press("R")
        assert line_of(pilot).moves == 0


@pytest.mark.parametrize("between", ["left", "3", "x", "mouse"])
async def test_what_is_asked_twice_is_asked_twice_running(between: str) -> None:
    async with practice() as pilot:
        await pilot.press("2", "a", "R")
        if between == "mouse":
            await pilot.mouse_down("BoardWidget", offset=(6, 8))
        else:
            await pilot.press(between)
        assert "R" not in said(pilot)
        await pilot.press("R")
        assert line_of(pilot).moves == 1
        assert "R" in said(pilot)
        await pilot.press("R")
        assert line_of(pilot).moves == 0


async def test_a_refused_move_says_why_until_something_changes() -> None:
    async with practice() as pilot:
        await pilot.press("1", "2")
        assert said(pilot) == reason("12")
        await pilot.press("2", "a")
        assert said(pilot) == ""


def reason(text: str) -> str:
    line = Line.begin(CLASSIC, deal(617))
    refusal = line.reason_against(parse_move(text, line))
    assert refusal is not None
    return Looks().signed(Catalogue("en").why(str(refusal.reason), refusal.text, refusal))


async def test_a_count_can_be_named_by_keys_and_in_full() -> None:
    async with practice() as pilot:
        await pilot.press("1", "v", "3", "2")
        assert said(pilot) == reason("12v3")
        await pilot.press("colon", *"12v4", "enter")
        assert said(pilot) == reason("12v4")
        await pilot.press("colon", *"2a", "escape", "2", "a")
        assert line_of(pilot).moves == 1


async def test_v_before_a_move_says_what_it_is_for_and_shifts_nothing() -> None:
    async with practice() as pilot:
        await pilot.press("v")
        assert said(pilot) == "v names how many cards, after the first key of a move: 2v34"
        await pilot.press("2", "a")
        assert line_of(pilot).moves == 1
        await pilot.press("3", "v", "v", "b")
        assert said(pilot).startswith("from column 3, 11 cards: where to?")
        await pilot.press("escape", "3", "v", "h", "2", "b")  # h is no number: it ends the count
        assert line_of(pilot).moves == 2


async def test_the_line_says_what_is_in_hand_and_any_command_lets_go() -> None:
    async with practice() as pilot:
        await pilot.press("4")
        assert said(pilot) == "from column 4: where to? Esc lets go"
        await pilot.press("v")
        assert said(pilot).startswith("from column 4: how many cards?")
        await pilot.press("2")
        assert said(pilot) == "from column 4, 2 cards: where to? Esc lets go"
        await pilot.press("escape")
        assert said(pilot) == ""
        for command in ("u", "r", "f", "R", "?"):
            await pilot.press("4", command)
            assert screen_of(pilot).board.hand.held is None
        await pilot.press("4", "f1", "f1", "2", "a")
        assert line_of(pilot).moves == 1
        await pilot.press("a")
        assert said(pilot) == "from free cell a: where to? Esc lets go"


@pytest.mark.parametrize(
    ("deal", "key", "why"),
    [
        ("617", "h", "these rules never take a card back from a foundation"),
        ("617 relaxed", "h", "foundation"),
        ("617", "a", "is empty"),
    ],
)
async def test_what_gives_nothing_is_not_taken_up(deal: str, key: str, why: str) -> None:
    async with practice(deal) as pilot:
        await pilot.press(key)
        assert why in said(pilot)
        assert screen_of(pilot).board.hand.held is None
        await pilot.press("2", "a")
        assert line_of(pilot).moves == 1


async def test_keys_count_by_their_place_on_other_keyboards() -> None:
    async with practice() as pilot:
        await pilot.press("é", "ф")  # 2 on a French keyboard, a on a Ukrainian one
        assert line_of(pilot).moves == 1
        await pilot.press("г")  # noqa: RUF001
        assert line_of(pilot).moves == 0
        await pilot.press("К", "к", "1", "м", "ç", "2")  # noqa: RUF001 - R, r, 1v92
        assert said(pilot) == reason("12v9")


async def test_arrows_and_enter_carry_cards() -> None:
    async with practice() as pilot:
        await pilot.press("right", "right", "enter")
        assert screen_of(pilot).board.hand.source == (1, 1)
        await pilot.press("down", "enter")  # nothing is below: the cursor stays, and the card is put back
        await pilot.press("enter")
        for _ in range(7):
            await pilot.press("up")
        await pilot.press("left", "enter")
        assert line_of(pilot).moves == 1
        assert line_of(pilot).step is not None


async def test_a_click_takes_up_and_the_next_puts_down() -> None:
    async with practice() as pilot:
        await pilot.click("BoardWidget", offset=(6, 8))
        assert screen_of(pilot).board.hand.source == (1, 1)
        await pilot.click("BoardWidget", offset=(1, 0))
        assert line_of(pilot).step is not None
        assert line_of(pilot).steps()[0].move == Move(1, 8)


async def test_escape_lets_go_and_then_leaves() -> None:
    async with practice() as pilot:
        await pilot.press("2", "escape", "2", "a")
        assert line_of(pilot).moves == 1
        await pilot.press("escape")
        assert said(pilot) == "Press Esc once more to leave: this game is not kept"
        await pilot.press("u", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.screen_stack[1])


async def test_a_key_that_does_nothing_says_so() -> None:
    """What was said before is no answer to it."""
    async with practice() as pilot:
        await pilot.press("1", "2")
        assert "does not go on" in said(pilot)
        await pilot.press("9")
        assert said(pilot) == "9 is no key here: F1 shows them all"


async def test_a_double_click_sends_a_card_where_a_tap_does() -> None:
    async with practice() as pilot:
        before = line_of(pilot)
        wanted = before.tap(1)
        await pilot.click("BoardWidget", offset=(6, 8), times=2)
        assert line_of(pilot).steps()[0].move == wanted


async def test_a_card_can_be_dragged() -> None:
    async with practice() as pilot:
        await pilot.mouse_down("BoardWidget", offset=(6, 8))
        await pilot.hover("BoardWidget", offset=(4, 3))
        await pilot.mouse_up("BoardWidget", offset=(1, 0))
        assert line_of(pilot).steps()[0].move == Move(1, 8)


@pytest.mark.parametrize("by", ["clicks", "drag"])
async def test_an_illegal_target_says_why_and_takes_nothing(by: str) -> None:
    async with practice() as pilot:
        if by == "drag":
            await drag(pilot, spot(pilot, 0), spot(pilot, 1))
        else:
            await pilot.click("BoardWidget", offset=spot(pilot, 0))
            await pilot.click("BoardWidget", offset=spot(pilot, 1))
        assert said(pilot) == reason("12")
        assert line_of(pilot).moves == 0
        assert screen_of(pilot).board.hand.source is None


async def test_a_double_click_sends_a_card_home() -> None:
    async with after(27) as pilot:
        await pilot.click("BoardWidget", offset=spot(pilot, 5), times=2)
        assert line_of(pilot).moves == 28
        assert line_of(pilot).steps()[-1].move == Move(5, 15)


async def test_two_double_clicks_running_are_two() -> None:
    async with practice() as pilot:
        await pilot.click("BoardWidget", offset=spot(pilot, 2), times=4)
        assert line_of(pilot).moves == 2
        assert screen_of(pilot).board.hand.source is None


@pytest.mark.parametrize(
    ("moves", "source", "destination"),
    [(24, 3, 6), (29, 5, 3)],
    ids=["onto a card", "into an empty column"],
)
async def test_a_run_can_be_dragged(moves: int, source: int, destination: int) -> None:
    async with after(moves) as pilot:
        await drag(pilot, spot(pilot, source, 2), spot(pilot, destination))
        assert line_of(pilot).steps()[-1].move == Move(source, destination, 2)


async def test_part_of_a_run_can_be_dragged_into_an_empty_column() -> None:
    async with after(29) as pilot:
        await drag(pilot, spot(pilot, 5, 1), spot(pilot, 3))
        assert line_of(pilot).steps()[-1].move == Move(5, 3, 1)


@pytest.mark.parametrize("where", ["#side", "#said", "#title"])
async def test_a_drag_released_outside_moves_nothing(where: str) -> None:
    async with practice() as pilot:
        await pilot.mouse_down("BoardWidget", offset=spot(pilot, 1))
        await pilot.hover(where, offset=(1, 0))
        await pilot.mouse_up(where, offset=(1, 0))
        assert line_of(pilot).moves == 0
        assert said(pilot) == ""
        assert screen_of(pilot).board.hand.source is None
        await drag(pilot, spot(pilot, 1), (1, 0))
        assert line_of(pilot).steps()[-1].move == Move(1, 8)


async def test_a_right_click_lets_go_and_never_moves() -> None:
    async with practice() as pilot:
        board = screen_of(pilot).board
        await pilot.click("BoardWidget", offset=spot(pilot, 1))
        assert board.hand.source == (1, 1)
        await pilot.click("BoardWidget", offset=(1, 0), button=RIGHT)
        assert board.hand.source is None
        await pilot.click("BoardWidget", offset=spot(pilot, 1), button=RIGHT, times=2)
        await pilot.mouse_down("BoardWidget", offset=spot(pilot, 1), button=RIGHT)
        await pilot.mouse_up("BoardWidget", offset=(1, 0))
        assert board.hand.source is None
        assert line_of(pilot).moves == 0


RIGHT = 3


@asynccontextmanager
async def after(moves: int) -> AsyncGenerator[Driver]:
    """A game alone, so many moves on its way home."""
    async with practice() as pilot:
        for text in winning_line()[:moves]:
            screen_of(pilot).table.move(text)
        screen_of(pilot).show()
        await pilot.pause()
        yield pilot


def spot(pilot: Driver, pile: int, depth: int = 1) -> tuple[int, int]:
    """Where a card of a column is on the board of the smallest terminal."""
    step = Layout(*screen_of(pilot).board.size).step
    return step * pile + 1, TOP_ROWS + max(0, len(line_of(pilot).position.columns[pile]) - depth)


async def drag(pilot: Driver, source: tuple[int, int], destination: tuple[int, int]) -> None:
    await pilot.mouse_down("BoardWidget", offset=source)
    await pilot.hover("BoardWidget", offset=destination)
    await pilot.mouse_up("BoardWidget", offset=destination)


async def test_a_hint_names_a_move_that_wins() -> None:
    async with practice() as pilot:
        await pilot.press("?")
        await until(pilot, lambda: said(pilot).startswith("Hint: "))
        move = said(pilot).removeprefix("Hint: ")
        await pilot.press(*move)
        assert line_of(pilot).moves == 1


async def test_a_game_is_played_home_finished_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with practice("617 relaxed") as pilot:
        await pilot.press("f")
        assert said(pilot) == "not yet: T♦ lies on 7♦ in column 1; once no card lies on a lower one"
        moves = iter(winning_line(RELAXED))
        while not line_of(pilot).finishable:
            screen_of(pilot).table.move(next(moves))
        await until(pilot, lambda: "f sends" in said(pilot))
        await pilot.press("f")
        assert line_of(pilot).won
        assert said(pilot).startswith("All cards are home")
        await pilot.press("f")
        assert said(pilot) == "the game is won: all 52 cards are home"
        await pilot.press("s")
        assert ".json" in (kept := said(pilot))
        monkeypatch.setattr("time.strftime", "later".format)
        await pilot.press("x", "s")
        assert said(pilot) == kept, "the same run is not kept twice"
        assert "n another deal  s keep it  Esc back" in shown(pilot)
        won = pilot.app.screen
        await pilot.press("n")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, PracticeScreen) and pilot.app.screen is not won
        )
        assert line_of(pilot).rules == RELAXED
        assert won not in pilot.app.screen_stack
    assert len(list(tmp_path.glob("*.json"))) == 1  # noqa: ASYNC240 - nothing else runs


@pytest.mark.parametrize("size", [(80, 24), (81, 25), (120, 40), (200, 60)])
async def test_the_board_is_whole_on_every_terminal_from_80_by_24_up(size: tuple[int, int]) -> None:
    async with practice(size=size) as pilot:
        await pilot.pause()
        text = shown(pilot)
        cards = ["".join(pair) for pair in itertools.pairwise(text) if pair[1] in "♣♦♥♠" and pair[0] in RANKS]
        assert len(cards) == 52
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert sum(text.count(suit) for suit in "♣♦♥♠") == 56


@pytest.mark.parametrize("size", [(80, 24), (96, 30), (120, 40), (200, 60)])
async def test_what_is_beside_the_board_stays_beside_it(size: tuple[int, int]) -> None:
    async with practice(size=size) as pilot:
        await until(pilot, lambda: " 0 moves" in shown(pilot))
        screen = screen_of(pilot)
        last = shown(pilot).splitlines()[1].index("♠")
        assert 0 < screen.side.region.x - last < 12
        assert screen.side.region.right <= size[0]
        assert screen.side.region.width >= 38


RANKS = "A23456789TJQK"


async def test_without_symbols_there_are_letters_only() -> None:
    async with practice(looks=Looks(ascii=True)) as pilot:
        await pilot.pause()
        assert screen_of(pilot).board.render().plain.isascii()


@pytest.mark.parametrize("language", ["fr", "it", "nl", "uk"])
async def test_a_refusal_is_in_the_players_language(language: str) -> None:
    async with practice(language=language) as pilot:
        await pilot.press("u")
        assert said(pilot) == screen_of(pilot).words.texts["why.nothing_to_undo"]


async def test_a_sentence_has_the_signs_that_the_board_has() -> None:
    said = "JD does not go on KS, as in FC1-C4-AAAAAKH"
    assert Looks().signed(said) == "J♦ does not go on K♠, as in FC1-C4-AAAAAKH"
    assert Looks(ascii=True).signed(said) == said


async def test_a_view_that_redraws_itself_shows_the_symbols_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While it is on, standard output is somebody who names no encoding."""

    class Unnamed(io.TextIOBase):
        pass

    monkeypatch.setattr(sys, "__stdout__", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    monkeypatch.setattr(sys, "stdout", Unnamed())
    assert terminal_encoding() == "utf-8"
    assert not looks().ascii
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert looks().ascii
