"""Ratings as a hash a pool, ranked by a sorted set such as boards have, with a short list of steps a player."""

from collections.abc import Sequence
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import PAGE, RATE
from cellrace_server.core.ratings import HISTORY_MOST, Change, Pool, Rated, Step
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.ratings import Place, Ranking
from cellrace_server.ports.results import Look

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Rated).decode
_decode_step = msgspec.msgpack.Decoder(Step).decode
_INSTANT_DIGITS = 14


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
            member = "" if rated.provisional else f"{rated.at:0{_INSTANT_DIGITS}x}{player}"
            record = b"%d:%b" % (rated.races, _encode(rated))
            said += (player, before, record, _encode(step), member, -rated.shown)
        return bool(await self._links.run(RATE, where, *said))

    async def page(self, pool: Pool, look: Look, /) -> Ranking:
        where = (keys.board_order(pool.name), keys.board_members(pool.name))
        span = (max(look.most, 0), max(look.offset, 0), look.player, int(look.around))
        answer = cast("list[int | list[bytes | int]]", await self._links.run(PAGE, where, *span))
        total, offset, better = cast("list[int]", answer[:3])
        rows, own = (cast("list[bytes]", part) for part in answer[3:])
        players = [member[_INSTANT_DIGITS:].decode() for member in (*rows[::2], *own[:1])]
        ratings = await self.of(pool, players)
        places = _places(ratings[: len(rows) // 2], offset, better)
        if not own or ratings[-1] is None:
            return Ranking(total, offset, places)
        ahead, above, worse = cast("list[int]", own[2:])
        return Ranking(total, offset, places, Place(above + 1, ratings[-1]), ahead, worse)

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


def _places(ratings: Sequence[Rated | None], offset: int, better: int) -> Sequence[Place]:
    """`better` ratings are above the first of these. Who was erased a moment ago has none any more."""
    places: list[Place] = []
    place, before = better + 1, None
    for number, rated in enumerate(ratings, offset + 1):
        if rated is None:
            continue
        if before is not None and rated.shown != before:
            place = number
        before = rated.shown
        places.append(Place(place, rated))
    return places


def _rated(key: str, record: bytes) -> Rated:
    try:
        return _decode(record.partition(b":")[2])
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(key, str(error)) from error
