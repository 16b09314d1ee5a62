"""Which cards may be sent home at once without giving anything away.

Sending such a card is forced in a search: a position where it stays is never better.
"""

from collections.abc import Callable
from enum import Enum, auto


class Safety(Enum):
    """How careful to be. What comes later in the list is sure under more rule sets and sends fewer cards."""

    NOTHING_COMES_BACK = auto()
    """No card is ever taken back from a foundation: a card that nothing has to be laid on is safe."""
    CARDS_COME_BACK = auto()
    """Cards may be taken back: all cards that could ever come to lie on a safe one must be home."""


def _nothing_comes_back(rank: int, others: int, mate: int) -> bool:
    return others >= rank - 1 or (others >= rank - 2 and mate >= rank - 3)


def _cards_come_back(rank: int, others: int, mate: int) -> bool:
    return others >= rank - 1 and mate >= rank - 2


_TESTS: dict[Safety, Callable[[int, int, int], bool]] = {
    Safety.NOTHING_COMES_BACK: _nothing_comes_back,
    Safety.CARDS_COME_BACK: _cards_come_back,
}


class SafeCards(dict[bytes, bytes]):
    """Foundation heights to the cards that are next on them and safe, lowest first; filled as it is asked."""

    def __init__(self, safety: Safety) -> None:
        super().__init__()
        self._is_safe = _TESTS[safety]

    def __missing__(self, heights: bytes) -> bytes:
        safe = [height * 4 + suit for suit, height in enumerate(heights) if self._safe(heights, suit)]
        self[heights] = found = bytes(sorted(safe))
        return found

    def _safe(self, heights: bytes, suit: int) -> bool:
        rank = heights[suit] + 1
        others = (heights[1], heights[2]) if suit in (0, 3) else (heights[0], heights[3])
        return rank <= 2 or (rank <= 13 and self._is_safe(rank, min(others), heights[3 - suit]))
