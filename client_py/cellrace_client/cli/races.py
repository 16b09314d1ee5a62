"""`cellrace races`."""

import argparse
import shlex
import sys

from cellrace_client.cli import DEFAULT_URL
from cellrace_client.cli.machine import json_of
from cellrace_client.cli.online import as_oneself, run_online
from cellrace_client.client import connect
from cellrace_client.errors import Disconnected
from cellrace_client.itself import called
from cellrace_protocol import events as e


def run(arguments: argparse.Namespace) -> int:
    return run_online(_follow(arguments.url) if arguments.follow else _races(arguments.url, arguments.json))


async def _races(url: str, as_json: bool) -> int:
    async with as_oneself(url, None) as client:
        rows = await client.races()
        elsewhere = "" if url == DEFAULT_URL else f" --url {shlex.quote(url)}"
        for race in client.races_under_way:
            print(f"your race {race} goes on: {called()} join {race}{elsewhere}", file=sys.stderr)
    if as_json:
        print(json_of(rows))
        return 0
    if not rows:
        print("no race is open or running")
    for row in rows:
        print(_line(row))
    return 0


async def _follow(url: str) -> int:
    """A line for each race whenever something about it changes, until interrupted. Raises `Disconnected`."""
    known: dict[str, str] = {}
    async with connect(url) as client:
        async for rows in await client.follow():
            now = {name: _line(row) for name, row in rows.items()}
            for name, line in now.items():
                if known.get(name) != line:
                    print(line, flush=True)
            for name in known.keys() - now.keys():
                print(f"{name}  gone", flush=True)
            known = now
        raise Disconnected("the list is kept current no more") from client.failure


def _line(row: e.RaceRow) -> str:
    free = row.seats - len(row.players)
    waiting = f", {free} free" if row.phase == "lobby" and free else ""
    watched = f", {row.spectators} watching" if row.spectators else ""
    return (
        f"{row.race}  {row.phase:<9} {row.rules}: {', '.join(row.players) or 'nobody yet'}{waiting}{watched}"
    )
