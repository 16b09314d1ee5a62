"""How a yardstick on the `websockets` library is run: on uvloop, without compression, until it is told to stop."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

import uvloop
from websockets.asyncio.server import ServerConnection, serve

Handler = Callable[[ServerConnection], Awaitable[None]]


def run(handler: Handler) -> None:
    """Serve until SIGTERM."""
    uvloop.run(_run(handler))


async def stopped() -> None:
    """Return at SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()


async def _run(handler: Handler) -> None:
    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        print("port", next(iter(server.sockets)).getsockname()[1], flush=True)
        await stopped()
        server.close(close_connections=False)
