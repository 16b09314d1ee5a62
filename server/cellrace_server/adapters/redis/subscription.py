"""What others publish, heard over connections that break."""

import asyncio
from collections.abc import AsyncGenerator

from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from cellrace_server.adapters.redis.address import Address, Answer, Wire, packed

FIRST_DELAY = 0.05
LAST_DELAY = 1.0


class Subscription:
    """`silence`: seconds after which a quiet connection is tried, and given up if it stays quiet as long again."""

    def __init__(self, address: Address, channel: str, silence: float = 5.0) -> None:
        self._address = address
        self._channel = channel
        self._silence = silence

    async def listen(self) -> AsyncGenerator[bytes | None]:
        """Each message; `None` after every (re)connection, before which any may have been missed. Never ends by itself
        and raises nothing: it connects again. Cancelled: hangs up."""
        delay = FIRST_DELAY
        while True:
            wire = self._address.wire(self._silence)
            try:
                await self._subscribe(wire)
                delay = FIRST_DELAY
                yield None
                while True:
                    yield await self._next(wire)
            except (RedisError, OSError):
                await asyncio.sleep(delay)
                delay = min(2 * delay, LAST_DELAY)
            finally:
                await wire.disconnect(nowait=True)

    async def _subscribe(self, wire: Wire) -> None:
        await wire.connect()
        await wire.send_packed_command(packed([("SUBSCRIBE", self._channel)]), check_health=False)
        await self._hear(wire)

    async def _next(self, wire: Wire) -> bytes:
        """The next message. Raises `RedisError` when the connection is lost."""
        while True:
            answer = await wire.read_response(timeout=self._silence, disconnect_on_error=False)
            if answer is None:
                await wire.send_packed_command(packed([("PING",)]), check_health=False)
                answer = await self._hear(wire)
            match answer:
                case [b"message", _, bytes() as message]:
                    return message
                case _:  # the answer to our PING, or to one that a message came before
                    continue

    async def _hear(self, wire: Wire) -> Answer:
        """What the store says. Raises `RedisTimeoutError` when it says nothing, for which the library has `None`."""
        answer = await wire.read_response(timeout=self._silence)
        if answer is None:
            raise RedisTimeoutError("the store has fallen silent")
        return answer


async def silence() -> AsyncGenerator[bytes | None]:
    """What is heard of others where there are none: that one listens, and nothing else."""
    yield None
    await asyncio.get_running_loop().create_future()
