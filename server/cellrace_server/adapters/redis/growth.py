"""Word of what other nodes have appended, by publish and subscribe."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.address import Address
from cellrace_server.adapters.redis.subscription import Subscription
from cellrace_server.ports.race_log import Grown

_decode = msgspec.msgpack.Decoder(tuple[str, list[Grown]]).decode


class Growth:
    """`node` is whose own appends are of no interest. `silence` as for a `Subscription`."""

    def __init__(self, address: Address, node: str, silence: float = 5.0) -> None:
        self._subscription = Subscription(address, keys.GROWTH, silence)
        self._node = node

    async def listen(self) -> AsyncGenerator[Grown, None]:
        """Never ends by itself and raises nothing: it connects again. Cancelled: hangs up."""
        async with aclosing(self._subscription.listen()) as messages:
            async for message in messages:
                if message is None:
                    yield Grown("", 0)
                    continue
                for grown in self._foreign(message):
                    yield grown

    def _foreign(self, message: bytes) -> list[Grown]:
        """What it says, unless it is our own word; nothing for a message that is none of ours."""
        try:
            node, grown = _decode(message)
        except msgspec.MsgspecError:
            return []
        return [] if node == self._node else grown
