"""`cellrace profile`: a player, and for oneself what is kept and how to have it erased."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from cellrace_client.cli import EXIT_USAGE
from cellrace_client.cli.amounts import column, counted
from cellrace_client.cli.machine import json_of
from cellrace_client.cli.online import as_oneself, is_known, run_online
from cellrace_client.client import Client
from cellrace_client.identities import Identities, default_folder
from cellrace_client.profiles import HISTORY, day_of
from cellrace_client.times import clock
from cellrace_protocol import events as e


def run(arguments: argparse.Namespace) -> int:
    """Show it, write it, or erase it; returns the exit status."""
    own = not arguments.player
    if (arguments.export or arguments.erase) and not own:
        print("cellrace: --export and --erase are for oneself", file=sys.stderr)
        return EXIT_USAGE
    if min(arguments.count, arguments.offset) < 0:
        print("cellrace: --count and --offset are 0 or more", file=sys.stderr)
        return EXIT_USAGE
    if own and not is_known(arguments.url, arguments.token_file):
        print(
            "cellrace: name a player: you have not played here yet (nor said --token-file)", file=sys.stderr
        )
        return EXIT_USAGE
    return run_online(_profile(arguments))


async def _profile(arguments: argparse.Namespace) -> int:
    async with as_oneself(arguments.url, arguments.token_file) as client:
        if arguments.export:
            document = json.dumps(await client.players.export(), indent=2, ensure_ascii=False) + "\n"
            if arguments.export == "-":
                print(document, end="")
            else:
                Path(arguments.export).write_text(document, encoding="utf-8")
        if arguments.erase:
            return await _erase(client, arguments)
        if not arguments.export:
            await _show(client, arguments)
    return 0


async def _erase(client: Client, arguments: argparse.Namespace) -> int:
    """Who is to be erased is named, so that nobody is by mistake. The file of the token that is dead then goes too."""
    name = arguments.erase
    if name != client.name:
        print(f"cellrace: this is {client.name}: say --erase with that name to erase it", file=sys.stderr)
        return EXIT_USAGE
    await client.players.erase()
    print(f"{name} is erased; the token is dead")
    if arguments.token_file:
        Path(arguments.token_file).unlink(missing_ok=True)
    else:
        Identities(default_folder()).forget(arguments.url)
    return 0


async def _show(client: Client, arguments: argparse.Namespace) -> None:
    profile = await client.players.profile(arguments.player, history=HISTORY)
    runs = await client.runs(profile.player, count=arguments.count, offset=arguments.offset)
    if arguments.json:
        print(json_of({"profile": profile, "runs": runs.rows}))
        return
    for line in lines(profile, runs):
        print(line)


def lines(profile: e.Profile, runs: e.Runs) -> Iterator[str]:
    """A profile for people."""
    bot = " (bot)" if profile.kind == "bot" else ""
    yield f"{profile.name}{bot}, {profile.player}, since {day_of(profile.since)}"
    yield f"{counted(profile.races, 'race')}, {profile.wins} won, {profile.runs} finished"
    for rating in profile.ratings:
        if rating.provisional:
            standing = "provisional"
        else:
            standing = f"place {rating.place} of {rating.total}" if rating.place else "on no board"
        yield (
            f"rating, {rating.rules}: {rating.rating} ± {rating.deviation}, {standing}, "
            f"{counted(rating.races, 'ranked race')}"
        )
        steps = [step for step in profile.steps if step.rules == rating.rules]
        if steps:
            yield "  " + " ".join(f"{step.rating}" for step in steps)
    for best in profile.bests:
        results = {
            "time": clock(best.run.time),
            "moves": counted(best.run.moves, "move"),
            "score": counted(best.run.score, "point"),
        }
        shown = results.get(best.by, "")
        yield f"best {best.by}, {best.run.rules}: {shown}, place {best.place} of {best.total}, {best.run.run}"
    for streak in profile.streaks:
        yield f"dailies, {streak.rules}: {streak.streak} in a row, {streak.longest} at most"
    for row in runs.rows:
        moves = column(row.moves, "move", 4)
        yield f"  {day_of(row.at, row.time)}  {clock(row.time):>12}  {moves}  {row.run}  {row.deal}  {row.rules}"
    if runs.rows:
        yield "  (days are UTC, of the start of each run)"
    if runs.offset + len(runs.rows) < runs.total:
        yield f"  … --offset {runs.offset + len(runs.rows)} has more of {runs.total}"
