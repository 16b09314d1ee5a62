"""Ratings as a hash a pool, ranked by a sorted set such as boards have, with a short list of steps a player."""

from collections.abc import Sequence
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys, order
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import RATE
from cellrace_server.core.ratings import HISTORY_MOST, Change, Pool, Rated, Step
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.ratings import Place, Ranking
from cellrace_server.ports.results import Look

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Rated).decode
_decode_step = msgspec.msgpack.Decoder(Step).decode


class RedisRatings:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def of(self, pool: Pool, players: Sequence[str], /) -> Sequence[Rated | None]:
        if not players:
            return ()
        key = keys.ratings(pool.name)
        records = await self._links.ask("HMGET", key, *players)
        return [
            None if record is None else _rated(key, record) for record in cast("list[bytes | None]", records)
        ]

    async def book(self, pool: Pool, race: str, changes: Sequence[Change], /) -> bool:
        name = pool.name
        where = [keys.rated_races(name), keys.ratings(name), keys.board_order(name), keys.board_members(name)]
        said: list[str | bytes | int] = [race, pool.rules, HISTORY_MOST]
        for rated, step, before in changes:
            player = rated.player.id
            where += (keys.rating_steps(name, player), keys.rated_rules(player), keys.erased(player))
            member = "" if rated.provisional else order.member(rated.at, player)
            record = b"%d:%b" % (rated.races, _encode(rated))
            said += (player, before, record, _encode(step), member, -rated.shown)
        return bool(await self._links.run(RATE, where, *said))

    async def page(self, pool: Pool, look: Look, /) -> Ranking:
        """Who was erased a moment ago has no rating any more."""
        found = await order.page(self._links, pool.name, look)
        shown = found.standings if found.mine is None else (*found.standings, found.mine)
        ratings = await self.of(pool, [standing.called for standing in shown])
        places = [
            None if rated is None else Place(standing.place, rated)
            for standing, rated in zip(shown, ratings, strict=True)
        ]
        mine = None if found.mine is None else places.pop()
        rows = [place for place in places if place is not None]
        if mine is None:
            return Ranking(found.total, found.offset, rows)
        return Ranking(found.total, found.offset, rows, mine, found.ahead, found.worse)

    async def history(self, pool: Pool, player: str, /) -> Sequence[Step]:
        key = keys.rating_steps(pool.name, player)
        steps = cast("list[bytes]", await self._links.ask("LRANGE", key, 0, -1))
        try:
            return [_decode_step(step) for step in steps]
        except msgspec.MsgspecError as error:
            raise StoreCorrupt(key, str(error)) from error

    async def rules(self, player: str, /) -> Sequence[str]:
        rules = cast("list[bytes]", await self._links.ask("SMEMBERS", keys.rated_rules(player)))
        return sorted(each.decode() for each in rules)


def _rated(key: str, record: bytes) -> Rated:
    try:
        return _decode(record.partition(b":")[2])
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(key, str(error)) from error
