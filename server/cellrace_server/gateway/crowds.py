"""How many watch each race, as channels need to know and to say it."""

from typing import Protocol


class Crowds(Protocol):
    def watched(self, race: str, spectators: int, /) -> None:
        """So many watch a race on this node now."""
        ...

    def spectators(self, race: str, /) -> int:
        """How many watch a race, wherever they are."""
        ...


class LocalCrowds:
    """Implements `Crowds` for a node that is alone and counts for itself."""

    def __init__(self) -> None:
        self._crowds: dict[str, int] = {}

    def watched(self, race: str, spectators: int, /) -> None:
        self._crowds[race] = spectators

    def spectators(self, race: str, /) -> int:
        return self._crowds.get(race, 0)
