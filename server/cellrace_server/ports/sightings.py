"""Which deals a player has seen, and what in."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class Sight(NamedTuple):
    """A player sees the deal of a number, by what is named (a race, or else)."""

    player: str
    deal: int
    by: str


class Sightings(Protocol):
    async def see(self, sights: Sequence[Sight], /) -> Sequence[bool]:
        """Of each, in order, whether it was by this that the player saw the deal first: asked again, the answer is the
        same for good. Deals that differ in their cells only are one.

        Of a player who was erased nothing is kept, and nothing is the first.

        Durable when it returns. Raises `StoreUnavailable`: unknown whether it was written; ask again.
        """
        ...

    async def of(self, player: str, /) -> Mapping[int, str]:
        """All deals that a player has seen, by number, and what each was seen in first. Raises `StoreUnavailable`."""
        ...
