"""A board as one short text, the same in both codecs.

`columns 1..8 separated by /`, `|`, the cells, `|`, the four foundations' heights in hexadecimal (C D H S).
A card is one letter: A-Z for card indexes 0-25, a-z for 26-51, index = (rank - 1) * 4 + suit. An empty cell is `-`.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"
NO_CARD = 52
_PACK = bytes(LETTERS[i] if i < len(LETTERS) else 0x3F for i in range(256))
_UNPACK = bytes(LETTERS.find(i) & 0xFF for i in range(256))
_HEIGHTS = "0123456789abcd"


class Piles(NamedTuple):
    """Card indexes: columns with the exposed card last, cells (`NO_CARD` where empty), heights of the foundations."""

    columns: tuple[bytes, ...]
    cells: bytes
    foundations: bytes


def pack(columns: Sequence[bytes], cells: bytes, foundations: bytes) -> str:
    """The text of a board. Card indexes must be 0-51 (52 for an empty cell), heights 0-13; not checked."""
    cards = b"/".join([column.translate(_PACK) for column in columns])
    heights = "".join([_HEIGHTS[height] for height in foundations])
    return f"{cards.decode('ascii')}|{cells.translate(_PACK).decode('ascii')}|{heights}"


def unpack(text: str) -> Piles:
    """The piles of a board text. Raises `ValueError` where it is none; whether the cards make a deck is not checked."""
    try:
        columns_text, cells_text, heights = text.encode("ascii").split(b"|")
        foundations = bytes(_HEIGHTS.index(chr(height)) for height in heights)
    except ValueError:
        raise ValueError(f"not a board: {text[:100]!r}") from None
    columns = tuple(column.translate(_UNPACK) for column in columns_text.split(b"/"))
    cells = cells_text.translate(_UNPACK)
    if len(columns) != 8 or len(foundations) != 4:
        raise ValueError(f"not a board of 8 columns and 4 foundations: {text[:100]!r}")
    if any(card >= NO_CARD for column in columns for card in column) or any(card > NO_CARD for card in cells):
        raise ValueError(f"not a card in: {text[:100]!r}")
    return Piles(columns, cells, foundations)


def checksum(text: str) -> int:
    """CRC-32 (as in zlib, PNG, Ethernet) of a board text, ASCII; 0 to 2**32 - 1."""
    return zlib.crc32(text.encode("ascii"))
