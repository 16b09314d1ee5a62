"""Deals of the day, and the days on which players have finished them."""

from typing import Protocol

from cellrace_server.core.dailies import Daily


class Dailies(Protocol):
    async def secret(self, drawn: bytes, /) -> bytes:
        """The secret that all deals follow from: `drawn`, if there was none yet. Atomic: all nodes get the same one,
        for good. Raises `StoreUnavailable`: unknown; ask again."""
        ...

    async def find(self, day: str, rules: str, /) -> Daily | None:
        """Raises `StoreUnavailable`."""
        ...

    async def keep(self, daily: Daily, /) -> Daily:
        """Store, unless its day and rules have a deal already: that one stays. Returns the one that stands, on all
        nodes the same, for good. Harmless when repeated. Raises `StoreUnavailable`."""
        ...

    async def finished(self, player: str, rules: str, day: int, /) -> None:
        """The player has finished the attempt of this day, given by its number. Harmless when repeated, and in any
        order. Raises `StoreUnavailable`."""
        ...

    async def days(self, player: str, rules: str, /) -> bytes:
        """The days finished, as `core.streaks` reads them. Raises `StoreUnavailable`."""
        ...
