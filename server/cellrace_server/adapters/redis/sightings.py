"""The deals that players have seen: a hash a player, from the deal's number to what it was first seen in."""

from collections.abc import Mapping
from typing import cast

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import SEE


class RedisSightings:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def see(self, player: str, deal: int, by: str, /) -> bool:
        return bool(await self._links.run(SEE, (keys.seen(player), keys.erased(player)), deal, by))

    async def of(self, player: str, /) -> Mapping[int, str]:
        flat = cast("list[bytes]", await self._links.ask("HGETALL", keys.seen(player)))
        return {int(deal): by.decode() for deal, by in zip(flat[::2], flat[1::2], strict=True)}
