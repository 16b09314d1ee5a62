"""What a player has raced, as sets: what is put in twice is there once."""

from collections.abc import Sequence
from typing import cast

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import CAREER
from cellrace_server.ports.careers import Career, Raced


class RedisCareers:
    """`kept_s` is how long the log of a race that is over is kept."""

    def __init__(self, links: Links, kept_s: int) -> None:
        self._links = links
        self._kept_s = kept_s

    async def count(
        self, race: str, at: int, raced: Sequence[Raced], named: Sequence[str] = (), /
    ) -> Sequence[str]:
        if not raced and not named:
            return ()
        where: list[str] = []
        said: list[str | int] = [race, at, self._kept_s, len(raced)]
        for player, rules, won in raced:
            where += (keys.races(player), keys.wins(player), keys.raced_rules(player), keys.erased(player))
            said += (rules, int(won))
        for player in named:
            where += (keys.named(player), keys.erased(player))
        gone = cast("list[int]", await self._links.run(CAREER, where, *said))
        players = [*(each.player for each in raced), *named]
        return [players[number - 1] for number in gone]

    async def of(self, player: str, /) -> Career:
        races = cast("int", await self._links.ask("ZCARD", keys.races(player)))
        wins = cast("int", await self._links.ask("SCARD", keys.wins(player)))
        rules = cast("list[bytes]", await self._links.ask("ZREVRANGE", keys.raced_rules(player), 0, -1))
        return Career(races, wins, [each.decode() for each in rules])

    async def races(self, player: str, count: int, offset: int = 0, /) -> Sequence[str]:
        if count < 1 or offset < 0:
            return ()
        found = await self._links.ask("ZREVRANGE", keys.races(player), offset, offset + count - 1)
        return [each.decode() for each in cast("list[bytes]", found)]

    async def named(self, player: str, /) -> Sequence[str]:
        found = await self._links.ask("SMEMBERS", keys.named(player))
        return [each.decode() for each in cast("list[bytes]", found)]
