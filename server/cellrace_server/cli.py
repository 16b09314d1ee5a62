"""`cellrace-server`: settings, logging, signals, exit status."""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Sequence

from cellrace_server import logs, settings
from cellrace_server.composition import Address, CannotStart, serve
from cellrace_server.settings import EXIT_USAGE as EXIT_USAGE

EXIT_CANNOT_START = 1

logger = logging.getLogger("cellrace_server")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until SIGTERM or SIGINT. Returns the exit status."""
    try:
        resolved, print_config = settings.read(sys.argv[1:] if arguments is None else arguments)
    except settings.Faults as error:
        for fault in error.faults:
            print(f"cellrace-server: {fault}", file=sys.stderr)
        return EXIT_USAGE
    if print_config:
        print("\n".join(resolved.shown()))
        return 0
    chosen = resolved.settings
    logs.set_up(chosen.log_level, chosen.log_format)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(chosen))
    except CannotStart as error:
        print(f"cellrace-server: {error}", file=sys.stderr)
        return EXIT_CANNOT_START
    return 0


async def _serve(chosen: settings.Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers on loops
            loop.add_signal_handler(number, stop.set)
    announced = asyncio.Event()

    def announce(address: Address) -> None:
        _announce(address)
        announced.set()

    serving = asyncio.create_task(serve(chosen, stop, announce))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
    if not serving.done() and not announced.is_set():
        serving.cancel()  # nobody is connected yet: there is nothing to wait for
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        return
    stopped.cancel()
    await serving


def _announce(address: Address) -> None:
    print(f"cellrace is ready: {address.http}  (WebSocket {address.ws})", flush=True)
    print(f"races are kept in {address.store}; Ctrl-C stops the server", flush=True)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return uvloop.new_event_loop
