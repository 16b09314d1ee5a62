"""`cellrace replay`: fetch the replay of a run, or read one from a file, and show it."""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from cellrace_client.cli import DEFAULT_URL, EXIT_DATA, EXIT_USAGE
from cellrace_client.cli.draw import WIDTH, drawn, footer
from cellrace_client.cli.keys import pressed
from cellrace_client.cli.online import run_online
from cellrace_client.client import connect
from cellrace_client.deal_names import deal_text
from cellrace_client.files import text_of, typed_in
from cellrace_client.film import Film, Frame, Projector
from cellrace_client.links import CHALLENGE, place_of
from cellrace_client.openings import replay_file
from cellrace_client.times import clock, parse_time
from cellrace_engine import ReplayError
from cellrace_engine.replay import Replay, from_json, verify

TICK_S = 0.05
JUMP_MS = 10_000
HELP = "space stop/go  ←→ step  ↑↓ 10 s  + - speed  home end  q quit"


def run(arguments: argparse.Namespace) -> int:
    """Show, print or keep it; returns the exit status."""
    begin = parse_time(arguments.begin)
    if begin is None:
        print("cellrace: --from is seconds or M:SS", file=sys.stderr)
        return EXIT_USAGE
    return run_online(_replay(arguments, begin))


async def _replay(arguments: argparse.Namespace, begin: int) -> int:
    document = await _document(arguments)
    try:
        replay = from_json(document)
    except ReplayError as error:
        print(f"cellrace: {arguments.run} is no replay: {error}", file=sys.stderr)
        return EXIT_DATA
    if not replay.players:
        print("cellrace: the replay is false: nobody plays in it", file=sys.stderr)
        return EXIT_DATA
    failure = verify(replay).failure
    if failure is not None:
        print(f"cellrace: the replay is false: {failure.text}", file=sys.stderr)
        return EXIT_DATA
    if arguments.save:
        Path(arguments.save).write_text(document + "\n", encoding="utf-8")
        return 0
    console = Console(highlight=False)
    if not arguments.plain and not arguments.json and not console.is_terminal:
        print(document)
        return 0
    projector = Projector(Film(replay), arguments.speed, begin)
    if arguments.json:
        _print_json(replay, projector)
    elif arguments.plain:
        _print(replay, projector)
    else:
        await _show(console, replay, projector)
    return 0


async def _document(arguments: argparse.Namespace) -> str:
    """What is named: `-`, a run by its link, a file, or a run on the server."""
    if arguments.run == "-":
        return typed_in()
    path = replay_file(arguments.run)
    if path is not None:
        return text_of(path)
    url, name = place_of(arguments.run, arguments.url, DEFAULT_URL, CHALLENGE)
    return await _fetched(url, name)


async def _fetched(url: str, run: str) -> str:
    async with connect(url) as client:
        return await client.replay(run)


def _print(replay: Replay, projector: Projector) -> None:
    """One line an action, from where the projector is on, without waiting."""
    print(f"deal {deal_text(str(replay.deal or 'of its own'))}")
    width = max(cell_len(player.name) for player in replay.players)
    for frame in projector.film.frames[max(1, projector.index) :]:
        line = frame.lines[frame.player]
        name = set_cell_size(replay.players[frame.player].name, width)
        print(f"{clock(frame.t_ms):>10}  {name}  {frame.do:<8} {line.cards_home:>2}/52 home")


def _print_json(replay: Replay, projector: Projector) -> None:
    """One line of JSON an action, from where the projector is on: times in ms."""
    for frame in projector.film.frames[max(1, projector.index) :]:
        line = frame.lines[frame.player]
        told = {
            "time": frame.t_ms,
            "player": replay.players[frame.player].name,
            "do": frame.do,
            "home": line.cards_home,
            "moves": line.moves,
        }
        print(json.dumps(told, ensure_ascii=False))


async def _show(console: Console, replay: Replay, projector: Projector) -> None:
    """Until it is over, where nobody can press keys; until one quits, where somebody can."""
    shown = Live(console=console, auto_refresh=False, get_renderable=lambda: _picture(replay, projector))
    last = time.monotonic()
    with shown, pressed() as keys:
        while not projector.over or keys is not None:
            shown.refresh()
            key = await _key(keys)
            now = time.monotonic()
            projector.pass_time(1_000 * (now - last))
            last = now
            if not press(projector, key):
                break
        shown.refresh()


async def _key(keys: "asyncio.Queue[str] | None") -> str:
    """The next key within a tick; empty for none."""
    if keys is None:
        await asyncio.sleep(TICK_S)
        return ""
    try:
        return await asyncio.wait_for(keys.get(), TICK_S)
    except TimeoutError:
        return ""


def press(projector: Projector, key: str) -> bool:
    """Do what a key is for; whether to go on."""
    match key:
        case "q" | "\x03" | "\x04":
            return False
        case " " | "p":
            projector.toggle()
        case "left" | ",":
            projector.step(-1)
        case "right" | ".":
            projector.step(1)
        case "up" | "page up":
            projector.jump(-JUMP_MS)
        case "down" | "page down":
            projector.jump(JUMP_MS)
        case "home" | "0":
            projector.seek(0)
        case "end" | "$":
            projector.seek(projector.film.length_ms)
        case "+" | "=":
            projector.faster()
        case "-":
            projector.slower()
        case _:
            pass
    return True


def _picture(replay: Replay, projector: Projector) -> RenderableType:
    frame = projector.frame
    state = "over" if projector.over else f"{projector.speed:g}x" if projector.playing else "stopped"
    length = clock(projector.film.length_ms)
    title = Text.assemble(
        ("replay ", "bold"),
        f"{deal_text(str(replay.deal or ''))}  {clock(round(projector.t_ms))} of {length}  {state}",
    )
    boards = Columns([_board(replay, frame, player) for player in range(len(replay.players))])
    return Group(title, boards, Text(HELP, style="dim"))


def _board(replay: Replay, frame: Frame, player: int) -> Panel:
    line = frame.lines[player]
    last = frame.do if frame.player == player else ""
    below = footer(line.cards_home, line.moves, last, line.won)
    return Panel(Group(drawn(line.position), below), title=Text(replay.players[player].name), width=WIDTH)
