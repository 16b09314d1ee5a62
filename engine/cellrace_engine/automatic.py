"""Safe automatic moves, and the order in which a game is finished."""

from collections.abc import Sequence

from cellrace_engine.cards import NO_CARD
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, Move
from cellrace_engine.position import Parts, Position
from cellrace_engine.referee import RAISED


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
    parts, made = all_safe_home(position.parts)
    return (Position(*parts), made) if made else (position, ())


def all_safe_home(parts: Parts) -> tuple[Parts, tuple[Move, ...]]:
    """Do what `settled` does with the bare parts of a position."""
    columns, cells, heights = parts
    return _rest_home([*columns], cells, heights, [])


def safe_home_from(parts: Parts, source: int) -> tuple[Parts, tuple[Move, ...]]:
    """Do what `all_safe_home` does where the last card of the column `source` is safe, and no other one."""
    columns, cells, heights = parts
    column = columns[source]
    suit = column[-1] & 3
    raised = RAISED[heights][suit]
    safe = SAFE_NEXT[raised]
    changed = [*columns]
    changed[source] = column = column[:-1]
    made = _HOME[source][suit]
    # One was safe and is home: if as many are now, others have become safe.
    if len(safe) >= len(SAFE_NEXT[heights]) or (column and column[-1] in safe):
        return _rest_home(changed, cells, raised, [made])
    return (tuple(changed), cells, raised), (made,)


def _rest_home(
    columns: list[bytes], cells: bytes, heights: bytes, made: list[Move]
) -> tuple[Parts, tuple[Move, ...]]:
    exposed = _exposed(columns, cells)
    while True:
        for card in SAFE_NEXT[heights]:
            if card in exposed:  # a third of what it costs to look for one that is not there
                break
        else:
            return (tuple(columns), bytes(exposed[FIRST_CELL:]), heights), tuple(made)
        pile = exposed.index(card)
        suit = card & 3
        heights = RAISED[heights][suit]
        if pile < FIRST_CELL:
            column = columns[pile] = columns[pile][:-1]
            exposed[pile] = column[-1] if column else NO_CARD
        else:
            exposed[pile] = NO_CARD
        made.append(_HOME[pile][suit])


def next_home(position: Position) -> Move | None:
    """Return the move of the lowest card (then of the first suit) that fits its foundation now."""
    exposed = _exposed(position.columns, position.cells)
    for card in sorted(height * 4 + suit for suit, height in enumerate(position.foundations) if height < 13):
        pile = exposed.find(card)
        if pile >= 0:
            return _HOME[pile][card & 3]
    return None


# The exposed card of each column, then the card of each cell; NO_CARD where there is none.
def _exposed(columns: Sequence[bytes], cells: bytes) -> bytearray:
    exposed = bytearray([column[-1] if column else NO_CARD for column in columns])
    exposed += cells
    return exposed


_HOME = tuple(
    tuple(Move(pile, FIRST_FOUNDATION + suit) for suit in range(4)) for pile in range(FIRST_FOUNDATION)
)
