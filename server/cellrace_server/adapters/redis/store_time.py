"""The store's clock."""

from typing import cast

from cellrace_server.adapters.redis.connection import Links


class RedisStoreTime:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def store_time(self) -> int:
        seconds, micros = cast("tuple[bytes, bytes]", await self._links.ask("TIME"))
        return int(seconds) * 1_000_000 + int(micros)
