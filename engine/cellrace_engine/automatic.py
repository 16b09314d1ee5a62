"""Safe automatic moves, and the order in which a game is finished."""

from collections.abc import Sequence

from cellrace_engine.cards import NO_CARD
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, Move
from cellrace_engine.position import Position
from cellrace_engine.referee import raised


class _SafeNext(dict[bytes, bytes]):
    """Foundation heights to the cards that are next on them and safe, lowest rank first, then suit.

    There are at most 14**4 entries, made when they are first asked for.
    """

    def __missing__(self, foundations: bytes) -> bytes:
        safe = bytes(
            sorted(height * 4 + suit for suit, height in enumerate(foundations) if _safe(foundations, suit))
        )
        self[foundations] = safe
        return safe


def _safe(foundations: bytes, suit: int) -> bool:
    height = foundations[suit]
    others = (1, 2) if suit in (0, 3) else (0, 3)
    return height < 13 and (height < 2 or all(foundations[other] >= height for other in others))


SAFE_NEXT = _SafeNext()


def settled(position: Position) -> tuple[Position, tuple[Move, ...]]:
    """Make every safe move to the foundations; return where that leads and the moves in their order."""
    made: list[Move] = []
    while True:
        found = _exposed(position, SAFE_NEXT[position.foundations])
        if found is None:
            return position, tuple(made)
        pile, card = found
        position = lifted(position, pile)
        made.append(Move(pile, FIRST_FOUNDATION + (card & 3)))


def next_home(position: Position) -> Move | None:
    """Return the move of the lowest card (then of the first suit) that fits its foundation now."""
    wanted = sorted(height * 4 + suit for suit, height in enumerate(position.foundations) if height < 13)
    found = _exposed(position, wanted)
    return None if found is None else Move(found[0], FIRST_FOUNDATION + (found[1] & 3))


def lifted(position: Position, pile: int) -> Position:
    """Return the position with the exposed card of a column or cell put on its foundation, unchecked."""
    columns, cells, foundations = position
    if pile < FIRST_CELL:
        card = columns[pile][-1]
        columns = (*columns[:pile], columns[pile][:-1], *columns[pile + 1 :])
    else:
        at = pile - FIRST_CELL
        card = cells[at]
        cells = cells[:at] + bytes((NO_CARD,)) + cells[at + 1 :]
    return Position(columns, cells, raised(foundations, card & 3, 1))


def _exposed(position: Position, wanted: Sequence[int]) -> tuple[int, int] | None:
    for card in wanted:
        for pile, column in enumerate(position.columns):
            if column and column[-1] == card:
                return pile, card
        at = position.cells.find(card)
        if at >= 0:
            return FIRST_CELL + at, card
    return None
