"""Names and the races that hold them."""

from typing import cast

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import CLAIM, RELEASE


class RedisDirectory:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def claim(self, name: str, race: str, /, kept_ms: int = 0) -> str:
        holder = cast("bytes", await self._links.run(CLAIM, (keys.name(name),), race, kept_ms))
        return holder.decode()

    async def holder(self, name: str, /) -> str | None:
        holder = cast("bytes | None", await self._links.ask("GET", keys.name(name)))
        return None if holder is None else holder.decode()

    async def release(self, name: str, race: str, /) -> None:
        await self._links.run(RELEASE, (keys.name(name),), race)
