"""Requests for boards, runs and replays, each a coroutine beside the reading. They raise what the store raises."""

from typing import NamedTuple

from cellrace_engine import DealCode, Rules, rules_text
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.boards import EVER, Board, Measure, Sight, of_day, of_deal, of_week
from cellrace_server.core.dailies import may_see
from cellrace_server.core.days import day_number, day_text, monday, parse_day
from cellrace_server.core.people import Kind
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.ports.results import Look, Row, Run
from cellrace_server.services.sights import replayed

ROWS_MOST = 100


class Asked(NamedTuple):
    """What board request `r` is about, as the answer names it."""

    r: int
    scope: c.Scope
    day: str = ""
    deal: str = ""


async def top(
    desk: Desk, connection: Connection, message: c.GetTop, deal: DealCode | None, rules: Rules
) -> None:
    """Rows of a board, and one's own."""
    scope, day = board_scope(message.scope, deal, message.day, desk.clock.now())
    board = Board(
        scope,
        rules_text(rules),
        Kind(message.kind.value),
        Measure(message.by.value),
        Sight(message.sight.value),
    )
    look = Look(min(message.count, ROWS_MOST), message.offset, connection.player, message.around)
    asked = Asked(message.r, message.scope, day, "" if deal is None else str(deal))
    await answer(desk, connection, asked, board, look)


async def answer(desk: Desk, connection: Connection, asked: Asked, board: Board, look: Look) -> None:
    """Look at a board and send what is there."""
    page = await desk.results.page(board.name, look)
    mine, now = page.mine, desk.clock.now()
    connection.send(
        e.Top(
            asked.r,
            asked.deal,
            board.rules,
            c.Kind(board.kind.value),
            [board_row(row, connection.player, now) for row in page.rows],
            c.Measure(board.by.value),
            c.Sight(board.sight.value),
            page.offset,
            page.total,
            [] if mine is None else [board_row(mine.row, connection.player, now)],
            0 if mine is None else mine.ahead,
            0 if mine is None else mine.worse,
            asked.scope,
            asked.day,
        )
    )


def board_scope(scope: c.Scope, deal: DealCode | None, named: str, now: int) -> tuple[str, str]:
    """The scope of a board, and the day in question, that of its Monday for a week; empty where there is none. `named`
    must be a day, or be empty for today; `deal` must be one where the scope is a deal (neither is checked)."""
    if scope not in (c.Scope.DAY, c.Scope.WEEK):
        return (EVER if deal is None else of_deal(str(deal))), ""
    number = parse_day(named) if named else None
    day = day_number(now) if number is None else number
    if scope is c.Scope.DAY:
        return of_day(day_text(day)), day_text(day)
    return of_week(day_text(monday(day))), day_text(monday(day))


def board_row(row: Row, player: str, now: int) -> e.BoardRow:
    """A row of a board as this player may see it."""
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
        _deal(run, player, now),
        run.compensation,
    )


def _deal(run: Run, player: str, now: int) -> str:
    """The deal of a run; empty where it is not for this player yet."""
    return run.deal if may_see(player, run, now) else ""


async def runs(desk: Desk, connection: Connection, message: c.GetRuns) -> None:
    """The finished runs of a player."""
    mine = message.player in ("", connection.player)
    player = connection.player if mine else await desk.profiles.find(message.player)
    if player is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no player {message.player}", message.r)
        return
    found = await desk.results.runs(player, min(message.count, ROWS_MOST), message.offset)
    now = desk.clock.now()
    rows = [run_row(run, connection.player, now) for run in found.runs]
    connection.send(e.Runs(message.r, player, found.total, message.offset, rows))


def run_row(run: Run, player: str, now: int) -> e.RunRow:
    """A run as this player may see it."""
    return e.RunRow(
        run.id,
        run.race,
        _deal(run, player, now),
        run.rules,
        run.time,
        run.moves,
        run.score,
        run.at,
        run.ranked,
        run.first,
        run.error,
        run.compensation,
    )


async def replay(desk: Desk, connection: Connection, message: c.GetReplay) -> None:
    """A replay, for one who has seen its deal from now on; not while its deal is secret still, or others race on it."""
    run = await desk.results.run(message.run)
    shown = desk.shown
    early = await (shown.to_come(message.run) if run is None else shown.against(run, connection.player))
    if early is not None:
        connection.error(str(early.reason), early.text, message.r)
        return
    document = await desk.results.replay(message.run) if run is not None else None
    if run is None or document is None:
        why = "there is no replay" if run is None else "that run has no row any more, and its replay is gone:"
        connection.error(ErrorCode.NOT_FOUND, f"{why} {message.run}", message.r)
        return
    await desk.sights.see(connection.player, DealCode.parse(run.deal).number, replayed(run.id))
    connection.send(e.Replay(message.r, message.run, document.decode("utf-8")))
