"""Microsoft deal numbers, their published extension to 33 bits, and deal codes such as `FC1-C4-AAAAAKH`."""

from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from cellrace_engine.cards import NO_CARD
from cellrace_engine.errors import DealError
from cellrace_engine.position import Position
from cellrace_engine.rules import CELL_COUNTS
from cellrace_engine.shown import shown

FIRST_DEAL = 1
LAST_DEAL = 2**33 - 1

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # RFC 4648 base 32
_DIGITS = "0123456789"
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212_", "-"))
# Only these: `str.upper` would make letters of the code from some that are none, such as the long s.
_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
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


def _check_number(number: object) -> None:
    if isinstance(number, bool) or not isinstance(number, int):
        raise DealError("number", f"a deal's number is a whole number, not {shown(number)}")
    if not FIRST_DEAL <= number <= LAST_DEAL:
        raise DealError(
            "number",
            f"there is no deal {shown(number)}: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)",
        )


def _check_cells(cells: object) -> None:
    if isinstance(cells, bool) or not isinstance(cells, int) or cells not in CELL_COUNTS:
        raise DealError("cells", f"a deal has 4, 2 or 1 cells, not {shown(cells)}")


class DealCode(NamedTuple):
    """A deal with its number of cells; `str()` is the canonical code. Make it with `of` or `parse`.

    The constructor checks nothing: of what is no deal, `str()` and `deal` raise `DealError`.
    """

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

        Case and leading zeros do not matter, and hyphens and spaces may be left out. Raises `DealError`
        whose `part` and text say what is wrong.
        """
        typed = text.strip().translate(_HYPHENS)
        code = typed.translate(_CAPITALS)
        parts = [part for part in ("".join(code.split()).split("-") if "-" in code else code.split()) if part]
        if not parts:
            raise DealError("format", f"nothing there: {_EXPECTED}")
        if parts[0].startswith("FC"):
            return _parse_code(parts, text)
        bare = "".join(typed.replace("-", " ").split()).removeprefix("#")
        sign = text.strip().removeprefix("#").strip()[:1]
        return cls.of(_parse_number(bare, text, negative=sign in ("-", "\u2212")), cells)

    def deal(self) -> Position:
        """Return the start position."""
        return deal(self.number, self.cells)

    def __str__(self) -> str:
        _check_number(self.number)
        _check_cells(self.cells)
        letters = "".join(_LETTERS[self.number >> shift & 31] for shift in range(30, -1, -5))
        return f"FC1-C{self.cells}-{letters}"


def _parse_number(digits: str, text: str, *, negative: bool) -> int:
    if digits.isascii() and digits.isdigit():
        digits = digits.lstrip("0") or "0"
        if len(digits) > 20:
            raise DealError(
                "number", f"there is no such deal: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)"
            )
        return -int(digits) if negative else int(digits)
    wrong = next((letter for letter in digits if letter not in _DIGITS), "")
    if digits and digits[0] in _DIGITS:
        raise DealError("number", f"{shown(text)} is no deal number: {wrong!r} is not a digit")
    raise DealError("format", f"{shown(text)} is no deal code: {_EXPECTED}")


def _parse_code(parts: list[str], text: str) -> DealCode:
    """Read the parts between hyphens, or between spaces where there are no hyphens, or what is written in one."""
    start = parts[0][2:]
    rest = start.lstrip(_DIGITS)
    version = start.removesuffix(rest) if rest else start
    if version != "1":
        known = "only the format FC1 is known"
        raise DealError("format", f"{shown(text)} starts with FC{version[:20]}: {known}")
    pieces = [rest, *parts[1:]] if rest else parts[1:]
    cells, letters = _cells_and_letters(pieces)
    if cells[:1] != "C" or not cells[1:]:
        raise DealError(
            "cells", f"after FC1 the number of cells is expected (C4, C2 or C1), not {shown(cells)}"
        )
    if cells[1:] not in ("4", "2", "1"):
        raise DealError("cells", f"{cells[:20]}: a deal has 4, 2 or 1 cells, not {shown(cells[1:])}")
    wrong = next((letter for letter in letters if letter not in _LETTERS), "")
    if wrong:
        raise DealError("number", f"{wrong!r} is not a letter of the code: A to Z and 2 to 7 are used")
    if len(letters) != 7:
        raise DealError(
            "number", f"7 letters are expected for the deal's number, not {len(letters)} ({shown(letters)})"
        )
    number = 0
    for letter in letters:
        number = number << 5 | _LETTERS.index(letter)
    if not FIRST_DEAL <= number <= LAST_DEAL:
        raise DealError(
            "number", f"{letters} is {number}: deals are numbered from 1 to {LAST_DEAL} (2**33 - 1)"
        )
    return DealCode(int(cells[1]), number)


def _cells_and_letters(pieces: list[str]) -> tuple[str, str]:
    if not pieces:
        return "", ""
    first, others = pieces[0], "".join(pieces[1:])
    # `C4AAAAAKH` is written in one; `C44` before a hyphen is a number of cells, if a wrong one.
    if first[:1] == "C" and (not others or first[2:3] not in _DIGITS):
        return first[:2], first[2:] + others
    return first, others
