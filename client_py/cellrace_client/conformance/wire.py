"""A WebSocket that knows the two encodings and nothing of our messages."""

from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from cellrace_client.errors import CannotConnect
from cellrace_protocol.codecs import MSGPACK


class Unreadable(Exception):
    """A frame that is nothing in its connection's encoding."""


class Wire:
    """One connection. What is sent returns whether it was open still."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._packed = socket.subprotocol == MSGPACK

    async def send(self, message: object) -> bool:
        """Send a message."""
        return await self.send_frame(
            msgspec.msgpack.encode(message) if self._packed else msgspec.json.encode(message).decode()
        )

    async def send_frame(self, payload: bytes | str) -> bool:
        """Send a frame as it is: binary for bytes, text for text."""
        try:
            await self._socket.send(payload)
        except ConnectionClosed:
            return False
        return True

    async def receive(self) -> Any:
        """The next message; `None` when the connection has ended. Raises `Unreadable`, also for a frame of
        the other kind."""
        try:
            payload = await self._socket.recv()
        except ConnectionClosed:
            return None
        if isinstance(payload, bytes) is not self._packed:
            raise Unreadable("a frame of the other kind")
        try:
            return (
                msgspec.msgpack.decode(payload)
                if isinstance(payload, bytes)
                else msgspec.json.decode(payload)
            )
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable(f"what cannot be read ({error})") from None

    async def closed(self) -> int | None:
        """Wait for the end, passing over what comes until then; the close code."""
        try:
            while True:
                await self._socket.recv()
        except ConnectionClosed:
            return self._socket.close_code

    async def close(self) -> None:
        await self._socket.close()


async def dial_raw(url: str, subprotocol: str) -> Wire:
    """Raises `CannotConnect`."""
    try:
        socket = await connect(
            url, subprotocols=[Subprotocol(subprotocol)], compression=None, max_size=1 << 20, close_timeout=1
        )
    except (OSError, InvalidHandshake, InvalidURI, TimeoutError, ValueError) as error:
        raise CannotConnect(url, str(error) or type(error).__name__) from error
    if socket.subprotocol != subprotocol:
        await socket.close()
        raise CannotConnect(url, f"it does not speak {subprotocol}")
    return Wire(socket)
