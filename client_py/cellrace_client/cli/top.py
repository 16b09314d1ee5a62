"""`cellrace top`."""

import argparse
from datetime import UTC, datetime

from cellrace_client.cli.online import clock, run_online
from cellrace_client.client import connect
from cellrace_protocol.commands import Kind


def run(arguments: argparse.Namespace) -> int:
    return run_online(_top(arguments))


async def _top(arguments: argparse.Namespace) -> int:
    kind = Kind.BOT if arguments.bots else Kind.HUMAN
    async with connect(arguments.url) as client:
        rows = await client.top(arguments.deal, rules=arguments.rules, kind=kind, count=arguments.count)
    if not rows:
        print("nobody has finished this deal yet")
    for row in rows:
        day = datetime.fromtimestamp(row.at / 1_000, UTC).date()
        print(f"{row.place:>3}. {row.name:<24} {clock(row.time):>12}  {row.moves:>4} moves  {day}  {row.run}")
    return 0
