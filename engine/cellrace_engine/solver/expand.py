"""All moves of a state that a complete search needs, each made on a board of its own.

Single cards go wherever the rules let them; longer runs go onto the one card they fit, and whole into an
empty column. That is enough: what a shorter part of a run can do, single cards can do as well. Of several
empty columns or cells one is tried, since they are worth the same.
"""

from cellrace_engine.cards import PARENTS
from cellrace_engine.rules import Rules, TakeBack
from cellrace_engine.solver.board import ONE_CARD, Board, State
from cellrace_engine.solver.safety import SafeCards

# Beside the indexes 0-7 of a state's columns, a turn's source may be `CELL + card` or `HOME + suit`, and its
# destination `CELL` (any empty cell) or `HOME` (the card's foundation).
CELL = 8
HOME = 60

_NOWHERE = 8
_PARENTS = tuple(tuple(sorted(parents)) for parents in PARENTS)

# One move between two states (source, destination, number of cards); columns are indexes into the state
# before it.
Turn = tuple[int, int, int]
Child = tuple[Turn, Board]


class Expander:
    """Finds the children of states under one rule set, with safe cards sent home."""

    __slots__ = ("_rules", "_safe", "_to_cell", "_to_column")

    def __init__(self, rules: Rules, safe_cards: SafeCards, *, take_back: bool) -> None:
        self._rules = rules
        self._safe = safe_cards
        self._to_column = take_back and rules.take_back is not TakeBack.NEVER
        self._to_cell = take_back and rules.take_back is TakeBack.COLUMN_OR_CELL

    def children(self, state: State, heights: bytes) -> list[Child]:
        """Return the children of a state; two of them may be the same state."""
        children: list[Child] = []
        empty = 0
        while empty < 8 and not state[empty]:
            empty += 1
        exposed = bytearray((_NOWHERE,)) * 52
        for at in range(empty, 8):
            exposed[state[at][-1]] = at
        free = self._rules.cells - len(state[8])
        for source in range(empty, 8):
            self._from_column(children, state, heights, source, exposed, free, empty)
        for card in state[8]:
            self._from_cell(children, state, heights, card, exposed, empty)
        if self._to_column:
            self._from_foundations(children, state, heights, exposed, free, empty)
        return children

    def _from_column(
        self,
        children: list[Child],
        state: State,
        heights: bytes,
        source: int,
        exposed: bytearray,
        free: int,
        empty: int,
    ) -> None:
        column = state[source]
        card = column[-1]
        if heights[card & 3] == card >> 2:
            children.append(((source, HOME, 1), self._column_home(state, heights, source)))
        length = self._onto_columns(children, state, heights, source, exposed, free, empty)
        if free:
            children.append(((source, CELL, 1), self._column_to_cell(state, heights, source)))
        if empty and len(column) > 1:
            children.append(((source, 0, 1), self._between(state, heights, source, 0, 1)))
            whole = min(length, self._rules.capacity(free, empty - 1))
            if 1 < whole < len(column):
                children.append(((source, 0, whole), self._between(state, heights, source, 0, whole)))

    def _onto_columns(
        self,
        children: list[Child],
        state: State,
        heights: bytes,
        source: int,
        exposed: bytearray,
        free: int,
        empty: int,
    ) -> int:
        """Add the moves of this column's run onto other columns; return how many of its cards can move."""
        column = state[source]
        capacity = self._rules.capacity(free, empty)
        length = 0
        card = column[-1]
        while True:
            length += 1
            for parent in _PARENTS[card]:
                destination = exposed[parent]
                if destination != _NOWHERE:
                    turn = (source, destination, length)
                    children.append((turn, self._between(state, heights, source, destination, length)))
            if length >= capacity or length >= len(column):
                return length
            above = column[-length - 1]
            if above not in PARENTS[card]:
                return length
            card = above

    def _from_cell(
        self, children: list[Child], state: State, heights: bytes, card: int, exposed: bytearray, empty: int
    ) -> None:
        if heights[card & 3] == card >> 2:
            board = _without_cell(state, heights, card)
            board.raise_home(card)
            board.settle(self._safe)
            children.append(((CELL + card, HOME, 1), board))
        for destination in _destinations(card, exposed, empty):
            board = _without_cell(state, heights, card)
            board.columns[destination] += ONE_CARD[card]
            children.append(((CELL + card, destination, 1), board))

    def _from_foundations(
        self, children: list[Child], state: State, heights: bytes, exposed: bytearray, free: int, empty: int
    ) -> None:
        for suit, height in enumerate(heights):
            if not height:
                continue
            card = height * 4 - 4 + suit
            for destination in _destinations(card, exposed, empty):
                board = _without_home(state, heights, suit)
                board.columns[destination] += ONE_CARD[card]
                board.settle(self._safe)
                children.append(((HOME + suit, destination, 1), board))
            if self._to_cell and free:
                board = _without_home(state, heights, suit)
                board.cells = bytes(sorted(board.cells + ONE_CARD[card]))
                board.settle(self._safe)
                children.append(((HOME + suit, CELL, 1), board))

    def _between(self, state: State, heights: bytes, source: int, destination: int, number: int) -> Board:
        columns = [*state]
        cells = columns.pop()
        column = columns[source]
        rest = columns[source] = column[:-number]
        columns[destination] += column[-number:]
        board = Board(columns, cells, heights)
        if rest and rest[-1] in self._safe[heights]:
            board.settle(self._safe)
        return board

    def _column_to_cell(self, state: State, heights: bytes, source: int) -> Board:
        columns = [*state]
        cells = columns.pop()
        column = columns[source]
        rest = columns[source] = column[:-1]
        board = Board(columns, bytes(sorted(cells + column[-1:])), heights)
        if rest and rest[-1] in self._safe[heights]:
            board.settle(self._safe)
        return board

    def _column_home(self, state: State, heights: bytes, source: int) -> Board:
        columns = [*state]
        cells = columns.pop()
        column = columns[source]
        columns[source] = column[:-1]
        board = Board(columns, cells, heights)
        board.raise_home(column[-1])
        board.settle(self._safe)
        return board


def _destinations(card: int, exposed: bytearray, empty: int) -> list[int]:
    found = [exposed[parent] for parent in _PARENTS[card] if exposed[parent] != _NOWHERE]
    if empty:
        found.append(0)
    return found


def _without_cell(state: State, heights: bytes, card: int) -> Board:
    columns = [*state]
    cells = columns.pop()
    return Board(columns, cells.replace(ONE_CARD[card], b""), heights)


def _without_home(state: State, heights: bytes, suit: int) -> Board:
    columns = [*state]
    cells = columns.pop()
    lowered = bytearray(heights)
    lowered[suit] -= 1
    return Board(columns, cells, bytes(lowered))
