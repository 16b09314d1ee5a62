"""Requests for boards, runs and replays, each a coroutine beside the reading. They raise what the store raises."""

from cellrace_engine import DealCode, Rules, rules_text
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.boards import EVER, Board, Measure, Sight, of_day, of_deal, of_week
from cellrace_server.core.days import day_number, day_of, monday
from cellrace_server.core.people import Kind
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.ports.results import Look, Row, Run
from cellrace_server.services.sights import replayed

ROWS_MOST = 100


async def top(
    desk: Desk, connection: Connection, message: c.GetTop, deal: DealCode | None, rules: Rules
) -> None:
    """Rows of a board, and one's own."""
    day = _day(message, desk.clock.now())
    board = Board(
        _scope(message.scope, deal, day),
        rules_text(rules),
        Kind(message.kind.value),
        Measure(message.by.value),
        Sight(message.sight.value),
    )
    look = Look(min(message.count, ROWS_MOST), message.offset, connection.player, message.around)
    page = await desk.results.page(board.name, look)
    mine = page.mine
    connection.send(
        e.Top(
            message.r,
            "" if deal is None else str(deal),
            board.rules,
            message.kind,
            [_row(row) for row in page.rows],
            message.by,
            message.sight,
            page.offset,
            page.total,
            [] if mine is None else [_row(mine.row)],
            0 if mine is None else mine.ahead,
            0 if mine is None else mine.worse,
            message.scope,
            day,
        )
    )


def fault_in_day(message: c.GetTop) -> str | None:
    """Why there is no such day; `None` when there is."""
    if message.day and day_number(message.day) is None:
        return f"{message.day!r} is no day, one is written like 2026-11-30"
    return None


def _day(message: c.GetTop, now: int) -> str:
    """The day asked for, that of its Monday for a week; empty where there is none in question."""
    if message.scope not in (c.Scope.DAY, c.Scope.WEEK):
        return ""
    day = message.day or day_of(now)
    return day if message.scope is c.Scope.DAY else monday(day) or day


def _scope(scope: c.Scope, deal: DealCode | None, day: str) -> str:
    match scope:
        case c.Scope.DEAL:
            return of_deal(str(deal))
        case c.Scope.DAY:
            return of_day(day)
        case c.Scope.WEEK:
            return of_week(day)
        case c.Scope.EVER:
            return EVER


def _row(row: Row) -> e.BoardRow:
    place, run = row
    return e.BoardRow(
        place,
        run.player.id,
        run.player.name,
        run.time,
        run.moves,
        run.at,
        run.id,
        run.score,
        run.first,
        run.error,
        run.deal,
    )


async def runs(desk: Desk, connection: Connection, message: c.GetRuns) -> None:
    """The finished runs of a player."""
    player = message.player or connection.player
    found = await desk.results.runs(player, min(message.count, ROWS_MOST), message.offset)
    rows = [_run(run) for run in found.runs]
    connection.send(e.Runs(message.r, player, found.total, message.offset, rows))


def _run(run: Run) -> e.RunRow:
    return e.RunRow(
        run.id,
        run.race,
        run.deal,
        run.rules,
        run.time,
        run.moves,
        run.score,
        run.at,
        run.ranked,
        run.first,
        run.error,
    )


async def replay(desk: Desk, connection: Connection, message: c.GetReplay) -> None:
    """A replay, for one who has seen its deal from now on."""
    run = await desk.results.run(message.run)
    document = await desk.results.replay(message.run) if run is not None else None
    if run is None or document is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no replay {message.run}", message.r)
        return
    await desk.sights.see(connection.player, DealCode.parse(run.deal).number, replayed(run.id))
    connection.send(e.Replay(message.r, message.run, document.decode("utf-8")))
