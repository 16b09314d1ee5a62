"""All legal moves of a position."""

from cellrace_engine.cards import NO_CARD, PARENTS, run_length
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, Move
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules, TakeBack

# Every move that a table could ask for, made once: [source][destination][count], counts from 0 to 13.
_MOVES = tuple(
    tuple(tuple(Move(source, destination, count) for count in range(14)) for destination in range(8))
    for source in range(8)
)
_ONE = tuple(tuple(Move(source, destination) for destination in range(16)) for source in range(16))


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """Return every legal move once, in the order of source pile, then destination, then count.

    A run that may go to an empty column in several lengths gives a move for each; so does each empty cell.
    """
    if position.is_won:
        return []
    moves: list[Move] = []
    columns, cells, foundations = position.columns, position.cells, position.foundations
    free = [FIRST_CELL + cell for cell, card in enumerate(cells) if card == NO_CARD]
    empty_columns = columns.count(b"")
    onto_card = rules.capacity(len(free), empty_columns)
    into_empty = rules.capacity(len(free), empty_columns - 1) if empty_columns else 0
    for source, column in enumerate(columns):
        if column:
            _between_columns(moves, source, columns, onto_card, into_empty)
            _beyond_columns(moves, source, column[-1], free, foundations)
    for source, card in enumerate(cells, FIRST_CELL):
        if card != NO_CARD:
            moves += _to_columns(source, card, columns)
            _beyond_columns(moves, source, card, free, foundations)
    if rules.take_back is not TakeBack.NEVER:
        _from_foundations(moves, position, free if rules.take_back is TakeBack.COLUMN_OR_CELL else [])
    return moves


def any_legal_move(position: Position, rules: Rules) -> bool:
    """Tell whether there is a legal move; mostly much faster than to list them."""
    if position.is_won:
        return False
    if NO_CARD in position.cells and any(position.columns):
        return True
    return bool(legal_moves(position, rules))


def _between_columns(
    moves: list[Move], source: int, columns: tuple[bytes, ...], onto_card: int, into_empty: int
) -> None:
    column = columns[source]
    length = run_length(column)
    exposed = column[-1] >> 2
    for destination, target in enumerate(columns):
        if not target:
            if destination != source:
                moves += _MOVES[source][destination][1 : min(length, into_empty) + 1]
            continue
        # Only one length can bring the right rank under the destination's exposed card.
        count = (target[-1] >> 2) - exposed
        if 0 < count <= length and count <= onto_card and target[-1] in PARENTS[column[-count]]:
            moves.append(_MOVES[source][destination][count])


def _beyond_columns(moves: list[Move], source: int, card: int, free: list[int], foundations: bytes) -> None:
    one = _ONE[source]
    for cell in free:
        moves.append(one[cell])  # noqa: PERF401 - a comprehension costs more for so few
    if foundations[card & 3] == card >> 2:
        moves.append(one[FIRST_FOUNDATION + (card & 3)])


def _to_columns(source: int, card: int, columns: tuple[bytes, ...]) -> list[Move]:
    one, parents = _ONE[source], PARENTS[card]
    return [one[at] for at, target in enumerate(columns) if not target or target[-1] in parents]


def _from_foundations(moves: list[Move], position: Position, free: list[int]) -> None:
    for suit, height in enumerate(position.foundations):
        if height:
            source = FIRST_FOUNDATION + suit
            moves += _to_columns(source, height * 4 - 4 + suit, position.columns)
            moves += [_ONE[source][cell] for cell in free]
