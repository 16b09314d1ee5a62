"""Where the piles lie on the screen. Pure: from sizes to places and back.

The first row has the cells and the foundations, the second the numbers of the columns, the others the cards.
"""

from typing import NamedTuple

from cellrace_client.model import FIRST_CELL as FIRST_CELL
from cellrace_client.model import FIRST_FOUNDATION as FIRST_FOUNDATION
from cellrace_engine import NO_CARD, Position

TOP_ROWS = 2
NARROWEST, WIDEST = 4, 7
COLUMNS = 8


class Place(NamedTuple):
    """A pile, and how deep in it: 1 is its exposed card, 0 an empty pile."""

    pile: int
    depth: int


class Layout(NamedTuple):
    """A board of `width` by `height` characters."""

    width: int
    height: int

    @property
    def step(self) -> int:
        """From one column to the next."""
        return max(NARROWEST, min(WIDEST, self.width // COLUMNS))

    @property
    def rows(self) -> int:
        """Rows that there are for cards."""
        return max(1, self.height - TOP_ROWS)

    def hidden(self, column: bytes) -> int:
        """How many cards at the top of a column find no row."""
        return max(0, len(column) - self.rows)

    def at(self, x: int, y: int, position: Position) -> Place | None:
        """What lies there, if anything; below a column it is the column."""
        slot = x // self.step
        if not (0 <= slot < COLUMNS and y >= 0):
            return None
        if y == 0:
            return _on_top(slot, position)
        column = position.columns[slot]
        if y == 1 or not column:
            return Place(slot, min(1, len(column)))
        index = y - TOP_ROWS + self.hidden(column)
        return Place(slot, max(1, len(column) - index))


def _on_top(slot: int, position: Position) -> Place | None:
    if slot < 4:
        if slot >= len(position.cells):
            return None
        return Place(FIRST_CELL + slot, int(position.cells[slot] != NO_CARD))
    return Place(FIRST_FOUNDATION + slot - 4, int(position.foundations[slot - 4] > 0))


def depth_of(pile: int, position: Position) -> int:
    """How many cards a pile has: of cells and foundations one at most counts."""
    if pile < FIRST_CELL:
        return len(position.columns[pile])
    if pile < FIRST_FOUNDATION:
        cell = pile - FIRST_CELL
        return int(cell < len(position.cells) and position.cells[cell] != NO_CARD)
    return int(position.foundations[pile - FIRST_FOUNDATION] > 0)
