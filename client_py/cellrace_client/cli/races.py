"""`cellrace races`."""

import argparse

from cellrace_client.cli.online import run_online
from cellrace_client.client import connect


def run(arguments: argparse.Namespace) -> int:
    return run_online(_races(arguments.url))


async def _races(url: str) -> int:
    async with connect(url) as client:
        rows = await client.races()
    if not rows:
        print("no race is open or running")
    for row in rows:
        free = row.seats - len(row.players)
        waiting = f", {free} free" if row.phase == "lobby" and free else ""
        watched = f", {row.spectators} watching" if row.spectators else ""
        print(
            f"{row.race}  {row.phase:<9} {row.rules}: {', '.join(row.players) or 'nobody yet'}{waiting}{watched}"
        )
    return 0
