"""Finding things by name, and only one holder a name."""

from typing import Protocol

import msgspec

from cellrace_server.core.people import Player


class Directory(Protocol):
    async def claim(self, name: str, race: str, /, kept_ms: int = 0) -> str:
        """The race, or for a player's name the player, that holds `name`: `race` itself if nobody held it.
        Atomic: of two nodes asking at the same instant both get the same answer. Harmless when repeated.
        With `kept_ms` above 0 the name may be free again after so long: nothing may rest on its being held then.
        Raises `StoreUnavailable`: unknown; claim again."""
        ...

    async def release(self, name: str, race: str, /) -> None:
        """Free `name` if `race` holds it; otherwise nothing. Harmless when repeated. Raises `StoreUnavailable`."""
        ...


class Identity(msgspec.Struct, frozen=True, array_like=True):
    """A player and when it was first seen (store clock, ms)."""

    player: Player
    since: int


class Identities(Protocol):
    """Known players by the SHA-256 of their secret token. Tokens themselves are never stored."""

    async def find(self, token_hash: bytes, /) -> Identity | None:
        """Raises `StoreUnavailable`."""
        ...

    async def keep(self, token_hash: bytes, identity: Identity, /) -> Identity:
        """Store, unless there is one already: it stays. Returns the one that stands. Harmless when repeated.

        Raises `StoreUnavailable`.
        """
        ...
