"""Moves as text: canonical out, lenient in, and a word on what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import (
    CLASSIC,
    LINEAR,
    NO_CARD,
    RELAXED,
    Line,
    Move,
    NotationError,
    Position,
    Reason,
    Refusal,
    deal,
    format_move,
    legal_moves,
    parse_card,
    parse_move,
    read_move,
)
from tests.engine.strategies import lines, steady


@steady
@given(lines)
def test_every_legal_move_round_trips_in_any_case(line: Line) -> None:
    for move in legal_moves(line.position, line.rules):
        text = format_move(move, line.position, line.rules)
        assert parse_move(text, line) == move, text
        assert read_move(f" {text.upper()} ", line.position, line.rules) == move
        assert text == text.lower()
        assert len(text) <= 4


@steady
@given(lines, st.integers(0, 15), st.integers(0, 15), st.integers(1, 13))
def test_every_other_move_round_trips_too(line: Line, source: int, destination: int, count: int) -> None:
    move = Move(source, destination, count)
    text = format_move(move, line.position, line.rules)
    read = read_move(text, line.position, line.rules)
    assert read == move or (isinstance(read, Refusal) and line.reason_against(move) is not None)


@steady
@given(lines, st.text(max_size=6))
def test_any_text_is_read_or_refused_with_a_word(line: Line, text: str) -> None:
    read = read_move(text, line.position, line.rules)
    assert isinstance(read, Move) or read.text


def board(columns: str, cells: str = ",,,", heights: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Position:
    """A position of the named piles; cards not named lie unnamed nowhere, so it is not checked."""
    cards = [bytes(map(parse_card, column.split())) for column in columns.split("/")]
    held = bytes(parse_card(cell) if cell else NO_CARD for cell in cells.split(","))
    return Position(tuple(cards), held, bytes(heights))


RUN = board("KC 5H 4S 3H 2S/6S/KH/KD/KS/QC//")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("12", Move(0, 1, 4)),  # onto a card: the only length that fits
        ("17", Move(0, 6, 4)),  # to an empty column: the longest run
        ("17v2", Move(0, 6, 2)),
        ("17V3", Move(0, 6, 3)),
        ("27", Move(1, 6, 1)),
        ("1a", Move(0, 8)),
        ("1H", Move(0, 15)),
        ("1hs", Move(0, 15)),
        ("1hd", Move(0, 13)),
        ("ab", Move(8, 9)),
        ("hd5", Move(13, 4)),
        ("hdd", Move(13, 11)),
        ("hhc", Move(14, 10)),
        ("6 7", Move(5, 6)),
    ],
)
def test_texts_mean_moves(text: str, move: Move) -> None:
    assert parse_move(text, RUN, RELAXED) == move


def test_an_explicit_count_is_written_only_where_it_says_something() -> None:
    assert format_move(Move(0, 6, 4), RUN, CLASSIC) == "17"
    assert format_move(Move(0, 6, 2), RUN, CLASSIC) == "17v2"
    assert format_move(Move(0, 1, 4), RUN, CLASSIC) == "12"
    long_run = board("KC QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H/////KD/KS/")
    assert format_move(Move(0, 7, 11), long_run, CLASSIC) == "18vb"
    assert parse_move("18vb", long_run, CLASSIC) == parse_move("18v11", long_run, CLASSIC) == Move(0, 7, 11)


def test_the_longest_run_depends_on_the_rules() -> None:
    position = board("KC QH JS TH 9S 8H 7S/KD/KS/KH/QC///", "AC,AD,AH,")
    assert parse_move("16", position, CLASSIC) == Move(0, 5, 7)
    assert parse_move("16", position, LINEAR) == Move(0, 5, 6)


def test_the_suit_follows_where_several_foundations_could_be_meant() -> None:
    position = board("5S//7C/KH/KD/KS/QC/JC", heights=(3, 4, 4, 3))
    assert format_move(Move(13, 0), position, RELAXED) == "hd1"
    assert format_move(Move(12, 1), position, RELAXED) == "hc2"
    refusal = read_move("h1", position, RELAXED)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.AMBIGUOUS
    assert refusal.text == "'h1' could be hd1 or hh1"
    alone = board("5S//7C/KH/KD/KS/QC/JC", heights=(3, 4, 5, 3))
    assert format_move(Move(13, 0), alone, RELAXED) == "h1"
    assert parse_move("h1", alone, RELAXED) == Move(13, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no move"),
        ("9a", "'9' is no pile"),
        ("2", "is no move"),
        ("266", "is no move"),
        ("26v", "a count from 1 to d"),
        ("26v0", "a count from 1 to d"),
        ("26v14", "a count from 1 to d"),
        ("26vx", "a count from 1 to d"),
        ("undo", "'u' is no pile"),
        ("hh", "from one foundation to another"),
        ("h5", "never take a card back"),
        ("x" * 4000, "'x' is no pile"),
    ],
)
def test_a_text_that_is_no_move_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says) as caught:
        parse_move(text, deal(1), CLASSIC)
    assert len(str(caught.value)) < 200


def test_a_foundation_card_that_fits_nowhere_is_refused_with_a_reason() -> None:
    position = board("5S//7C/KH/KD/KS/QC/JC", heights=(1, 2, 2, 3))
    refusal = read_move("h1", position, RELAXED)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.WRONG_COLOUR_OR_RANK
