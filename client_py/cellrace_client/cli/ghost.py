"""`cellrace ghost`: a bot races against stored runs."""

import argparse
import asyncio
import random

from rich.console import Console

from cellrace_client.bots.racer import Manner, play_alone
from cellrace_client.bots.strength import STRENGTHS
from cellrace_client.cli.online import run_online
from cellrace_client.cli.watch import show, standings_lines
from cellrace_client.client import connect
from cellrace_protocol.commands import Kind


def run(arguments: argparse.Namespace) -> int:
    """Race, and say how it went; returns the exit status."""
    return run_online(_race(arguments))


async def _race(arguments: argparse.Namespace) -> int:
    strength = next(strength for strength in STRENGTHS if strength.name == arguments.bot)
    manner = Manner(strength, arguments.speed, random.Random())
    async with connect(arguments.url, name=arguments.name, kind=Kind.BOT) as client:
        race = await client.ghosts.race(*arguments.runs)
        print(f"{client.name}: race {race.id}, watch it with: cellrace watch {race.id}", flush=True)
        race.ready()
        console = Console(highlight=False)
        screen = asyncio.create_task(show(console, race)) if console.is_terminal else None
        model = await play_alone(race, manner)
        if screen is not None:
            await screen
            return 0
    for line in standings_lines(model):
        print(line.plain)
    return 0
