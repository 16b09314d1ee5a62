"""The solver's own compact board.

A state is a tuple of nine byte strings: the eight columns in sorted order, then the cards in the cells in
sorted order. Columns may be exchanged for one another in FreeCell, and so may cells: this names all positions
that are worth the same by one hashable value. The foundations follow from what is missing; their heights are
kept beside it.

A `Board` is a state that is being changed: a mutable list of columns that one move is made on.
"""

from cellrace_engine.cards import NO_CARD
from cellrace_engine.position import COMPLETE, Position
from cellrace_engine.solver.safety import SafeCards

State = tuple[bytes, ...]

ONE_CARD = tuple(bytes((card,)) for card in range(52))
WON = COMPLETE


class Board:
    """Columns, cells and foundation heights while a move is made; `state` names the outcome."""

    __slots__ = ("cells", "columns", "heights")

    def __init__(self, columns: list[bytes], cells: bytes, heights: bytes) -> None:
        self.columns = columns
        self.cells = cells
        self.heights = heights

    @classmethod
    def of(cls, position: Position) -> "Board":
        """Return the board of a position of the engine."""
        held = bytes(sorted(card for card in position.cells if card != NO_CARD))
        return cls(list(position.columns), held, position.foundations)

    def state(self) -> State:
        """Return the state; sorts the columns."""
        self.columns.sort()
        return (*self.columns, self.cells)

    def settle(self, safe_cards: SafeCards) -> None:
        """Send safe cards home until none is left."""
        lifted = True
        while lifted:
            lifted = False
            for card in safe_cards[self.heights]:
                lifted |= self._lift(card)

    def raise_home(self, card: int) -> None:
        """Note that a card has come home; it must have been taken away already."""
        heights = bytearray(self.heights)
        heights[card & 3] += 1
        self.heights = bytes(heights)

    def _lift(self, card: int) -> bool:
        tail = ONE_CARD[card]
        for at, column in enumerate(self.columns):
            if column.endswith(tail):
                self.columns[at] = column[:-1]
                self.raise_home(card)
                return True
        if card in self.cells:
            self.cells = self.cells.replace(tail, b"")
            self.raise_home(card)
            return True
        return False
