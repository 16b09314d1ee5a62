"""Removing all that is kept of a player, piece by piece: each is found until it is gone, so that it can be done
again."""

from collections.abc import Sequence
from typing import cast

import msgspec

from cellrace_engine import rules_text
from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.results import member_of, read_run
from cellrace_server.adapters.redis.scripts import ERASE, FORGET_RATING, FORGET_RUN
from cellrace_server.core.boards import entries
from cellrace_server.core.dailies import DAILY_RULES, attempt_names
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.ratings import Pool
from cellrace_server.ports.errors import StoreCorrupt

AT_ONCE = 100

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Player).decode


class RedisErasure:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def begin(self, player: Player, /) -> None:
        where = (keys.erased(player.id), keys.ERASING)
        await self._links.run(ERASE, where, player.id, _encode(player))

    async def begun(self, player: str, /) -> bool:
        return bool(await self._links.ask("EXISTS", keys.erased(player)))

    async def wipe(self, player: str, today: int, /) -> None:
        while runs := cast("list[bytes]", await self._links.ask("ZRANGE", keys.runs(player), 0, AT_ONCE - 1)):
            for run in runs:
                await self._forget_run(player, run.decode())
        for rules in cast("list[bytes]", await self._links.ask("SMEMBERS", keys.rated_rules(player))):
            for kind in Kind:
                await self._forget_rating(player, Pool(rules.decode(), kind))
        days = [keys.daily_days(player, rules_text(rules)) for rules in DAILY_RULES]
        sets = (keys.races(player), keys.wins(player), keys.raced_rules(player), keys.seen(player))
        attempts = [keys.name(name) for name in attempt_names(player, today)]
        for key in (*sets, keys.named(player), *days):
            await self._links.write("UNLINK", key)
        await self._links.write("UNLINK", *attempts)

    async def end(self, player: str, /) -> None:
        await self._links.write("HDEL", keys.ERASING, player)

    async def unfinished(self) -> Sequence[Player]:
        found = cast("list[bytes]", await self._links.ask("HVALS", keys.ERASING))
        try:
            return [_decode(each) for each in found]
        except msgspec.MsgspecError as error:
            raise StoreCorrupt(keys.ERASING, str(error)) from error

    async def _forget_run(self, player: str, run_id: str) -> None:
        key = keys.run(run_id)
        where = [keys.runs(player), key, keys.replay(run_id), keys.REPLAYED]
        member = ""
        encoded = cast("bytes | None", await self._links.ask("GET", key))
        if encoded is not None:
            run = read_run(key, encoded)
            member = member_of(run)
            for entry in entries(run):
                where += (keys.board_order(entry.board), keys.board_members(entry.board))
        await self._links.run(FORGET_RUN, where, player, run_id, member)

    async def _forget_rating(self, player: str, pool: Pool) -> None:
        name = pool.name
        where = (
            *(keys.ratings(name), keys.board_order(name), keys.board_members(name)),
            *(keys.rating_steps(name, player), keys.rated_rules(player)),
        )
        await self._links.run(FORGET_RATING, where, player, pool.rules)
