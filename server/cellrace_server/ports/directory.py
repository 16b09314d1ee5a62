"""Finding things by name, and only one holder a name."""

from collections.abc import AsyncIterator
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

    async def holder(self, name: str, /) -> str | None:
        """Who holds `name`; `None`: nobody. Raises `StoreUnavailable`."""
        ...

    async def release(self, name: str, race: str, /) -> None:
        """Free `name` if `race` holds it; otherwise nothing. Harmless when repeated. Raises `StoreUnavailable`."""
        ...


class Identity(msgspec.Struct, frozen=True, array_like=True):
    """A player and when it was first seen (store clock, ms)."""

    player: Player
    since: int


class Identities(Protocol):
    """Known players by the SHA-256 of their secret token. Tokens themselves are never stored.

    A token that leads to a player proves it only as long as `token_of` says nothing else.
    """

    async def find(self, token_hash: bytes, /) -> Identity | None:
        """Raises `StoreUnavailable`."""
        ...

    async def keep(self, token_hash: bytes, identity: Identity, /) -> Identity:
        """Store, unless there is one already: it stays. Returns the one that stands. Harmless when repeated.

        Raises `StoreUnavailable`.
        """
        ...

    async def who(self, player: str, /) -> Identity | None:
        """A player that was kept, by its id, since when it was. Raises `StoreUnavailable`."""
        ...

    async def forget(self, player: Player, /) -> None:
        """All tokens that ever led to the player of this id lead to `player` now, which has another name, and none
        proves it. `who` finds nobody. Harmless when repeated. Raises `StoreUnavailable`: done or not."""
        ...

    async def token_of(self, player: str, /) -> bytes | None:
        """The hash of the one token that proves this player: empty where none does, `None` where none was ever changed
        or revoked. Raises `StoreUnavailable`."""
        ...

    async def change_token(self, player: str, old: bytes, new: bytes, /) -> bool:
        """From now on the token with the hash `new` proves the player, and no other. False, and nothing changed, unless
        it was that of `old` until now. Atomic; harmless when repeated. Raises `StoreUnavailable`."""
        ...

    async def revoke(self, player: str, /) -> None:
        """No token proves this player any more. Harmless when repeated. Raises `StoreUnavailable`."""
        ...

    def revocations(self) -> AsyncIterator[str]:
        """Wakes the caller with a player when *another* node has changed or revoked a token, as `RaceLog.growth` does
        for races: an empty text after every (re)connection, before which any may have been missed."""
        ...
