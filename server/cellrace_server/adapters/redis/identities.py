"""Players by the hash of their token."""

from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.ports.directory import Identity
from cellrace_server.ports.errors import StoreCorrupt

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Identity).decode


class RedisIdentities:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def find(self, token_hash: bytes, /) -> Identity | None:
        key = keys.identity(token_hash)
        encoded = cast("bytes | None", await self._links.ask("GET", key))
        try:
            return None if encoded is None else _decode(encoded)
        except msgspec.MsgspecError as error:
            raise StoreCorrupt(key, str(error)) from error

    async def keep(self, token_hash: bytes, identity: Identity, /) -> Identity:
        await self._links.write("SET", keys.identity(token_hash), _encode(identity), "NX")
        return await self.find(token_hash) or identity
