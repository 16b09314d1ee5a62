"""From a way between states to moves that the referee accepts, each one tried on him."""

from collections.abc import Iterable

from cellrace_engine.cards import NO_CARD
from cellrace_engine.line import Line
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, Move
from cellrace_engine.position import Position
from cellrace_engine.solver.board import State
from cellrace_engine.solver.expand import CELL, HOME, Turn

# State before, turn, heights after it, one step after the other.
Way = Iterable[tuple[State, Turn, bytes]]


def traced(line: Line, start_heights: bytes, way: Way) -> tuple[Move, ...]:
    """Return the moves that follow a way between states, from the position where `line` stands.

    Safe cards that the search sent home by itself become moves of their own where the rules do not send them.
    Raises `IllegalMove` should the referee refuse a move: then the solver has an error.
    """
    began = line.moves
    line = _sent_home(line, start_heights)
    for before, turn, heights in way:
        line = _sent_home(line.play(_move(line.position, before, turn)), heights)
    return tuple(step.move for step in line.steps_back(line.moves - began))


def _sent_home(line: Line, heights: bytes) -> Line:
    while line.position.foundations != heights:
        move = _next_home(line.position, heights)
        if move is None:
            raise AssertionError(f"the cards for {heights!r} are not exposed in {line.position.text}")
        line = line.play(move)
    return line


def _next_home(position: Position, heights: bytes) -> Move | None:
    for suit, (now, wanted) in enumerate(zip(position.foundations, heights, strict=True)):
        if now < wanted:
            pile = _pile_of(position, now * 4 + suit)
            if pile is not None:
                return Move(pile, FIRST_FOUNDATION + suit)
    return None


def _pile_of(position: Position, card: int) -> int | None:
    for pile, column in enumerate(position.columns):
        if column and column[-1] == card:
            return pile
    cell = position.cells.find(card)
    return FIRST_CELL + cell if cell >= 0 else None


def _move(position: Position, before: State, turn: Turn) -> Move:
    source = _source(position, before, turn[0])
    return Move(source, _destination(position, before, turn, source), turn[2])


def _source(position: Position, before: State, source: int) -> int:
    if source < CELL:
        return position.columns.index(before[source])
    if source < HOME:
        return FIRST_CELL + position.cells.index(source - CELL)
    return FIRST_FOUNDATION + source - HOME


def _destination(position: Position, before: State, turn: Turn, source: int) -> int:
    if turn[1] < CELL:
        return position.columns.index(before[turn[1]])
    if turn[1] == CELL:
        return FIRST_CELL + position.cells.index(NO_CARD)
    card = position.columns[source][-1] if source < FIRST_CELL else position.cells[source - FIRST_CELL]
    return FIRST_FOUNDATION + (card & 3)
