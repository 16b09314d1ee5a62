"""Who is who: guests at once, and for good by a secret token."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple

from msgspec.structs import replace

from cellrace_server.core import names
from cellrace_server.core.erasing import nameless
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.directory import Directory, Identities, Identity
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services.room import RETRY_AFTER_MS

logger = logging.getLogger(__name__)

TOKEN_LEAST = 32
"""Characters of a token: those given out have 192 bits of chance in them."""


VARIATIONS = 8
"""Numbers tried behind a name that is taken, before one that follows from the player's id."""


KEEPING_MS = 3_000
"""How long a player who has claimed a name may take to be kept: the store answers within a second or not at all."""

LOOK_AGAIN_MS = 50
"""Of players of one name who come at once, each but the first waits for the one before."""


class Known(NamedTuple):
    """A player and the secret that proves it. `stored` is false for a guest who has not done anything yet."""

    player: Player
    token: str
    stored: bool


class People:
    """Identities by token. Until `remember` a guest costs the store nothing: who it is follows from the token alone.
    From then on nobody else has the name, nor one that people would take for it.

    `blocked` are names that the host does not want, in any spelling.
    """

    def __init__(
        self,
        identities: Identities,
        directory: Directory,
        clock: Clock,
        chance: Chance,
        blocked: Collection[str] = (),
    ) -> None:
        self._identities = identities
        self._directory = directory
        self._clock = clock
        self._chance = chance
        self._blocked = frozenset(names.fold(name) for name in blocked)
        self._changed: asyncio.Queue[str] = asyncio.Queue()
        self._changes = 0

    def fault_in(self, name: str) -> names.Fault | None:
        """Why nobody can have this name; `None` when it will do, or when it is empty: then one is made up."""
        tidy = names.tidy(name)
        return names.fault(tidy, self._blocked) if tidy else None

    async def find(self, token: str, name: str, kind: Kind) -> Known | None:
        """Whose token this is; `None` for one that was revoked. A guest who has not done anything yet comes back under
        the name and kind given.

        Raises `StoreUnavailable`.
        """
        identity = await self._identities.find(_hash(token))
        known = (
            self._guest(token, name, kind) if identity is None else Known(identity.player, token, stored=True)
        )
        while True:
            changes = self._changes
            proves = await self.proves(known)
            if changes == self._changes:  # else a change has passed this answer by
                return known if proves else None

    async def proves(self, known: Known) -> bool:
        """Whether the token proves the player still. Raises `StoreUnavailable`."""
        valid = await self._identities.token_of(known.player.id)
        return valid is None or valid == _hash(known.token)

    async def renew(self, known: Known, token: str) -> Known | Rejected:
        """Another token for the same player, who is kept for good by it; the old one proves nothing from now on. With
        the same token it can be repeated, also by who has been given `Rejected`.

        Raises `StoreUnavailable`: done or not.
        """
        known = await self.remember(known)
        player, new = known.player, _hash(token)
        standing = await self._identities.keep(new, Identity(player, self._clock.now()))
        if standing.player.id != player.id:
            return Rejected(Reason.BAD_TOKEN, "this token is another player's")
        if not await self._identities.change_token(player.id, _hash(known.token), new):
            return Rejected(Reason.REVOKED, "the token that this connection came with was revoked")
        self.changed(player.id)
        return Known(player, token, stored=True)

    def new_token(self) -> str:
        """One that nobody has."""
        return self._chance.token()

    async def revoke(self, player: str) -> None:
        """No token proves this player any more. Raises `StoreUnavailable`: done or not."""
        await self._identities.revoke(player)
        self.changed(player)

    async def who(self, player: str) -> Identity | None:
        """A player who was kept, by its id. Raises `StoreUnavailable`."""
        return await self._identities.who(player)

    async def forget(self, player: Player) -> None:
        """The name is free, identities lead to nobody by it, and no token proves the player any more. The player's
        connections stay until `changed`. Harmless when repeated. Raises `StoreUnavailable`: done or not."""
        key = _name_key(player.name)
        holder = await self._directory.holder(key)
        if holder is not None and holder.partition(" ")[0] == player.id:
            await self._directory.release(key, holder)
        await self._identities.forget(nameless(player))

    async def named(self, name: str) -> str | None:
        """The id of the player who has this name, in any spelling; `None`: nobody. Raises `StoreUnavailable`."""
        holder = await self._directory.holder(_name_key(name))
        return holder.partition(" ")[0] if holder is not None else None

    async def follow(self, check: Callable[[str], Awaitable[None]]) -> None:
        """Call `check` with each player whose token was changed or revoked, here or on another node, and with an empty
        text when that may have been missed; again until it does not raise `StoreUnavailable`. Runs until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._hear(), name="revocations")
            while True:
                player = await self._changed.get()
                try:
                    await check(player)
                except StoreUnavailable:
                    self._changed.put_nowait(player)
                    await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
                except StoreCorrupt:
                    logger.exception("whether tokens of %s are valid cannot be read", player or "somebody")

    async def _hear(self) -> None:
        async for player in self._identities.revocations():
            self.changed(player)

    def changed(self, player: str) -> None:
        """Something may not prove this player any more: look at the connections again (`follow`)."""
        self._changes += 1
        self._changed.put_nowait(player)

    def guest(self, name: str, kind: Kind) -> Known:
        """A new identity, with a made-up name if none was given. The name must be free of faults (not checked)."""
        return self._guest(self._chance.token(), name, kind)

    async def remember(self, known: Known) -> Known:
        """Keep the identity under the first variation of its name that is free, or the one that another connection has
        kept first: an identity is for good.

        Harmless when repeated. Raises `StoreUnavailable`.
        """
        if known.stored:
            return known
        kept = await self._identities.find(_hash(known.token))
        if kept is not None:
            return Known(kept.player, known.token, stored=True)
        player = replace(known.player, name=await self._free_name(known))
        standing = await self._identities.keep(_hash(known.token), Identity(player, self._clock.now()))
        return Known(standing.player, known.token, stored=True)

    async def _free_name(self, known: Known) -> str:
        """The name itself, `Ada 2`, `Ada 3` …; in the end one that only this player would ask for."""
        player = known.player
        wanted = player.name
        own_number = int(hashlib.sha256(player.id.encode()).hexdigest()[:6], 16)
        numbers = (*range(2, VARIATIONS + 2), own_number)
        for name in (wanted, *(names.variation(wanted, number) for number in numbers)):
            if await self._claimed(_name_key(name), f"{player.id} {_hash(known.token).hex()}"):
                return name
        return names.variation(player.id, own_number)

    async def _claimed(self, key: str, claim: str) -> bool:
        """Whether the name is had by this claim now: a player's id, and the hash of the token under which it is kept.
        A name that is held for somebody who was never kept is freed, for a node died between the two; that may be about
        to come, mostly at once, so it is looked at again for a while."""
        holder = await self._directory.claim(key, claim)
        if holder == claim or await self._kept_soon(holder):
            return holder == claim
        await self._directory.release(key, holder)
        return await self._directory.claim(key, claim) == claim

    async def _kept_soon(self, claim: str) -> bool:
        give_up = self._clock.now() + KEEPING_MS
        while not (kept := await self._kept(claim)) and self._clock.now() < give_up:
            await self._clock.wait_until(self._clock.now() + LOOK_AGAIN_MS)
        return kept

    async def _kept(self, claim: str) -> bool:
        return await self._identities.find(bytes.fromhex(claim.partition(" ")[2])) is not None

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


def _name_key(name: str) -> str:
    return f"name:{names.fold(name)}"


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
