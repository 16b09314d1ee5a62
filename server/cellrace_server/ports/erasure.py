"""Removing a player who does not want to be known any more."""

from collections.abc import Sequence
from typing import Protocol

from cellrace_server.core.people import Player


class Erasure(Protocol):
    """All of it is harmless when repeated, and raises `StoreUnavailable`: done or not."""

    async def begin(self, player: Player, /) -> None:
        """From now on nothing is kept of this player, whatever is booked; `unfinished` names the player until `end`."""
        ...

    async def begun(self, player: str, /) -> bool:
        """Whether nothing is kept of this player any more. Raises `StoreUnavailable`."""
        ...

    async def wipe(self, player: str, today: int, /) -> None:
        """Remove what is kept: runs with their rows and replays, ratings, races, days and deals seen, and the attempts
        of the days up to the day number `today`. `begin` first."""
        ...

    async def end(self, player: str, /) -> None:
        """It is done. That nothing is kept stays so."""
        ...

    async def unfinished(self) -> Sequence[Player]:
        """Those of whom something may be left, because whoever began has stopped."""
        ...
