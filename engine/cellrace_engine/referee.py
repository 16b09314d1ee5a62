"""The fast judge: apply a move to a position, or say no.

One small function for each pair of kinds of pile, found through one table. They say only *that* a move is
legal; `cellrace_engine.reasons` says why one is not, and the tests hold the two against each other.
"""

from collections.abc import Callable
from itertools import pairwise

from cellrace_engine.cards import NO_CARD, PARENTS
from cellrace_engine.moves import CELLS, COLUMNS, FIRST_CELL, FIRST_FOUNDATION, FOUNDATIONS, Move
from cellrace_engine.position import Position, position_of
from cellrace_engine.rules import Rules, TakeBack

Judge = Callable[[Position, int, int, int, Rules], Position | None]

_SINGLE = tuple(bytes((card,)) for card in range(53))


def placed(position: Position, move: Move, rules: Rules) -> Position | None:
    """Return the position after a legal move without automatic ones, `None` when the rules refuse it."""
    source, destination, count = move
    if not 0 <= destination < 16:
        return None
    judge = _JUDGES.get(source * 16 + destination)
    return None if judge is None else judge(position, source, destination, count, rules)


def is_run(cards: bytes) -> bool:
    """Tell whether the cards descend by one in alternating colours."""
    return all(upper in PARENTS[lower] for upper, lower in pairwise(cards))


def raised(foundations: bytes, suit: int, by: int) -> bytes:
    """Return the foundations with one height changed."""
    heights = bytearray(foundations)
    heights[suit] += by
    return bytes(heights)


def _column_to_column(
    position: Position, source: int, destination: int, count: int, rules: Rules
) -> Position | None:
    columns, cells, foundations = position
    column = columns[source]
    target = columns[destination]
    if not 0 < count <= len(column):
        return None
    run = column[-count:]
    if target and target[-1] not in PARENTS[run[0]]:
        return None
    if count > 1 and not (is_run(run) and count <= _capacity(columns, cells, not target, rules)):
        return None
    changed = list(columns)
    changed[source] = column[:-count]
    changed[destination] = target + run
    return position_of((tuple(changed), cells, foundations))


def _capacity(columns: tuple[bytes, ...], cells: bytes, into_empty: bool, rules: Rules) -> int:
    return rules.capacity(cells.count(NO_CARD), columns.count(b"") - into_empty)


def _column_to_cell(
    position: Position, source: int, destination: int, count: int, _: Rules
) -> Position | None:
    columns, cells, foundations = position
    column = columns[source]
    cell = destination - FIRST_CELL
    if count != 1 or not column or cell >= len(cells) or cells[cell] != NO_CARD:
        return None
    changed = list(columns)
    changed[source] = column[:-1]
    return position_of((tuple(changed), cells[:cell] + column[-1:] + cells[cell + 1 :], foundations))


def _column_to_foundation(
    position: Position, source: int, destination: int, count: int, _: Rules
) -> Position | None:
    columns, cells, foundations = position
    column = columns[source]
    suit = destination - FIRST_FOUNDATION
    if count != 1 or not column or column[-1] != foundations[suit] * 4 + suit:
        return None
    changed = list(columns)
    changed[source] = column[:-1]
    return position_of((tuple(changed), cells, raised(foundations, suit, 1)))


def _cell_to_column(
    position: Position, source: int, destination: int, count: int, _: Rules
) -> Position | None:
    columns, cells, foundations = position
    cell = source - FIRST_CELL
    if count != 1 or cell >= len(cells):
        return None
    card = cells[cell]
    target = columns[destination]
    if card == NO_CARD or (target and target[-1] not in PARENTS[card]):
        return None
    changed = list(columns)
    changed[destination] = target + _SINGLE[card]
    return position_of((tuple(changed), _without(cells, cell), foundations))


def _cell_to_cell(position: Position, source: int, destination: int, count: int, _: Rules) -> Position | None:
    columns, cells, foundations = position
    cell, other = source - FIRST_CELL, destination - FIRST_CELL
    if count != 1 or cell >= len(cells) or other >= len(cells):
        return None
    if cells[cell] == NO_CARD or cells[other] != NO_CARD:
        return None
    changed = bytearray(cells)
    changed[cell], changed[other] = NO_CARD, cells[cell]
    return position_of((columns, bytes(changed), foundations))


def _cell_to_foundation(
    position: Position, source: int, destination: int, count: int, _: Rules
) -> Position | None:
    columns, cells, foundations = position
    cell, suit = source - FIRST_CELL, destination - FIRST_FOUNDATION
    if count != 1 or cell >= len(cells):
        return None
    # A full foundation wants card 52 or more: not to be taken for the mark of an empty cell.
    if cells[cell] == NO_CARD or cells[cell] != foundations[suit] * 4 + suit:
        return None
    return position_of((columns, _without(cells, cell), raised(foundations, suit, 1)))


def _foundation_to_column(
    position: Position, source: int, destination: int, count: int, rules: Rules
) -> Position | None:
    columns, cells, foundations = position
    suit = source - FIRST_FOUNDATION
    height = foundations[suit]
    if rules.take_back is TakeBack.NEVER or count != 1 or height == 0 or position.is_won:
        return None
    card = height * 4 - 4 + suit
    target = columns[destination]
    if target and target[-1] not in PARENTS[card]:
        return None
    changed = list(columns)
    changed[destination] = target + _SINGLE[card]
    return position_of((tuple(changed), cells, raised(foundations, suit, -1)))


def _foundation_to_cell(
    position: Position, source: int, destination: int, count: int, rules: Rules
) -> Position | None:
    columns, cells, foundations = position
    suit, cell = source - FIRST_FOUNDATION, destination - FIRST_CELL
    height = foundations[suit]
    if rules.take_back is not TakeBack.COLUMN_OR_CELL or count != 1 or height == 0 or position.is_won:
        return None
    if cell >= len(cells) or cells[cell] != NO_CARD:
        return None
    changed = cells[:cell] + _SINGLE[height * 4 - 4 + suit] + cells[cell + 1 :]
    return position_of((columns, changed, raised(foundations, suit, -1)))


def _without(cells: bytes, cell: int) -> bytes:
    return cells[:cell] + _SINGLE[NO_CARD] + cells[cell + 1 :]


_BY_KIND: dict[tuple[range, range], Judge] = {
    (COLUMNS, COLUMNS): _column_to_column,
    (COLUMNS, CELLS): _column_to_cell,
    (COLUMNS, FOUNDATIONS): _column_to_foundation,
    (CELLS, COLUMNS): _cell_to_column,
    (CELLS, CELLS): _cell_to_cell,
    (CELLS, FOUNDATIONS): _cell_to_foundation,
    (FOUNDATIONS, COLUMNS): _foundation_to_column,
    (FOUNDATIONS, CELLS): _foundation_to_cell,
}
# By `source * 16 + destination`; a pile to itself has no entry.
_JUDGES: dict[int, Judge] = {
    source * 16 + destination: judge
    for (sources, destinations), judge in _BY_KIND.items()
    for source in sources
    for destination in destinations
    if source != destination
}
