"""Piles as numbers, and the move: (source, destination, count)."""

from typing import NamedTuple

from cellrace_engine.shown import shown

COLUMNS = range(8)
CELLS = range(8, 12)
FOUNDATIONS = range(12, 16)
PILES = range(16)

FIRST_CELL = 8
FIRST_FOUNDATION = 12

# The name of each pile as people and the reference vectors write it.
PILE_NAMES: tuple[str, ...] = (*"12345678", *"abcd", "hC", "hD", "hH", "hS")


class Move(NamedTuple):
    """`count` cards from the end of pile `source` to pile `destination`.

    The same value says what the player asks and, in `Step.automatic`, which cards went up by themselves.
    """

    source: int
    destination: int
    # The name hides `tuple.count`, which nobody needs of a move.
    count: int = 1  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride]

    def reversed(self) -> "Move":
        """Return the transfer that takes this one back."""
        return Move(self.destination, self.source, self.count)


class Step(NamedTuple):
    """One move of the player together with the automatic moves that it caused."""

    move: Move
    automatic: tuple[Move, ...] = ()

    @property
    def transfers(self) -> tuple[Move, ...]:
        """All card transfers in the order in which they happened."""
        return (self.move, *self.automatic)

    @property
    def reversed_transfers(self) -> tuple[Move, ...]:
        """What an undo of this step does to the board, in order."""
        return tuple(transfer.reversed() for transfer in reversed(self.transfers))


def describe_pile(pile: int) -> str:
    """Return a pile in words: `column 3`, `cell b`, `the foundation of hearts`."""
    if pile in COLUMNS:
        return f"column {pile + 1}"
    if pile in CELLS:
        return f"cell {PILE_NAMES[pile]}"
    if pile in FOUNDATIONS:
        return f"the foundation of {('clubs', 'diamonds', 'hearts', 'spades')[pile - FIRST_FOUNDATION]}"
    return f"pile {shown(pile)}"
