"""Microsoft deal numbers, their published extension to 33 bits, and deal codes such as `FC1-C4-AAAAAKH`."""

from typing import NamedTuple

from cellrace_engine.cards import NO_CARD
from cellrace_engine.errors import DealError
from cellrace_engine.position import Position
from cellrace_engine.rules import CELL_COUNTS

FIRST_DEAL = 1
LAST_DEAL = 2**33 - 1

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # RFC 4648 base 32
_DIGITS = "0123456789"
_DASHES = str.maketrans("", "", "-\u2010\u2011\u2012\u2013\u2014\u2212_ \t\r\n\u00a0")
_EXPECTED = "a code such as FC1-C4-AAAAAKH or a deal number is expected"


def deal(number: int, cells: int = 4) -> Position:
    """Return the deal with that number, from 1 to 2**33 - 1, with 4, 2 or 1 empty cells.

    Raises `DealError` for any other number.
    """
    _check_number(number)
    _check_cells(cells)
    deck = list(range(52))
    columns: list[list[int]] = [[] for _ in range(8)]
    state = number if number < 2**32 else number - 2**32
    for dealt in range(52):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        place = _draw(number, state) % len(deck)
        deck[place], deck[-1] = deck[-1], deck[place]
        columns[dealt % 8].append(deck.pop())
    return Position(tuple(bytes(column) for column in columns), bytes([NO_CARD] * cells), bytes(4))


def _draw(number: int, state: int) -> int:
    if number < 2**31:
        return state >> 16 & 0x7FFF
    if number < 2**32:
        return state >> 16 | 0x8000
    return (state >> 16) + 1


def _check_number(number: int) -> None:
    if not FIRST_DEAL <= number <= LAST_DEAL:
        raise DealError(
            "number", f"there is no deal {number}: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)"
        )


def _check_cells(cells: int) -> None:
    if cells not in CELL_COUNTS:
        raise DealError("cells", f"a deal has 4, 2 or 1 cells, not {cells}")


class DealCode(NamedTuple):
    """A deal with its number of cells; `str()` is the canonical code. Make it with `of` or `parse`."""

    cells: int
    number: int

    @classmethod
    def of(cls, number: int, cells: int = 4) -> "DealCode":
        """Return the code of a deal; raise `DealError` when there is no such deal."""
        _check_number(number)
        _check_cells(cells)
        return cls(cells, number)

    @classmethod
    def parse(cls, text: str, cells: int = 4) -> "DealCode":
        """Return what a typed code means; a bare number (`617`, `#617`) means a deal with `cells` cells.

        Case, spaces and hyphens do not matter. Raises `DealError` whose `part` and text say what is wrong.
        """
        bare = text.translate(_DASHES).upper()
        if not bare:
            raise DealError("format", f"nothing there: {_EXPECTED}")
        if bare.startswith("FC"):
            return _parse_code(bare)
        digits = bare.removeprefix("#")
        sign = text.strip().removeprefix("#").strip()[:1]
        return cls.of(_parse_number(("-" if sign in ("-", "\u2212") else "") + digits, text), cells)

    def deal(self) -> Position:
        """Return the start position."""
        return deal(self.number, self.cells)

    def __str__(self) -> str:
        letters = "".join(_LETTERS[self.number >> shift & 31] for shift in range(30, -1, -5))
        return f"FC1-C{self.cells}-{letters}"


def _parse_number(digits: str, text: str) -> int:
    bare = digits.removeprefix("-")
    if bare.isascii() and bare.isdigit():
        if len(bare) > 20:
            raise DealError(
                "number", f"there is no such deal: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)"
            )
        return int(digits)
    wrong = next((letter for letter in text if letter.upper() in bare and letter not in _DIGITS), "")
    if bare and bare[0] in _DIGITS:
        raise DealError("number", f"{text!r} is no deal number: {wrong!r} is not a digit")
    raise DealError("format", f"{text!r} is no deal code: {_EXPECTED}")


def _parse_code(bare: str) -> DealCode:
    version, cells, letters = bare[2:3], bare[3:5], bare[5:]
    if version != "1":
        raise DealError("format", f"the code starts with FC{version}: only the format FC1 is known")
    if cells[:1] != "C" or not cells[1:]:
        raise DealError("cells", f"after FC1 the number of cells is expected (C4, C2 or C1), not {cells!r}")
    if cells[1] not in "421":
        raise DealError("cells", f"{cells}: a deal has 4, 2 or 1 cells, not {cells[1]!r}")
    wrong = next((letter for letter in letters if letter not in _LETTERS), "")
    if wrong:
        raise DealError("number", f"{wrong!r} is not a letter of the code: A to Z and 2 to 7 are used")
    if len(letters) != 7:
        raise DealError(
            "number", f"7 letters are expected for the deal's number, not {len(letters)} ({letters!r})"
        )
    number = 0
    for letter in letters:
        number = number << 5 | _LETTERS.index(letter)
    if not FIRST_DEAL <= number <= LAST_DEAL:
        raise DealError(
            "number", f"{letters} is {number}: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)"
        )
    return DealCode(int(cells[1]), number)
