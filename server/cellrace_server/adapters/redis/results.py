"""Boards as sorted sets, the runs on them, and their replays."""

from collections.abc import Sequence
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys, order
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import BOOK
from cellrace_server.core.boards import Entry
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.results import Look, Mine, Page, Row, Run, Runs, check_exact

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Run).decode


class RedisResults:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def book(self, run: Run, entries: Sequence[Entry], replay: bytes, /) -> bool:
        check_exact(run, entries)
        where = [
            keys.replay(run.id),
            keys.run(run.id),
            keys.runs(run.player.id),
            keys.erased(run.player.id),
            keys.REPLAYED,
        ]
        for entry in entries:
            where += (keys.board_order(entry.board), keys.board_members(entry.board))
        member = member_of(run)
        values = [entry.value for entry in entries]
        words = (run.player.id, run.at, member, _encode(run), replay)
        return bool(await self._links.run(BOOK, where, *words, *values))

    async def page(self, board: str, look: Look, /) -> Page:
        found = await order.page(self._links, board, look)
        shown = found.standings if found.mine is None else (*found.standings, found.mine)
        rows = [
            Row(standing.place, run)
            for standing, run in zip(shown, await self._runs([each.called for each in shown]), strict=True)
        ]
        if found.mine is None:
            return Page(found.total, found.offset, rows)
        *rows, mine = rows
        return Page(found.total, found.offset, rows, Mine(mine, found.ahead, found.worse))

    async def runs(self, player: str, count: int, offset: int = 0, /) -> Runs:
        where = keys.runs(player)
        total = cast("int", await self._links.ask("ZCARD", where))
        if count < 1 or offset < 0:
            return Runs(total, ())
        found = await self._links.ask("ZREVRANGE", where, offset, offset + count - 1)
        ids = [each.decode() for each in cast("list[bytes]", found)]
        return Runs(total, await self._runs(ids))

    async def run(self, run: str, /) -> Run | None:
        key = keys.run(run)
        encoded = cast("bytes | None", await self._links.ask("GET", key))
        return None if encoded is None else read_run(key, encoded)

    async def replay(self, run: str, /) -> bytes | None:
        return cast("bytes | None", await self._links.ask("GET", keys.replay(run)))

    async def aging(self, until: int, count: int, after: Run | None = None, /) -> Sequence[Run]:
        begin = "-" if after is None else f"({member_of(after)}"
        end = f"({order.instant(until + 1)}"
        found = await self._links.ask("ZRANGEBYLEX", keys.REPLAYED, begin, end, "LIMIT", 0, count)
        return await self._runs([order.called(each) for each in cast("list[bytes]", found)])

    async def stands(self, run: Run, boards: Sequence[str], /) -> bool:
        member = member_of(run).encode()
        for board in boards:
            if await self._links.ask("HGET", keys.board_members(board), run.player.id) == member:
                return True
        return False

    async def drop_replay(self, run: Run, /) -> None:
        await self._links.write("DEL", keys.replay(run.id))
        await self._links.write(
            "ZREM", keys.REPLAYED, member_of(run)
        )  # last: cut off before it, it is done again

    async def _runs(self, ids: Sequence[str]) -> Sequence[Run]:
        """The runs of these names. Raises `StoreCorrupt` where one is missing: a row is never written without it."""
        if not ids:
            return ()
        where = [keys.run(each) for each in ids]
        encoded = cast("list[bytes | None]", await self._links.ask("MGET", *where))
        return [read_run(key, each) for key, each in zip(where, encoded, strict=True)]


def member_of(run: Run) -> str:
    """What stands for a run in the order of a board."""
    return order.member(run.at, run.id)


def read_run(key: str, encoded: bytes | None) -> Run:
    """A run as it is stored under `key`. Raises `StoreCorrupt`."""
    try:
        return _decode(encoded or b"")
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(key, str(error)) from error
