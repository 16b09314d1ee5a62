"""Positions: text both ways, drawing, and faults that are named."""

import copy
import pickle

import pytest
from hypothesis import given

from cellrace_engine import CLASSIC, Line, Move, Position, PositionError, deal
from tests.engine.strategies import lines, steady

START = deal(617).text


@steady
@given(lines)
def test_text_round_trips_and_there_are_always_fifty_two_cards(line: Line) -> None:
    line.position.check()
    assert Position.parse(line.position.text) == line.position
    assert hash(Position.parse(line.position.text)) == hash(line.position)


def test_text_is_read_leniently() -> None:
    assert Position.parse(START.lower().replace("/", " /\n")) == deal(617)


def test_an_empty_cell_of_one_is_read() -> None:
    assert Position.parse(deal(5, 1).text) == deal(5, 1)


def test_drawing_shows_every_card() -> None:
    drawing = str(deal(617))
    assert drawing.splitlines()[0] == "a:-- b:-- c:-- d:--   C:- D:- H:- S:-"
    assert drawing.splitlines()[2] == "7D  AD  5C  3S  5S  8C  2D  AH"
    assert deal(617).draw() == drawing


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "three parts"),
        ("|||", "three parts"),
        (START.replace("/", "|", 1), "three parts"),
        (START.replace("/", "", 1), "8 columns"),
        (START.replace("|,,,|", "|,,|"), "4, 2 or 1 cells"),
        (START.replace("7D", "7X", 1), "column 1: '7X' is no card"),
        (START.replace("7D", "D", 1), "column 1: .* is not a list of two-letter cards"),
        (START.replace("7D", "AD", 1), "AD is there twice: in column 1 and in column 2"),
        (START.replace("7D", "", 1), "missing: 7D"),
        (START.replace("|,,,|", "|7D,,,|"), "7D is there twice: in cell a and in column 1"),
        (START.replace("|,,,|", "|7D6D,,,|"), "cell a: one card at most"),
        (START.replace("C0", "C14"), "foundations"),
        (START.replace("C0", "C"), "foundations"),
        (START.replace("C0", ""), "foundations"),
        (START.replace("C0", "Cx"), "foundations"),
        (START.replace("C0D0", "D0C0"), "foundations"),
        (START.replace("C0", "C1"), "AC is there twice"),
    ],
)
def test_a_fault_in_a_text_is_named(text: str, says: str) -> None:
    with pytest.raises(PositionError, match=says.replace("?", "")):
        Position.parse(text)


@pytest.mark.parametrize(
    "position",
    [
        Position((), b"4444", bytes(4)),
        Position(deal(1).columns, b"444", bytes(4)),
        Position(deal(1).columns, b"4444", bytes(3)),
        Position((bytes([99]), *deal(1).columns[1:]), b"4444", bytes(4)),
    ],
)
def test_check_refuses_what_cannot_be(position: Position) -> None:
    with pytest.raises(PositionError):
        position.check()


@steady
@given(lines)
def test_a_position_of_play_is_the_same_value_as_one_that_was_made(line: Line) -> None:
    played = line.position
    columns, cells, foundations = played
    made = Position(columns, cells, foundations)
    assert played == made
    assert (hash(played), repr(played), played.parts) == (hash(made), repr(made), made.parts)
    other = played._replace(cells=b"----")  # pyright: ignore[reportPrivateUsage]
    assert other.parts == (columns, b"----", foundations)
    assert played != other
    assert played != played.parts
    match played:
        case Position(first, second, third):
            assert (first, second, third) == (columns, cells, foundations)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_position_survives_pickle_and_copy(protocol: int) -> None:
    for position in (deal(617), Line.begin(CLASSIC, deal(617)).play(Move(0, 8)).position):
        other = pickle.loads(pickle.dumps(position, protocol))  # noqa: S301  # our own
        assert (type(other), other) == (Position, position)
        assert copy.copy(position) is copy.deepcopy(position) is position


def test_a_position_has_no_room_for_anything_else() -> None:
    for position in (deal(617), Line.begin(CLASSIC, deal(617)).play(Move(0, 8)).position):
        with pytest.raises(AttributeError):
            position.score = 1  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
