"""Boards as sorted sets, the runs on them, and their replays."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import BOOK, PAGE
from cellrace_server.core.boards import Entry
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.results import Look, Mine, Page, Row, Run, Runs, check_exact

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Run).decode
_INSTANT_DIGITS = 14


class _Standing(NamedTuple):
    """A member of a board's order with its value."""

    run: str
    value: int


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
        where = (keys.board_order(board), keys.board_members(board))
        span = (max(look.most, 0), max(look.offset, 0), look.player, int(look.around))
        answer = cast("list[int | list[bytes | int]]", await self._links.run(PAGE, where, *span))
        total, offset, better = cast("list[int]", answer[:3])
        rows, mine = cast("list[list[bytes | int]]", answer[3:])
        standings = _standings(cast("list[bytes]", rows))
        own = _standings(cast("list[bytes]", mine[:2]))
        runs = await self._runs([standing.run for standing in (*standings, *own)])
        page = Page(total, offset, _rows(standings, runs, offset, better))
        if not own:
            return page
        ahead, above, worse = cast("list[int]", mine[2:])
        return page._replace(mine=Mine(Row(above + 1, runs[-1]), ahead, worse))

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
        return None if encoded is None else _run(key, encoded)

    async def replay(self, run: str, /) -> bytes | None:
        return cast("bytes | None", await self._links.ask("GET", keys.replay(run)))

    async def aging(self, until: int, count: int, after: Run | None = None, /) -> Sequence[Run]:
        begin = "-" if after is None else f"({member_of(after)}"
        end = f"({until + 1:0{_INSTANT_DIGITS}x}"
        found = await self._links.ask("ZRANGEBYLEX", keys.REPLAYED, begin, end, "LIMIT", 0, count)
        return await self._runs([each[_INSTANT_DIGITS:].decode() for each in cast("list[bytes]", found)])

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
        return [_run(key, each) for key, each in zip(where, encoded, strict=True)]


def member_of(run: Run) -> str:
    """What stands for a run in the order of a board. Equal values rank by it, as bytes."""
    return f"{run.at:0{_INSTANT_DIGITS}x}{run.id}"


def _standings(flat: Sequence[bytes]) -> Sequence[_Standing]:
    """`flat` is member, value, member, value …"""
    return [
        _Standing(member[_INSTANT_DIGITS:].decode(), int(value))
        for member, value in zip(flat[::2], flat[1::2], strict=True)
    ]


def _rows(standings: Sequence[_Standing], runs: Sequence[Run], offset: int, better: int) -> Sequence[Row]:
    """`better` rows count more than the first of these."""
    rows: list[Row] = []
    place, before = better + 1, None
    for number, (standing, run) in enumerate(zip(standings, runs, strict=False), offset + 1):
        if before is not None and standing.value != before:
            place = number
        before = standing.value
        rows.append(Row(place, run))
    return rows


def _run(key: str, encoded: bytes | None) -> Run:
    try:
        return _decode(encoded or b"")
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(key, str(error)) from error
