"""How cards look: suit symbols or letters, two colours or four."""

import codecs
import locale
import re
import sys
from typing import NamedTuple

from cellrace_engine import NO_CARD, RANKS

SYMBOLS, LETTERS = "♣♦♥♠", "CDHS"
TWO_COLOURS = ("bold", "bold red", "bold red", "bold")
FOUR_COLOURS = ("bold green", "bold dodger_blue1", "bold red", "bold")


NAMED = re.compile(rf"\b([{RANKS}])([{LETTERS}])\b")


class Looks(NamedTuple):
    """`ascii` draws with what every terminal has; `four` gives each suit its colour."""

    ascii: bool = False
    four: bool = False

    @property
    def suits(self) -> str:
        return LETTERS if self.ascii else SYMBOLS

    @property
    def pointer(self) -> str:
        """What stands before what is chosen."""
        return ">" if self.ascii else "▶"

    def card(self, card: int) -> str:
        """A card in two characters."""
        if card == NO_CARD:
            return ".." if self.ascii else "··"
        return RANKS[card >> 2] + self.suits[card & 3]

    def signed(self, text: str) -> str:
        """A sentence with its cards (`9S`) in the signs that the board has."""
        if self.ascii:
            return text
        return NAMED.sub(lambda named: named[1] + SYMBOLS[LETTERS.index(named[2])], text)

    def style(self, card: int) -> str:
        """The colour of a card."""
        if card == NO_CARD:
            return "dim"
        return (FOUR_COLOURS if self.four else TWO_COLOURS)[card & 3]

    def bar(self, home: int, width: int = 13) -> str:
        """How far a board is: 52 cards fill it."""
        full = home * width // 52
        return ("#" * full + "." * (width - full)) if self.ascii else "█" * full + "░" * (width - full)


def terminal_encoding() -> str:
    """The encoding of what this program writes, also while somebody stands between it and the terminal who names none,
    as a view that redraws itself does."""
    ours = sys.__stdout__.encoding if sys.__stdout__ is not None else None
    return sys.stdout.encoding or ours or locale.getpreferredencoding()


def shows_symbols(encoding: str | None) -> bool:
    """Whether a terminal of this encoding has the symbols of suits."""
    try:
        codecs.encode(SYMBOLS, encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
