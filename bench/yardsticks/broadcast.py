"""What one says is sent to all the others with the library's own `broadcast`."""

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed

from bench.yardsticks.serving import run

receivers: set[ServerConnection] = set()


async def fan_out(socket: ServerConnection) -> None:
    """Whoever has said anything speaks, and does not listen any more."""
    receivers.add(socket)
    try:
        async for message in socket:
            receivers.discard(socket)
            broadcast(receivers, message)
    except ConnectionClosed:
        pass
    finally:
        receivers.discard(socket)


if __name__ == "__main__":
    run(fan_out)
