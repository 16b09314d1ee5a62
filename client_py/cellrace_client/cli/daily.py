"""`cellrace daily`: the deals of the day, and a bot that plays one."""

import argparse
import sys
from collections.abc import Iterator

from cellrace_client.bots.racer import manner_of, play_alone
from cellrace_client.cli import EXIT_TRY_AGAIN, EXIT_USAGE, top
from cellrace_client.cli.amounts import cards
from cellrace_client.cli.machine import json_of
from cellrace_client.cli.online import as_oneself, run_online
from cellrace_client.client import Client, connect
from cellrace_client.identities import TokenFile
from cellrace_client.model import RaceModel
from cellrace_client.times import clock
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind, Measure

STAGES = {"open": "yours to play", "under_way": "you are playing it", "done": "you have played it"}


def run(arguments: argparse.Namespace) -> int:
    """Show, or play; returns the exit status."""
    if min(arguments.count, arguments.offset) < 0:
        print("cellrace: --count and --offset are 0 or more", file=sys.stderr)
        return EXIT_USAGE
    if arguments.bot:
        return run_online(_play(arguments))
    return run_online(_show_day(arguments) if arguments.day else _show(arguments))


async def _show(arguments: argparse.Namespace) -> int:
    async with as_oneself(arguments.url, arguments.token_file) as client:
        today = await client.dailies.today()
        if arguments.json:
            print(json_of(today))
            return 0 if today.rows else EXIT_TRY_AGAIN
        print(f"{today.day}: the next daily comes in {_hours(today.next_ms)}; days are UTC")
        for row in today.rows:
            for line in _lines(row):
                print(line)
            await _board(client, row.rules, arguments)
        for line in missing(today):
            print(line)
    return 0 if today.rows else EXIT_TRY_AGAIN


def missing(today: e.Dailies) -> Iterator[str]:
    """What there is to say of rule sets that have no deal yet."""
    for rules in today.choosing:
        yield f"{rules}: the deal is being chosen, ask again in a few seconds"
    if not today.rows and not today.choosing:
        yield "no deal is chosen yet: ask again in a moment"


def _lines(row: e.DailyRow) -> Iterator[str]:
    result = f", in {clock(row.time)}" if row.time >= 0 else ""
    streak = f"; {row.streak} in a row, {row.longest} at most" if row.longest else ""
    yield f"{row.rules}: {STAGES.get(row.attempt, row.attempt)}{result}{streak}"
    yield f"  commitment        {row.commitment}"
    if row.next_commitment:
        yield f"  tomorrow's        {row.next_commitment}"
    if row.last_deal:
        yield f"  yesterday's deal  {row.last_deal}, salt {row.last_salt}"


async def _board(client: Client, rules: str, arguments: argparse.Namespace, heading: str = "") -> None:
    """The boards of the day's deal under some rules: that of people, and that of bots where there are any, or with
    `--bots` that alone. The heading comes once there is something to head."""
    for kind in (Kind.BOT,) if arguments.bots else Kind:
        board = await _asked(client, rules, kind, arguments)
        if heading:
            print(heading)
            heading = ""
        if kind is Kind.BOT and board.rows:
            print("  bots:")
        if kind is Kind.HUMAN or board.rows or arguments.bots:
            for line in top.lines(board):
                print(f"  {line}")


async def _asked(client: Client, rules: str, kind: Kind, arguments: argparse.Namespace) -> e.Top:
    board: e.Top = await client.dailies.board(
        arguments.day,
        rules=rules,
        kind=kind,
        count=arguments.count,
        practice=arguments.practice,
        by=Measure(arguments.by),
        offset=arguments.offset,
        around=arguments.around,
    )
    return board


async def _show_day(arguments: argparse.Namespace) -> int:
    """The board of another day."""
    async with as_oneself(arguments.url, arguments.token_file) as client:
        if arguments.json:
            kind = Kind.BOT if arguments.bots else Kind.HUMAN
            print(json_of(await _asked(client, arguments.rules, kind, arguments)))
        else:
            await _board(client, arguments.rules, arguments, f"{arguments.day}, {arguments.rules}:")
    return 0


def _hours(ms: int) -> str:
    hours, rest = divmod(ms // 60_000, 60)
    return f"{hours} h {rest} min"


async def _play(arguments: argparse.Namespace) -> int:
    """A bot that sees the deal when everybody does, and solves it."""
    manner = manner_of(arguments.bot, arguments.speed)
    kept = TokenFile(arguments.token_file)
    async with connect(arguments.url, name=arguments.name, token=kept.token(), kind=Kind.BOT) as client:
        kept.keep(client.token)
        race = await client.dailies.play(arguments.rules)
        model = await race.until(lambda _: True)
        print(f"{client.name}: race {race.id}, {'practice' if model.practice else 'the attempt'}", flush=True)
        model = await play_alone(race, manner)
    print(_outcome(model))
    return EXIT_TRY_AGAIN if model.end == "day_over" else 0


def _outcome(model: RaceModel) -> str:
    seat = model.seats[0]
    if model.end == "day_over":
        return "the day was over before it began: the next daily is there"
    return f"home in {clock(seat.time)}" if seat.time >= 0 else f"{cards(seat.home)} home"
