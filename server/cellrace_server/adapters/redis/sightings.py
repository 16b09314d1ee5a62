"""The deals that players have seen: a hash a player, from the deal's number to what it was first seen in."""

from collections.abc import Mapping, Sequence
from typing import cast

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.gathered import Gathered
from cellrace_server.adapters.redis.scripts import SEE
from cellrace_server.ports.sightings import Sight


class RedisSightings:
    def __init__(self, links: Links) -> None:
        self._links = links
        self._gathered = Gathered(self._see)

    async def see(self, sights: Sequence[Sight], /) -> Sequence[bool]:
        return await self._gathered.ask(sights) if sights else ()

    async def _see(self, sights: Sequence[Sight]) -> Sequence[bool]:
        where: list[str] = []
        said: list[str | int] = []
        for player, deal, by in sights:
            where += (keys.seen(player), keys.erased(player))
            said += (deal, by)
        first = cast("list[int]", await self._links.run(SEE, where, *said))
        return [bool(each) for each in first]

    async def of(self, player: str, /) -> Mapping[int, str]:
        flat = cast("list[bytes]", await self._links.ask("HGETALL", keys.seen(player)))
        return {int(deal): by.decode() for deal, by in zip(flat[::2], flat[1::2], strict=True)}
