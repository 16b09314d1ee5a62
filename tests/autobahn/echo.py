"""Our gateway's connections as an echo server, for Autobahn's fuzzing client: `python -m tests.autobahn.echo fast`.

Reading is what the game's server does, with its own class, by either way of reading. Autobahn sends messages of 16 MiB
in parts of 64 bytes, so what a game's message may be is raised, and nothing else: how large it is, in how many parts it
comes, and how much may wait to be read.
"""

import asyncio
import functools
import signal
import sys
from typing import Literal, cast

import uvloop
from websockets.asyncio.server import ServerConnection, serve

from cellrace_server.gateway import wire
from cellrace_server.gateway.frames import frame
from cellrace_server.gateway.server import WIRES
from cellrace_server.gateway.wire import Wire

MESSAGE_MOST = 32 << 20


class OpenDoor:
    """Implements `wire.Doorkeeper`: everybody may come in."""

    def knock(self, _wire: Wire, /) -> bool:
        return True

    def gone(self, _wire: Wire, /) -> None:
        pass


async def echo(socket: ServerConnection) -> None:
    connection = cast("Wire", socket)

    def received(payload: bytes | str) -> None:
        binary = isinstance(payload, bytes)
        connection.write(frame(payload if isinstance(payload, bytes) else payload.encode(), binary))

    await connection.hear(received)


async def main(receive: Literal["fast", "library"]) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with serve(
        echo,
        "127.0.0.1",
        0,
        create_connection=cast("type[ServerConnection]", functools.partial(WIRES[receive], OpenDoor())),
        compression=None,
        max_size=MESSAGE_MOST,
        max_queue=16,
        ping_interval=None,
        close_timeout=1,
    ) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await stop.wait()


if __name__ == "__main__":
    wire.ODD_FRAMES_MOST = wire.OUTPUT_MOST = MESSAGE_MOST
    uvloop.run(main("library" if sys.argv[1:] == ["library"] else "fast"))
