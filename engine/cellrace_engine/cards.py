"""Cards as numbers from 0 to 51: `(rank - 1) * 4 + suit`, suits clubs, diamonds, hearts, spades."""

from cellrace_engine.errors import CardError
from cellrace_engine.shown import shown

RANKS = "A23456789TJQK"
SUITS = "CDHS"
NO_CARD = 52  # what an empty cell holds
DECK = range(52)

NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_BY_NAME = {name: card for card, name in enumerate(NAMES)}


def rank(card: int) -> int:
    """Return the rank, from 1 (ace) to 13 (king)."""
    return (card >> 2) + 1


def suit(card: int) -> int:
    """Return the suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def is_red(card: int) -> bool:
    """Tell whether the card is a diamond or a heart."""
    return card & 3 in (1, 2)


def card_name(card: int) -> str:
    """Return the two-letter name, such as `TH` for the ten of hearts."""
    return NAMES[card]


def parse_card(text: str) -> int:
    """Return the card that a name means; `10` may stand for `T`, case does not matter.

    Raises `CardError` when there is no such card.
    """
    card = _BY_NAME.get(text.strip().upper().replace("10", "T"))
    if card is None or not text.strip().isascii():  # the long s is no S
        raise CardError(
            f"{shown(text)} is no card: a rank (A23456789TJQK) and a suit (CDHS) are expected, as in 'TH'"
        )
    return card


def _parents(card: int) -> frozenset[int]:
    above = (card >> 2) + 1
    if above > 12:
        return frozenset()
    return frozenset(above * 4 + s for s in range(4) if is_red(s) != is_red(card))


# For each card the two cards that it may be laid on: the other colour, one rank higher.
PARENTS: tuple[frozenset[int], ...] = tuple(_parents(card) for card in DECK)


def run_length(column: bytes) -> int:
    """Return how many cards at the end of a column form a run: down by one in alternating colours."""
    if not column:
        return 0
    length = 1
    lower = column[-1]
    for upper in column[-2::-1]:
        if upper not in PARENTS[lower]:
            break
        lower = upper
        length += 1
    return length
