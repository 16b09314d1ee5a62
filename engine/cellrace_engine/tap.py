"""Where one tap sends a card."""

from cellrace_engine.cards import NO_CARD
from cellrace_engine.moves import CELLS, COLUMNS, FIRST_CELL, FOUNDATIONS, Move
from cellrace_engine.position import Position
from cellrace_engine.referee import placed
from cellrace_engine.rules import Rules


def tapped(position: Position, pile: int, depth: int, rules: Rules) -> Move | None:
    """Return the move of one tap on the card at that depth of a pile (1: the exposed one), if there is any.

    The foundation comes first, then a column with a card to build on, then an empty column, then a cell.
    Cards that have a column or a cell to themselves are not sent to another: that would change nothing.
    """
    for destination in _destinations(position, pile, depth):
        move = Move(pile, destination, depth)
        if placed(position, move, rules) is not None:
            return move
    return None


def _destinations(position: Position, pile: int, depth: int) -> list[int]:
    built = [at for at in COLUMNS if position.columns[at]]
    empty = [at for at in COLUMNS if not position.columns[at]]
    free = [FIRST_CELL + at for at, card in enumerate(position.cells) if card == NO_CARD]
    alone = pile in COLUMNS and len(position.columns[pile]) == depth
    home = [] if pile in FOUNDATIONS else list(FOUNDATIONS)
    return home + built + ([] if alone else empty) + ([] if pile in CELLS else free)
