"""Outsize numbers, long texts and letters that only look right: own errors, in few words."""

from typing import Any

import pytest

from cellrace_engine import (
    CLASSIC,
    RELAXED,
    CardError,
    Game,
    Line,
    Move,
    NotationError,
    Position,
    PositionError,
    Refusal,
    Replay,
    ReplayError,
    Rules,
    RulesError,
    deal,
    format_move,
    parse_card,
    parse_move,
    parse_rules,
    read_move,
)

HUGE = 10**5000
LONG = 10**5


@pytest.mark.parametrize("sign", [1, -1])
def test_moves_with_outsize_numbers_are_refused(sign: int) -> None:
    line = Line.begin(RELAXED, deal(1))
    huge = sign * HUGE
    for move in (
        Move(huge, 8),
        Move(0, huge),
        Move(huge, huge),
        Move(0, 1, huge),
        Move(0, 8, huge),
        Move(8, 0, huge),
    ):
        refusal = line.try_play(move)
        assert isinstance(refusal, Refusal)
        assert len(refusal.text) < 120
        assert len(repr(refusal)) < 400
        with pytest.raises(NotationError):
            format_move(move, line.position, RELAXED)
    assert line.tap(huge) is None
    assert line.tap(0, huge) is None


@pytest.mark.parametrize(
    "move", [Move(99, 1), Move(-1, 1), Move(0, 16), Move(0, -1), Move(0, 1, 0), Move(0, 1, 14)]
)
def test_a_move_without_a_text_is_not_written(move: Move) -> None:
    with pytest.raises(NotationError):
        Game(1).text_of(move)


def test_a_position_needs_rules_to_read_a_move() -> None:
    unruled: Any = parse_move
    with pytest.raises(TypeError, match="rules"):
        unruled("1a", deal(1))


@pytest.mark.parametrize("field", ["cells", "points_to_foundation", "points_taken_back", "undo_depth"])
@pytest.mark.parametrize("value", [HUGE, -HUGE, "x" * LONG], ids=["high", "low", "long"])
def test_rules_name_the_field(field: str, value: Any) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(RulesError) as caught:
        Rules(**changes)
    assert caught.value.field == field
    assert len(str(caught.value)) < 200


BOARD, CELLS, HEIGHTS = deal(1).text.split("|")


@pytest.mark.parametrize(
    "text",
    [
        f"{BOARD}|{CELLS}|C0D0H0S" + "9" * 5000,
        f"{BOARD}|{CELLS}|C" + "9" * 5000 + "D0H0S0",
        f"{BOARD}|{CELLS}|C0D0H0" + "S" * LONG,
        f"{BOARD}|{'x' * LONG},,,|{HEIGHTS}",
        "x" * (LONG + 1) + BOARD + f"|{CELLS}|{HEIGHTS}",
        "x" * LONG + BOARD + f"|{CELLS}|{HEIGHTS}",
        f"{BOARD}|{CELLS}|C0D0H0\u017f0",
        f"{BOARD.replace('S', chr(0x17F), 1)}|{CELLS}|{HEIGHTS}",
    ],
    ids=range(8),
)
def test_layouts_that_cannot_be_are_told_in_few_words(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.parse(text)
    assert len(str(caught.value)) < 200
    with pytest.raises(ReplayError, match="layout: "):
        Replay(CLASSIC, (), layout=text)


def test_heights_may_have_leading_zeros() -> None:
    assert Position.parse(f"{BOARD}|{CELLS}|C00D0H000S0") == deal(1)


@pytest.mark.parametrize("text", ["A\u017f", "\u212aS", "x" * LONG], ids=range(3))
def test_what_only_looks_like_a_card_is_none(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text", ["poc\u212aet", "classic+cell\u017f=2", "linear+take_bac\u212a=never", "x" * LONG]
)
def test_what_only_looks_like_rules_is_none(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert len(str(caught.value)) < 300


def test_long_texts_of_moves_are_told_in_few_words() -> None:
    for text in ("x" * LONG, "h" + " " * LONG + "5", "26v" + "9" * LONG):
        refusal = read_move(text, deal(1), RELAXED)
        assert isinstance(refusal, Refusal)
        assert len(refusal.text) < 200
