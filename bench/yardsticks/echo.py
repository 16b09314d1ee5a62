"""The least that `websockets` can do: every message goes back."""

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bench.yardsticks.serving import run


async def echo(socket: ServerConnection) -> None:
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


if __name__ == "__main__":
    run(echo)
