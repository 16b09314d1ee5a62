"""`cellrace bot`."""

import argparse
import sys
from pathlib import Path

from cellrace_client.bots.line import play_line
from cellrace_client.cli import DEFAULT_URL, EXIT_DATA, EXIT_NO_INPUT, EXIT_USAGE
from cellrace_client.cli.online import cards, run_online, say
from cellrace_client.client import connect
from cellrace_client.identities import keep_token, token_in
from cellrace_client.links import place_of
from cellrace_client.times import clock
from cellrace_protocol.commands import Kind


def run(arguments: argparse.Namespace) -> int:
    """Play; returns the exit status."""
    try:
        moves = Path(arguments.moves).read_text(encoding="utf-8").split()
    except OSError as error:
        print(f"cellrace: {arguments.moves}: {error.strerror}", file=sys.stderr)
        return EXIT_NO_INPUT
    except UnicodeDecodeError:
        print(f"cellrace: {arguments.moves} is no text", file=sys.stderr)
        return EXIT_DATA
    if not moves:
        print("cellrace: a bot needs moves (such as 2a 2b)", file=sys.stderr)
        return EXIT_USAGE
    return run_online(_play(arguments, moves))


async def _play(arguments: argparse.Namespace, moves: list[str]) -> int:
    kept = Path(arguments.token_file) if arguments.token_file else None
    token = token_in(kept, missing_ok=True) if kept is not None else ""
    url, what = place_of(arguments.what, arguments.url, DEFAULT_URL)
    async with connect(url, name=arguments.name, token=token, kind=Kind.BOT, on_notice=say) as client:
        if kept is not None:
            keep_token(kept, client.token)
        race = await client.join(what, rules=arguments.rules)
        print(f"{client.name}: race {race.id}, seat {race.seat}; waiting for the start", flush=True)
        print(f"others sit down or look on at {client.link(race)}", file=sys.stderr, flush=True)
        model, refused = await play_line(race, moves, arguments.pace)
    seat = model.seats[race.seat]
    if refused is not None:
        print(f"{seat.name}: a move was refused: {refused.text}", file=sys.stderr)
    if not model.start:
        print(f"{seat.name}: the race was over before it began: nobody came")
    else:
        print(
            f"{seat.name}: "
            + (f"home in {clock(seat.time)}" if seat.time >= 0 else f"{cards(seat.home)} home")
        )
    return EXIT_DATA if refused is not None else 0
