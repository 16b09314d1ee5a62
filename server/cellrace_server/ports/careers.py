"""In how many races a player has been, and under which rules."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Raced(NamedTuple):
    """One player's part in a race that is over."""

    player: str
    rules: str
    won: bool


class Career(NamedTuple):
    """`rules` are the rule sets raced under, the one of the last race first."""

    races: int = 0
    wins: int = 0
    rules: Sequence[str] = ()


class Careers(Protocol):
    async def count(
        self, race: str, at: int, raced: Sequence[Raced], named: Sequence[str] = (), /
    ) -> Sequence[str]:
        """Count a race that was over at the instant `at` for everybody who `raced`, and remember it of those its log
        only names, while logs are kept; say who of all these was erased, for whom nothing is kept. Harmless when
        repeated, and in any order. Atomic. Raises `StoreUnavailable`."""
        ...

    async def of(self, player: str, /) -> Career:
        """Raises `StoreUnavailable`."""
        ...

    async def races(self, player: str, count: int, offset: int = 0, /) -> Sequence[str]:
        """Races of a player by name, the last first. Raises `StoreUnavailable`."""
        ...

    async def named(self, player: str, /) -> Sequence[str]:
        """Races of others whose logs name the player, in no order: hosts, and those who left before the start. Raises
        `StoreUnavailable`."""
        ...
