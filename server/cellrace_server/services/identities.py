"""Who is who: guests at once, and for good by a secret token."""

import hashlib
from typing import NamedTuple

from cellrace_server.core.people import Kind, Player
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.directory import Identities, Identity

NAME_MOST = 24


class Known(NamedTuple):
    """A player and the secret that proves it. `stored` is false for a guest who has not done anything yet."""

    player: Player
    token: str
    stored: bool


class People:
    """Identities by token. A guest costs the store nothing until `remember`."""

    def __init__(self, identities: Identities, clock: Clock, chance: Chance) -> None:
        self._identities = identities
        self._clock = clock
        self._chance = chance

    async def find(self, token: str) -> Known | None:
        """Whose token this is; `None` for one that was never given out. Raises `StoreUnavailable`."""
        identity = await self._identities.find(_hash(token))
        return None if identity is None else Known(identity.player, token, stored=True)

    def guest(self, name: str, kind: Kind) -> Known:
        """A new identity, with a made-up name if none was given."""
        shown = " ".join(name.split())[:NAME_MOST] or self._chance.guest_name()
        player = Player(self._chance.player_id(), shown, kind)
        return Known(player, self._chance.token(), stored=False)

    async def remember(self, known: Known) -> Known:
        """Keep the identity. Harmless when repeated. Raises `StoreUnavailable`."""
        if known.stored:
            return known
        await self._identities.keep(_hash(known.token), Identity(known.player, self._clock.now()))
        return known._replace(stored=True)


def name_fault(name: str) -> str | None:
    """Why a name cannot be shown to others; `None` if it can."""
    if not name.isprintable():
        return "a name has letters, digits, signs and single spaces only"
    if len(name) > NAME_MOST:
        return f"a name has {NAME_MOST} characters at most, this one {len(name)}"
    return None


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
