"""`cellrace top`."""

import argparse
import sys

from cellrace_client.boards import BoardQuery
from cellrace_client.cli import EXIT_USAGE
from cellrace_client.cli.amounts import column
from cellrace_client.cli.machine import json_of
from cellrace_client.cli.online import as_oneself, failed, is_known, run_online
from cellrace_client.client import Client
from cellrace_client.openings import opening
from cellrace_client.profiles import day_of
from cellrace_client.times import clock
from cellrace_engine import DealError
from cellrace_protocol.commands import Kind, Measure, Scope, Sight
from cellrace_protocol.events import BoardRow, RankRow, Ratings, Top


def run(arguments: argparse.Namespace) -> int:
    """Show it; returns the exit status."""
    scope, _ = _scope(arguments)
    if arguments.deal and (scope is not Scope.DEAL or arguments.ratings):
        print(
            f"cellrace: {arguments.deal} is a deal, which has a board of its own: "
            "name it, or one of --day, --week, --ever and --ratings",
            file=sys.stderr,
        )
        return EXIT_USAGE
    if (scope is Scope.DEAL and not arguments.ratings) != bool(arguments.deal):
        print("cellrace: name a deal, or one of --day, --week, --ever and --ratings", file=sys.stderr)
        return EXIT_USAGE
    try:
        if arguments.deal:
            opening(arguments.deal, arguments.rules)
    except DealError as error:
        return failed(error)
    if min(arguments.count, arguments.offset) < 0:
        print("cellrace: --count and --offset are 0 or more", file=sys.stderr)
        return EXIT_USAGE
    if arguments.around and not is_known(arguments.url, arguments.token_file):
        print(
            "cellrace: --around whom? You have not played here yet (nor said --token-file)", file=sys.stderr
        )
        return EXIT_USAGE
    return run_online(_top(arguments))


def _scope(arguments: argparse.Namespace) -> tuple[Scope, str]:
    """Which runs, and the day in question."""
    if arguments.day is not None:
        return Scope.DAY, arguments.day
    if arguments.week is not None:
        return Scope.WEEK, arguments.week
    return (Scope.EVER if arguments.ever else Scope.DEAL), ""


def _board(arguments: argparse.Namespace) -> BoardQuery:
    scope, day = _scope(arguments)
    kind = Kind.BOT if arguments.bots else Kind.HUMAN
    by, sight = Measure(arguments.by), Sight(arguments.sight)
    return BoardQuery(arguments.deal, arguments.rules, kind, by, sight, scope, day)


async def _top(arguments: argparse.Namespace) -> int:
    async with as_oneself(arguments.url, arguments.token_file) as client:
        if arguments.ratings:
            ratings = await _ratings(client, arguments)
            print(json_of(ratings) if arguments.json else "\n".join(ranks(ratings)))
            return 0
        board = await client.board(
            _board(arguments), arguments.count, arguments.offset, around=arguments.around
        )
    print(json_of(board) if arguments.json else "\n".join(lines(board)))
    return 0


async def _ratings(client: Client, arguments: argparse.Namespace) -> Ratings:
    kind = Kind.BOT if arguments.bots else Kind.HUMAN
    found: Ratings = await client.players.ratings(
        arguments.rules,
        kind=kind,
        count=arguments.count,
        offset=arguments.offset,
        around=arguments.around,
    )
    return found


def ranks(board: Ratings) -> list[str]:
    """A board of ratings for people."""
    if not board.total:
        return ["nobody has a rating yet: it takes ten ranked races"]
    shown = [_rank(row) for row in board.rows]
    if board.mine and board.mine[0] not in board.rows:
        shown += ["  …", _rank(board.mine[0])]
    return shown


def _rank(row: RankRow) -> str:
    races = column(row.races, "race", 4)
    return f"{row.place:>3}. {row.name:<24} {row.rating:>5} ± {row.deviation:<3}  {races}  {row.player}"


def lines(board: Top) -> list[str]:
    """A board for people: its rows, and one's own below them if it is not among them."""
    if not board.total:
        return ["nobody has finished this deal yet" if board.scope is Scope.DEAL else "nobody is here yet"]
    shown = [_line(row, board) for row in board.rows]
    if board.mine and board.mine[0] not in board.rows:
        shown += ["  …", _line(board.mine[0], board)]
    if board.mine:
        shown.append(_standing(board))
    elif len(board.rows) < board.total:
        shown.append(f"{len(board.rows)} of {board.total} players")
    return shown


def _line(row: BoardRow, board: Top) -> str:
    day = day_of(row.at, row.time)
    score = f"  {column(row.score, 'point', 5)}" if board.by is Measure.SCORE else ""
    deal = "" if board.scope is Scope.DEAL else f"  {row.deal}"
    first = "  first sight" if row.first and board.sight is Sight.ANY else ""
    return (
        f"{row.place:>3}. {row.name:<24} {clock(row.time):>12}  {column(row.moves, 'move', 4)}{score}  "
        f"{day}  {row.run}{deal}{_network(row)}{first}"
    )


def _network(row: BoardRow) -> str:
    """What was given back for the network, and how exact the time is, where that is known."""
    if not row.error and not row.compensation:
        return ""
    return f"  {row.compensation} ms back, ± {row.error} ms"


def _standing(board: Top) -> str:
    others = board.total - 1
    better_than = f", better than {100 * board.worse // others} % of the others" if others else ""
    return f"you: place {board.mine[0].place} of {board.total}{better_than}"
