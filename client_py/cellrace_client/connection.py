"""One connection: a WebSocket, messages in and out, typed."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from cellrace_client.coming_back import ComingBack
from cellrace_client.errors import CannotConnect
from cellrace_client.harmless import harmless
from cellrace_protocol.codecs import CLIENT_CODECS, MSGPACK, SERVER_CODECS
from cellrace_protocol.errors import ErrorCode, WireError
from cellrace_protocol.events import AnyServerMessage
from cellrace_protocol.fields import FRAME_BYTES_MOST as MESSAGE_BYTES_MOST

FRAME_BYTES_MOST = 1 << 20

PING_S = 5.0
PONG_S = 10.0
"""How often a connection is tried, and how long its answer may take: where the network swallows everything and closes
nothing, that is how its end is found out."""


def fault_in(message: msgspec.Struct, codec_name: str = MSGPACK) -> WireError | None:
    """Why the server could not read this message: then its answer would not say what it answers."""
    codec = SERVER_CODECS[codec_name]
    try:
        payload = codec.encode(message)
        codec.decode(payload if codec.binary else payload.decode())
        if len(payload) > MESSAGE_BYTES_MOST:
            text = f"a message of {len(payload)} bytes: {MESSAGE_BYTES_MOST} are the most"
            return WireError(ErrorCode.BAD_FIELD, text)
    except WireError as error:
        return error
    except (OverflowError, UnicodeEncodeError):
        return WireError(ErrorCode.BAD_FIELD, "a number or a text is none that a message can hold")
    return None


class Connection:
    """One WebSocket. `send` may be called from anywhere on the event loop; `messages` from one task."""

    def __init__(self, socket: ClientConnection, codec_name: str) -> None:
        self._socket = socket
        self._codec = CLIENT_CODECS[codec_name]

    @property
    def close_code(self) -> int:
        """With which code it was closed; 1006 while it is open, and where it just ended."""
        return self._socket.close_code or 1006

    @property
    def close_reason(self) -> str:
        """What its end said, often nothing."""
        return self._socket.close_reason or ""

    @property
    def delay_s(self) -> float:
        """The round trip of the last ping, in seconds; 0 before there was one."""
        return self._socket.latency

    async def send(self, messages: Iterable[msgspec.Struct]) -> None:
        """Send messages in order. On a connection that is gone nothing happens: it is resumed elsewhere."""
        try:
            for message in messages:
                payload = self._codec.encode(message)
                await self._socket.send(payload if self._codec.binary else payload.decode())
        except ConnectionClosed:
            return

    async def messages(self) -> AsyncIterator[AnyServerMessage]:
        """What the server says until the connection ends. Messages that cannot be read are passed over: a newer
        server may say things that this client does not know. In texts nothing is left that a terminal would obey."""
        try:
            async for payload in self._socket:
                try:
                    yield harmless(self._codec.decode(payload))
                except WireError:
                    continue
        except ConnectionClosed:
            return

    async def close(self) -> None:
        await self._socket.close()


async def dial(url: str, codec_name: str = MSGPACK) -> Connection:
    """Connect once. Raises `CannotConnect`, also where the server does not speak this codec."""
    try:
        socket = await connect(
            url,
            subprotocols=[Subprotocol(codec_name)],
            compression=None,
            max_size=FRAME_BYTES_MOST,
            ping_interval=PING_S,
            ping_timeout=PONG_S,
            open_timeout=5,
            close_timeout=1,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        wait = next(iter(error.response.headers.get_all("Retry-After")), "")
        seconds = float(wait) if wait.isdecimal() else 0.0
        raise CannotConnect(url, f"the server answers HTTP {status}", seconds) from error
    except (InvalidURI, ValueError) as error:  # a port out of range is only found out by the system's calls
        raise CannotConnect(url, "this is no ws:// or wss:// address") from error
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise CannotConnect(url, str(error) or type(error).__name__) from error
    if socket.subprotocol != codec_name:
        await socket.close()
        raise CannotConnect(url, f"it does not speak {codec_name}")
    return Connection(socket, codec_name)


async def dial_again(url: str, codec_name: str, give_up_s: float, pauses: ComingBack) -> Connection:
    """Connect, trying again after pauses. Raises `CannotConnect` after `give_up_s` seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + give_up_s
    while True:
        try:
            return await dial(url, codec_name)
        except CannotConnect as error:
            wait = error.retry_after_s + pauses.failed()
            if loop.time() + wait > deadline:
                raise
        await asyncio.sleep(wait)
