"""Ratings by pool: one a player, each race once."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cellrace_server.core.ratings import Change, Pool, Rated, Step
from cellrace_server.ports.results import Look


class Place(NamedTuple):
    """`place` is shared by equals: 1, 2, 2, 4."""

    place: int
    rated: Rated


class Ranking(NamedTuple):
    """`places` are those from row `offset` on of `total`; `mine` is that of the player looked for, wherever it is, with
    `ahead` rows before it and `worse` that count less."""

    total: int
    offset: int
    places: Sequence[Place]
    mine: Place | None = None
    ahead: int = 0
    worse: int = 0


class Ratings(Protocol):
    async def of(self, pool: Pool, players: Sequence[str], /) -> Sequence[Rated | None]:
        """The ratings of these players, in their order. Raises `StoreUnavailable`."""
        ...

    async def book(self, pool: Pool, race: str, changes: Sequence[Change], /) -> bool:
        """Put the changes down, unless this race was booked in the pool before: then nothing changes. False, and
        nothing changed, where one of the ratings is not any more what its change was made from: look again. So each
        race is booked once, and ratings follow each other in the order of the bookings. Atomic; nothing is kept of a
        player who was erased. Raises `StoreUnavailable`: unknown whether it was written; book it again."""
        ...

    async def page(self, pool: Pool, look: Look, /) -> Ranking:
        """The best ratings that are not provisional, the best first, equal ones in the order of their last races.
        Raises `StoreUnavailable`."""
        ...

    async def history(self, pool: Pool, player: str, /) -> Sequence[Step]:
        """The last races of a player, `HISTORY_MOST` at most, the oldest first. Raises `StoreUnavailable`."""
        ...

    async def rules(self, player: str, /) -> Sequence[str]:
        """The rule sets under which a player is rated, sorted. Raises `StoreUnavailable`."""
        ...
