"""`cellrace ghost`: a bot races against stored runs."""

import argparse
import asyncio
import sys

from rich.console import Console

from cellrace_client.bots.racer import manner_of, play_alone
from cellrace_client.cli import DEFAULT_URL
from cellrace_client.cli.machine import standings_json
from cellrace_client.cli.online import run_online
from cellrace_client.cli.watch import show, standings_lines
from cellrace_client.client import connect
from cellrace_client.itself import called
from cellrace_client.links import CHALLENGE, place_of
from cellrace_protocol.commands import Kind


def run(arguments: argparse.Namespace) -> int:
    """Race, and say how it went; returns the exit status."""
    return run_online(_race(arguments))


async def _race(arguments: argparse.Namespace) -> int:
    manner = manner_of(arguments.bot, arguments.speed)
    url, _ = place_of(arguments.runs[0], arguments.url, DEFAULT_URL, CHALLENGE)
    async with connect(url, name=arguments.name, kind=Kind.BOT) as client:
        race = await client.ghosts.race(*arguments.runs)
        where = sys.stderr if arguments.json else sys.stdout
        link = client.link(race)
        print(
            f"{client.name}: race {race.id}, watch it with: {called()} watch {link}", file=where, flush=True
        )
        race.ready()
        console = Console(highlight=False)
        screen = (
            asyncio.create_task(show(console, race)) if console.is_terminal and not arguments.json else None
        )
        model = await play_alone(race, manner)
        if screen is not None:
            await screen
            return 0
    if arguments.json:
        print(standings_json(model))
        return 0
    for line in standings_lines(model):
        print(line.plain)
    return 0
