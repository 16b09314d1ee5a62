"""A position: eight columns, the cells and the heights of the four foundations, as one immutable value."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, Self

from cellrace_engine.cards import NAMES, NO_CARD, RANKS, SUITS, parse_card
from cellrace_engine.errors import CardError, PositionError
from cellrace_engine.rules import CELL_COUNTS
from cellrace_engine.shown import shown

COMPLETE = bytes((13, 13, 13, 13))


# Columns, cells, foundations.
Parts = tuple[tuple[bytes, ...], bytes, bytes]


class Position:
    """Where all cards lie. The constructor checks nothing; `Position.parse` and `check` do.

    An immutable value: type checkers refuse a store, and nobody may make one.

    `columns` are eight, each from the top to the exposed card; `cells` has one byte for each cell of the
    rules, `NO_CARD` where it is empty; `foundations` has four heights from 0 to 13 in the order C D H S.
    A position unpacks to the three in this order.
    """

    # No tuple, and no `__setattr__` that refuses: either makes a move slower by a twentieth.
    __slots__ = ("cells", "columns", "foundations")
    __match_args__ = ("columns", "cells", "foundations")

    def __init__(self, columns: tuple[bytes, ...], cells: bytes, foundations: bytes) -> None:
        self.columns: Final = columns
        self.cells: Final = cells
        self.foundations: Final = foundations

    @property
    def parts(self) -> Parts:
        """The columns, the cells and the foundations."""
        return self.columns, self.cells, self.foundations

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.parts)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # immutable all through

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, self.parts

    def __repr__(self) -> str:
        return f"Position(columns={self.columns!r}, cells={self.cells!r}, foundations={self.foundations!r})"

    def _replace(self, **changes: Any) -> "Position":
        return Position(**{name: getattr(self, name) for name in self.__match_args__} | changes)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Return the position of a text in board notation; raise `PositionError`, which names the fault."""
        parts = "".join(text.split()).split("|")
        if len(parts) != 3:
            raise PositionError(
                f"three parts separated by '|' expected (columns|cells|foundations), not {len(parts)}"
            )
        position = cls(_read_columns(parts[0]), _read_cells(parts[1]), _read_foundations(parts[2]))
        position.check()
        return position

    @property
    def text(self) -> str:
        """The board notation: columns separated by `/`, then `|cells|`, then the foundations' heights."""
        columns = "/".join(["".join([NAMES[card] for card in column]) for column in self.columns])
        cells = ",".join(["" if card == NO_CARD else NAMES[card] for card in self.cells])
        heights = "".join([f"{suit}{height}" for suit, height in zip(SUITS, self.foundations, strict=True)])
        return f"{columns}|{cells}|{heights}"

    @property
    def cards_home(self) -> int:
        """How many cards lie on the foundations."""
        return sum(self.foundations)

    @property
    def is_won(self) -> bool:
        """Whether all 52 cards are home."""
        return self.foundations == COMPLETE

    @property
    def is_finishable(self) -> bool:
        """Whether in no column the ranks rise from top to bottom: nothing can block the foundations."""
        return all(_never_rises(column) for column in self.columns)

    def check(self) -> None:
        """Raise `PositionError` unless this is eight columns, 1, 2 or 4 cells and the 52 cards of a deck."""
        if len(self.columns) != 8:
            raise PositionError(f"8 columns expected, not {len(self.columns)}")
        if len(self.cells) not in CELL_COUNTS:
            raise PositionError(f"4, 2 or 1 cells expected, not {len(self.cells)}")
        if len(self.foundations) != 4 or max(self.foundations) > 13:
            raise PositionError("4 foundations with heights from 0 to 13 expected")
        _check_deck(self)

    def draw(self) -> str:
        """Return a drawing of several lines: cells and foundations, then the columns side by side."""
        return "\n".join(line.rstrip() for line in _drawing(self))

    def __str__(self) -> str:
        return self.draw()


class Unfilled(Position):
    """A position whose parts are stored once it is made, in a third of the time. For `Line.try_play` alone."""

    __slots__ = ()

    __init__ = object.__init__  # pyright: ignore[reportAssignmentType]


def _never_rises(column: bytes) -> bool:
    return all(upper >> 2 >= lower >> 2 for upper, lower in pairwise(column))


def _read_cards(text: str, where: str) -> bytes:
    if len(text) % 2:
        raise PositionError(f"{where}: {shown(text)} is not a list of two-letter cards")
    try:
        return bytes(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))
    except CardError as error:
        raise PositionError(f"{where}: {error}") from error


def _read_columns(text: str) -> tuple[bytes, ...]:
    columns = text.split("/")
    if len(columns) != 8:
        raise PositionError(f"8 columns separated by '/' expected, not {len(columns)}")
    return tuple(_read_cards(column, f"column {number}") for number, column in enumerate(columns, 1))


def _read_cells(text: str) -> bytes:
    cells = text.split(",")
    if len(cells) not in CELL_COUNTS:
        raise PositionError(f"4, 2 or 1 cells separated by ',' expected, not {len(cells)}")
    for name, cell in zip("abcd", cells, strict=False):
        if len(cell) > 2:
            raise PositionError(f"cell {name}: one card at most expected, not {shown(cell)}")
    read = [_read_cards(cell, f"cell {name}") for name, cell in zip("abcd", cells, strict=False)]
    return bytes(cell[0] if cell else NO_CARD for cell in read)


def _read_foundations(text: str) -> bytes:
    heights = list(_heights(text.upper() if text.isascii() else text))
    return bytes(heights)


def _heights(text: str) -> Iterator[int]:
    for at, suit in enumerate(SUITS):
        start = text.find(suit)
        end = text.find(SUITS[at + 1]) if at < 3 else len(text)
        digits = text[start + 1 : end] if start >= 0 else ""
        plain = digits.isascii() and digits.isdigit()
        digits = digits.lstrip("0") or "0"
        if (at == 0 and start != 0) or not plain or len(digits) > 2 or int(digits) > 13:
            raise PositionError(
                f"foundations: heights such as 'C0D0H0S13' expected, not {shown(text)} (at {suit})"
            )
        yield int(digits)


def _check_deck(position: Position) -> None:
    places: dict[int, str] = {}
    for card, place in _places(position):
        if card > 51:
            raise PositionError(f"{place}: {card} is no card")
        if card in places:
            raise PositionError(f"{NAMES[card]} is there twice: in {places[card]} and in {place}")
        places[card] = place
    missing = [NAMES[card] for card in range(52) if card not in places]
    if missing:
        raise PositionError(f"missing: {' '.join(missing)}")


def _places(position: Position) -> Iterator[tuple[int, str]]:
    for suit, height in enumerate(position.foundations):
        for level in range(height):
            yield level * 4 + suit, f"the foundation {SUITS[suit]}"
    for name, card in zip("abcd", position.cells, strict=False):
        if card != NO_CARD:
            yield card, f"cell {name}"
    for number, column in enumerate(position.columns, 1):
        for card in column:
            yield card, f"column {number}"


def _drawing(position: Position) -> Iterator[str]:
    cells = " ".join(
        f"{name}:{'--' if card == NO_CARD else NAMES[card]}" for name, card in _named_cells(position)
    )
    homes = " ".join(
        f"{suit}:{RANKS[height - 1] if height else '-'}"
        for suit, height in zip(SUITS, position.foundations, strict=True)
    )
    yield f"{cells}   {homes}"
    yield "".join(f" {number}  " for number in range(1, 9))
    for row in range(max(len(column) for column in position.columns)):
        yield " ".join(
            NAMES[column[row]] + " " if row < len(column) else "   " for column in position.columns
        )


def _named_cells(position: Position) -> Iterator[tuple[str, int]]:
    return zip("abcd", position.cells, strict=False)
