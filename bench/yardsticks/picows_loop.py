"""What one says is sent to all the others one by one, with the fastest library there is."""

import asyncio
from collections.abc import Callable, Coroutine

import picows
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest

from bench.yardsticks.serving import stopped

receivers: set[WSTransport] = set()


class Listener(WSListener):
    """Whoever has said anything speaks, and does not listen any more."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        receivers.add(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is WSMsgType.BINARY:
            receivers.discard(transport)
            payload = frame.get_payload_as_bytes()
            for receiver in receivers:
                receiver.send(WSMsgType.BINARY, payload)
        elif frame.msg_type is WSMsgType.CLOSE:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        receivers.discard(transport)


def _listener(_request: WSUpgradeRequest) -> WSListener:
    return Listener()


async def main() -> None:
    create: Callable[..., Coroutine[None, None, asyncio.Server]]
    create = vars(picows)["ws_create_server"]  # its types are half there
    server = await create(_listener, "127.0.0.1", 0)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await stopped()


if __name__ == "__main__":
    uvloop.run(main())
