"""Boards as sorted sets, and the replays of their runs."""

from collections.abc import Sequence
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import BOOK, TOP
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.results import Row, Run, check_exact

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Run).decode


class RedisResults:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def book(self, run: Run, replay: bytes, /) -> None:
        check_exact(run)
        where = (
            keys.board_order(run.board),
            keys.board_members(run.board),
            keys.board_runs(run.board),
            keys.board_bookings(run.board),
            keys.replay(run.id),
        )
        await self._links.run(BOOK, where, run.player.id, run.time, f"{run.at:016x}", _encode(run), replay)

    async def top(self, board: str, count: int, /) -> Sequence[Row]:
        if count < 1:
            return ()
        where = (keys.board_order(board), keys.board_runs(board))
        runs = cast("list[bytes | None]", await self._links.run(TOP, where, count))
        return _rows([_run(board, run) for run in runs])

    async def replay(self, run: str, /) -> bytes | None:
        return cast("bytes | None", await self._links.ask("GET", keys.replay(run)))


def _rows(runs: Sequence[Run]) -> Sequence[Row]:
    """`runs` are a board from its beginning on."""
    rows: list[Row] = []
    for number, run in enumerate(runs, 1):
        shared = rows and rows[-1].run.time == run.time
        rows.append(Row(rows[-1].place if shared else number, run))
    return rows


def _run(board: str, encoded: bytes | None) -> Run:
    try:
        return _decode(encoded or b"")
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(keys.board_runs(board), str(error)) from error
