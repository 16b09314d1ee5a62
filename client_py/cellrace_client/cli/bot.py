"""`cellrace bot`."""

import argparse
import sys
from pathlib import Path

from cellrace_client.bots.line import play_line
from cellrace_client.cli import EXIT_NO_INPUT
from cellrace_client.cli.online import clock, run_online
from cellrace_client.client import connect
from cellrace_protocol.commands import Kind


def run(arguments: argparse.Namespace) -> int:
    """Join a race and play the moves of a file. Returns the exit status."""
    try:
        moves = Path(arguments.moves).read_text(encoding="utf-8").split()
    except OSError as error:
        print(f"cellrace: {arguments.moves}: {error.strerror}", file=sys.stderr)
        return EXIT_NO_INPUT
    return run_online(_play(arguments, moves))


async def _play(arguments: argparse.Namespace, moves: list[str]) -> int:
    kept = Path(arguments.token_file) if arguments.token_file else None
    token = kept.read_text(encoding="utf-8").strip() if kept is not None and kept.exists() else ""
    async with connect(arguments.url, name=arguments.name, token=token, kind=Kind.BOT) as client:
        if kept is not None:
            kept.write_text(client.token + "\n", encoding="utf-8")
            kept.chmod(0o600)
        race = await client.join(arguments.what, rules=arguments.rules)
        print(f"race {race.id}, seat {race.seat}", flush=True)
        model = await play_line(race, moves, arguments.pace)
    seat = model.seats[race.seat]
    print(f"{seat.name}: " + (clock(seat.time) if seat.time >= 0 else f"{seat.home} cards home"))
    return 0
