"""`cellrace demo`: a server, two bots and a spectator, each a process of its own."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from importlib import resources
from pathlib import Path

from platformdirs import user_data_path

from cellrace_client.cli import EXIT_CANNOT_CREATE, EXIT_DATA, EXIT_UNAVAILABLE
from cellrace_client.cli.amounts import counted
from cellrace_client.cli.online import run_online
from cellrace_client.cli.start import STOP_S, Started, started, stop
from cellrace_client.client import Client, connect
from cellrace_client.errors import ServerNotStarted
from cellrace_client.files import why
from cellrace_client.race import Race
from cellrace_client.times import clock
from cellrace_protocol.commands import Kind

DEAL = "617"
BOTS = ("Ada", "Grace")


def run(arguments: argparse.Namespace) -> int:
    """Run it to its end; returns the exit status. Nothing that was started is left."""
    folder = (
        Path(arguments.data_dir) if arguments.data_dir else user_data_path("cellrace-demo", appauthor=False)
    )
    folder = folder.expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        server = _start_server(folder)
    except OSError as error:
        print(f"cellrace: {why(error)}", file=sys.stderr)
        return EXIT_CANNOT_CREATE
    except ServerNotStarted as error:
        print(f"cellrace: {error}", file=sys.stderr)
        return EXIT_UNAVAILABLE
    try:
        return run_online(_demo(server.url, folder, arguments.pace))
    finally:
        stop(server.process)


async def _demo(url: str, folder: Path, pace: float) -> int:
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(url, name="Host"))
        race = await client.create(DEAL, play=False, countdown_ms=1_500)
        print(f"race {race.id} on deal {DEAL}: {' against '.join(BOTS)}", flush=True)
        watcher = await _start(stack, "watch", race.id, "--url", url)
        for name in BOTS:
            await _start_bot(stack, folder, name, race, url, pace)
        await race.until(lambda model: model.phase == "ended")
        await watcher.wait()
        return await _report(client, race, folder)


async def _report(client: Client, race: Race, folder: Path) -> int:
    model = race.model
    if model is None or not model.standings or model.standings[0].time < 0:
        print("cellrace: nobody won", file=sys.stderr)
        return EXIT_DATA
    rows = await client.top(DEAL, kind=Kind.BOT)
    print(f"\nboard of deal {DEAL} (bots)")
    for row in rows:
        print(
            f"{row.place:>3}. {row.name:<16} {clock(row.time):>12}  {counted(row.moves, 'move')}  run {row.run}"
        )
    run_name = f"{race.id}-{model.standings[0].seat}"
    document = folder / f"{run_name}.json"
    document.write_text(await client.replay(run_name), encoding="utf-8")
    print(f"\nre-run the winner's replay with\n    {Path(sys.argv[0])} verify '{document}'")
    return 0


def _start_server(folder: Path) -> Started:
    """Start a server on a free port, with a store of its own."""
    options = ("--port", "0", "--data-dir", str(folder), "--log-level", "warning")
    environment = {
        name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "CELLRACE_REDIS")
    }
    return started([sys.executable, "-m", "cellrace_server", *options], environment)


async def _start_bot(
    stack: contextlib.AsyncExitStack, folder: Path, name: str, race: Race, url: str, pace: float
) -> None:
    moves = resources.files("cellrace_client").joinpath("demo", f"{name.lower()}.txt")
    path = stack.enter_context(resources.as_file(moves))
    await _start(
        stack, "bot", race.id, "--url", url, "--name", name, "--moves", str(path), "--pace", str(pace),
        "--token-file", str(folder / f"{name.lower()}.token"),
        quiet=True,
    )  # fmt: skip


async def _start(stack: contextlib.AsyncExitStack, *arguments: str, quiet: bool = False) -> Process:
    output = DEVNULL if quiet else None
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cellrace_client", *arguments, stdout=output
    )
    stack.push_async_callback(_stop, process)
    return process


async def _stop(process: Process) -> None:
    """End a process: kindly, then not."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
