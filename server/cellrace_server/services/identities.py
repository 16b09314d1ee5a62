"""Who is who: guests at once, and for good by a secret token."""

import hashlib
from collections.abc import Collection
from typing import NamedTuple

from cellrace_server.core import names
from cellrace_server.core.people import Kind, Player
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.directory import Identities, Identity

TOKEN_LEAST = 32
"""Characters of a token: those given out have 192 bits of chance in them."""


class Known(NamedTuple):
    """A player and the secret that proves it. `stored` is false for a guest who has not done anything yet."""

    player: Player
    token: str
    stored: bool


class People:
    """Identities by token. Until `remember` a guest costs the store nothing: who it is follows from the token alone.

    `blocked` are names that the host does not want, in any spelling.
    """

    def __init__(
        self, identities: Identities, clock: Clock, chance: Chance, blocked: Collection[str] = ()
    ) -> None:
        self._identities = identities
        self._clock = clock
        self._chance = chance
        self._blocked = frozenset(names.fold(name) for name in blocked)

    def fault_in(self, name: str) -> str | None:
        """Why nobody can have this name; `None` when it will do, or when it is empty: then one is made up."""
        tidy = names.tidy(name)
        return names.fault(tidy, self._blocked) if tidy else None

    async def find(self, token: str, name: str, kind: Kind) -> Known:
        """Whose token this is. A guest who has not done anything yet comes back under the name and kind given.

        Raises `StoreUnavailable`.
        """
        identity = await self._identities.find(_hash(token))
        return (
            self._guest(token, name, kind) if identity is None else Known(identity.player, token, stored=True)
        )

    def guest(self, name: str, kind: Kind) -> Known:
        """A new identity, with a made-up name if none was given. The name must be free of faults (not checked)."""
        return self._guest(self._chance.token(), name, kind)

    async def remember(self, known: Known) -> Known:
        """Keep the identity. Harmless when repeated. Raises `StoreUnavailable`."""
        if known.stored:
            return known
        await self._identities.keep(_hash(known.token), Identity(known.player, self._clock.now()))
        return known._replace(stored=True)

    def _guest(self, token: str, name: str, kind: Kind) -> Known:
        shown = names.tidy(name) or self._chance.guest_name()
        return Known(Player(player_id(token), shown, kind), token, stored=False)


def token_fault(token: str) -> str | None:
    """Why this cannot be a token; `None` when it can."""
    if len(token) < TOKEN_LEAST or not token.isascii() or not token.isprintable():
        return (
            f"a token has at least {TOKEN_LEAST} printable ASCII characters: say hello without one to get one"
        )
    return None


def player_id(token: str) -> str:
    """The public id of a token's owner: 80 bits of a hash of its own, so that nothing of the token shows."""
    return hashlib.sha256(b"cellrace player " + token.encode("ascii")).hexdigest()[:20]


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
