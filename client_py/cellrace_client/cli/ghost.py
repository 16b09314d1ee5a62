"""`cellrace ghost`: a bot races against stored runs."""

import argparse
import random

from cellrace_client.bots.racer import Manner, play_alone
from cellrace_client.bots.strength import STRENGTHS
from cellrace_client.cli.online import cards, clock, run_online
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
        model = await play_alone(race, manner)
    seat = model.seats[0]
    results = [(ghost.time, f"{ghost.name} (ghost)", clock(ghost.time)) for ghost in race.ghosts.values()]
    home = seat.time >= 0
    results.append(
        (seat.time if home else 1 << 60, seat.name, clock(seat.time) if home else cards(seat.home))
    )
    for _, name, result in sorted(results):
        print(f"  {name:<28} {result:>12}")
    return 0
