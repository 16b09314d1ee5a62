"""What nodes tell each other, by publish and subscribe: nothing of it is stored."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.address import Address
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.subscription import Subscription
from cellrace_server.ports.bulletin import Ask, Heard, Said

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[str, Said]).decode


class RedisBulletin:
    """`address` is `None` for a store with a single user: there is nobody to tell."""

    def __init__(self, links: Links, address: Address | None, node: str) -> None:
        self._links = links
        self._subscription = Subscription(address, keys.NODES) if address is not None else None
        self._node = node

    async def say(self, said: Said, /) -> None:
        if self._subscription is not None:
            await self._links.ask("PUBLISH", keys.NODES, _encode((self._node, said)))

    async def hear(self) -> AsyncGenerator[Heard, None]:
        if self._subscription is None:
            yield Heard("", Ask())
            await asyncio.get_running_loop().create_future()
            return
        async with aclosing(self._subscription.listen()) as messages:
            async for message in messages:
                heard = Heard("", Ask()) if message is None else self._foreign(message)
                if heard is not None:
                    yield heard

    def _foreign(self, message: bytes) -> Heard | None:
        try:
            node, said = _decode(message)
        except msgspec.MsgspecError:
            return None  # a node of another version, or none of ours
        return None if node in ("", self._node) else Heard(node, said)
