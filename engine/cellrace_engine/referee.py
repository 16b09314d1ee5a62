"""The fast judge: apply a move to a position, or say no.

One small function for each pair of kinds of pile, found through one table. They say only *that* a move is
legal; `cellrace_engine.reasons` says why one is not, and the tests hold the two against each other.
"""

from collections.abc import Callable

from cellrace_engine.cards import NO_CARD, PARENTS
from cellrace_engine.moves import CELLS, COLUMNS, FIRST_CELL, FIRST_FOUNDATION, FOUNDATIONS, Move
from cellrace_engine.position import Parts, Position
from cellrace_engine.rules import Rules, TakeBack

# The position, the move's source, destination and count, the rules.
Judge = Callable[[Position, int, int, int, Rules], Parts | None]

# A class looks its enumeration members up anew each time.
_NEVER, _COLUMN_OR_CELL = TakeBack.NEVER, TakeBack.COLUMN_OR_CELL
_SINGLE = tuple(bytes((card,)) for card in range(52))
_EMPTY = bytes((NO_CARD,))


def placed(position: Position, move: Move, rules: Rules) -> Position | None:
    """Return the position after a legal move without automatic ones, `None` when the rules refuse it."""
    judge, source, destination, count = JUDGES[move]
    parts = judge(position, source, destination, count, rules)
    return None if parts is None else Position(*parts)


def is_run(cards: bytes) -> bool:
    """Tell whether the cards descend by one in alternating colours."""
    upper = cards[0]
    for lower in cards[1:]:
        if upper not in PARENTS[lower]:
            return False
        upper = lower
    return True


class _Runs(dict[bytes, bool]):
    """Runs of two cards and more, to `True`; those that are none are not kept, so there are at most 65,424.

    From each of the four cards of a rank, two ways down at every card: `4 * sum(2**rank - 2)` over 13 ranks.
    """

    def __missing__(self, cards: bytes) -> bool:
        if not is_run(cards):
            return False
        self[cards] = True
        return True


RUNS = _Runs()


class _Raised(dict[bytes, tuple[bytes, ...]]):
    """Foundation heights to the heights with one card more, by suit; filled as it is asked.

    There are at most 14**4 entries. The same heights are always the same object, which hashes only once.
    """

    def __missing__(self, foundations: bytes) -> tuple[bytes, ...]:
        self[foundations] = found = tuple(_with_height(foundations, suit, 1) for suit in range(4))
        return found


RAISED = _Raised()


def _with_height(foundations: bytes, suit: int, by: int) -> bytes:
    heights = bytearray(foundations)
    heights[suit] += by
    return bytes(heights)


def _with_card(cells: bytes, cell: int, card: bytes) -> bytes:
    if NO_CARD not in cells[:cell]:
        return cells.replace(_EMPTY, card, 1)  # mostly the first empty cell, and this is quicker
    return cells[:cell] + card + cells[cell + 1 :]


def _column_to_column(
    position: Position, source: int, destination: int, count: int, rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    column = columns[source]
    target = columns[destination]
    if count > len(column):
        return None
    run = column[-count:]
    if target and target[-1] not in PARENTS[run[0]]:
        return None
    if count > 1 and not (RUNS[run] and _fits(columns, cells, count, not target, rules)):
        return None
    changed = [*columns]
    changed[source] = column[:-count]
    changed[destination] = target + run
    return tuple(changed), cells, foundations


def _fits(columns: tuple[bytes, ...], cells: bytes, count: int, into_empty: bool, rules: Rules) -> bool:
    empty_cells = cells.count(NO_CARD)
    if count <= empty_cells + 1:
        return True  # whatever columns are empty
    return count <= rules.capacity(empty_cells, columns.count(b"") - into_empty)


def _column_to_cell(
    position: Position, source: int, destination: int, _count: int, _rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    column = columns[source]
    cell = destination - FIRST_CELL
    if not column or cell >= len(cells) or cells[cell] != NO_CARD:
        return None
    changed = [*columns]
    changed[source] = column[:-1]
    return tuple(changed), _with_card(cells, cell, column[-1:]), foundations


def _column_to_foundation(
    position: Position, source: int, destination: int, _count: int, _rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    column = columns[source]
    suit = destination - FIRST_FOUNDATION
    if not column or column[-1] != foundations[suit] * 4 + suit:
        return None
    changed = [*columns]
    changed[source] = column[:-1]
    return tuple(changed), cells, RAISED[foundations][suit]


def _cell_to_column(
    position: Position, source: int, destination: int, _count: int, _rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    cell = source - FIRST_CELL
    if cell >= len(cells):
        return None
    card = cells[cell]
    target = columns[destination]
    if card == NO_CARD or (target and target[-1] not in PARENTS[card]):
        return None
    changed = [*columns]
    changed[destination] = target + _SINGLE[card]
    return tuple(changed), cells.replace(_SINGLE[card], _EMPTY), foundations


def _cell_to_cell(
    position: Position, source: int, destination: int, _count: int, _rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    cell, other = source - FIRST_CELL, destination - FIRST_CELL
    if cell >= len(cells) or other >= len(cells):
        return None
    if cells[cell] == NO_CARD or cells[other] != NO_CARD:
        return None
    changed = bytearray(cells)
    changed[cell], changed[other] = NO_CARD, cells[cell]
    return columns, bytes(changed), foundations


def _cell_to_foundation(
    position: Position, source: int, destination: int, _count: int, _rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    cell, suit = source - FIRST_CELL, destination - FIRST_FOUNDATION
    if cell >= len(cells):
        return None
    card = cells[cell]
    # A full foundation wants card 52 or more: not to be taken for the mark of an empty cell.
    if card == NO_CARD or card != foundations[suit] * 4 + suit:
        return None
    return columns, cells.replace(_SINGLE[card], _EMPTY), RAISED[foundations][suit]


def _foundation_to_column(
    position: Position, source: int, destination: int, _count: int, rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    suit = source - FIRST_FOUNDATION
    height = foundations[suit]
    if rules.take_back is _NEVER or height == 0 or position.is_won:
        return None
    card = height * 4 - 4 + suit
    target = columns[destination]
    if target and target[-1] not in PARENTS[card]:
        return None
    changed = [*columns]
    changed[destination] = target + _SINGLE[card]
    return tuple(changed), cells, _with_height(foundations, suit, -1)


def _foundation_to_cell(
    position: Position, source: int, destination: int, _count: int, rules: Rules
) -> Parts | None:
    columns, cells, foundations = position.columns, position.cells, position.foundations
    suit, cell = source - FIRST_FOUNDATION, destination - FIRST_CELL
    height = foundations[suit]
    if rules.take_back is not _COLUMN_OR_CELL or height == 0 or position.is_won:
        return None
    if cell >= len(cells) or cells[cell] != NO_CARD:
        return None
    changed = _with_card(cells, cell, _SINGLE[height * 4 - 4 + suit])
    return columns, changed, _with_height(foundations, suit, -1)


def _refuse(_position: Position, _source: int, _destination: int, _count: int, _rules: Rules) -> Parts | None:
    return None


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


class _Judges(dict[Move, tuple[Judge, int, int, int]]):
    """Moves to their judge, with their numbers: to take them out of a `Move` costs ten times as much.

    Every move that some position and rule set could allow is there; all others are refused unseen.
    """

    def __missing__(self, _move: Move) -> tuple[Judge, int, int, int]:
        return _refuse, 0, 0, 0


JUDGES = _Judges(
    {
        Move(source, destination, count): (judge, source, destination, count)
        for (sources, destinations), judge in _BY_KIND.items()
        for source in sources
        for destination in destinations
        for count in range(1, 14 if destinations is sources is COLUMNS else 2)
        if source != destination
    }
)
