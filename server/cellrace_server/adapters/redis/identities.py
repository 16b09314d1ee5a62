"""Players by the hash of their token, and which token it is."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import CHANGE_TOKEN, KEEP, REVOKE
from cellrace_server.adapters.redis.subscription import Subscription, silence
from cellrace_server.core.people import Player
from cellrace_server.ports.directory import Identity
from cellrace_server.ports.errors import StoreCorrupt

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Identity).decode
_decode_word = msgspec.msgpack.Decoder(tuple[str, str]).decode


class RedisIdentities:
    """`subscription` hears what other nodes revoke; without one there are none. `node` is this one's name."""

    def __init__(self, links: Links, subscription: Subscription | None = None, node: str = "") -> None:
        self._links = links
        self._subscription = subscription
        self._node = node

    async def find(self, token_hash: bytes, /) -> Identity | None:
        return await self._read(keys.identity(token_hash))

    async def keep(self, token_hash: bytes, identity: Identity, /) -> Identity:
        player = identity.player.id
        where = (keys.identity(token_hash), keys.who(player), keys.tokens(player), keys.erased(player))
        await self._links.run(KEEP, where, _encode(identity), token_hash)
        return await self.find(token_hash) or identity

    async def who(self, player: str, /) -> Identity | None:
        return await self._read(keys.who(player))

    async def forget(self, player: Player, /) -> None:
        nobody = _encode(Identity(player, 0))
        for token_hash in cast("list[bytes]", await self._links.ask("SMEMBERS", keys.tokens(player.id))):
            await self._links.write("SET", keys.identity(token_hash), nobody)
        await self.revoke(player.id)
        await self._links.write("UNLINK", keys.who(player.id))
        await self._links.write("UNLINK", keys.tokens(player.id))

    async def token_of(self, player: str, /) -> bytes | None:
        return cast("bytes | None", await self._links.ask("GET", keys.token(player)))

    async def change_token(self, player: str, old: bytes, new: bytes, /) -> bool:
        word = self._word(player)
        return bool(await self._links.run(CHANGE_TOKEN, (keys.token(player),), old, new, word))

    async def revoke(self, player: str, /) -> None:
        await self._links.run(REVOKE, (keys.token(player),), self._word(player))

    async def revocations(self) -> AsyncIterator[str]:
        listening = silence() if self._subscription is None else self._subscription.listen()
        async with aclosing(listening) as messages:
            async for message in messages:
                player = "" if message is None else self._foreign(message)
                if player is not None:
                    yield player

    async def _read(self, key: str) -> Identity | None:
        encoded = cast("bytes | None", await self._links.ask("GET", key))
        try:
            return None if encoded is None else _decode(encoded)
        except msgspec.MsgspecError as error:
            raise StoreCorrupt(key, str(error)) from error

    def _word(self, player: str) -> bytes:
        """What other nodes are told."""
        return b"" if self._subscription is None else _encode((self._node, player))

    def _foreign(self, message: bytes) -> str | None:
        """The player that another node speaks of."""
        try:
            node, player = _decode_word(message)
        except msgspec.MsgspecError:
            return None
        return player if player and node != self._node else None
