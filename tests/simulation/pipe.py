"""The network between one client and one node: what is written arrives when the history says so, or never."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from websockets.protocol import State

from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.wire import nothing
from tests.server.gateway.audience import unframed


def nobody(_message: bytes) -> None:
    """Is told, and minds nothing."""


class Pipe:
    """Stands in for the library's connection on the server's side, and for the socket on the client's.

    `up` has the messages that are on their way to the server, `down` those to the client. Cut, it loses both. `told`
    hears every message that the server writes.
    """

    def __init__(self, told: Callable[[bytes], None] = nobody) -> None:
        self._told = told
        self.state = State.OPEN
        self.latency = 0.02
        self.written = 0
        self.up: deque[bytes] = deque()
        self.down: deque[bytes] = deque()
        self.closed_with = 0
        self.paused = False
        self.drained: Callable[[], None] = nothing
        self.connection: Connection | None = None
        self._ended: Any = None

    # The server's side, as `gateway.connection` uses it

    @property
    def protocol(self) -> "Pipe":
        return self

    @property
    def transport(self) -> "Pipe":
        return self

    def write(self, frames: bytes) -> int:
        if self.state is State.OPEN:
            messages = unframed(frames)
            self.down.extend(messages)
            for message in messages:
                self._told(message)
        return self.get_write_buffer_size()

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.down))

    def abort(self) -> None:
        self.cut()

    async def close(self, code: int = 1000, _reason: str = "") -> None:
        self.closed_with = self.closed_with or code
        self._end()

    async def hear(self, _received: object) -> None:
        """Until the end; what arrives is handed to the connection by `deliver`."""
        self._ended = asyncio.get_running_loop().create_future()
        if self.state is State.OPEN:
            await self._ended

    # The client's side

    @property
    def open(self) -> bool:
        return self.state is State.OPEN

    def deliver(self, messages: int) -> None:
        """Let so many messages reach the server."""
        assert self.connection is not None
        while messages and self.up and self.open:
            messages -= 1
            self.connection.received(self.up.popleft())

    def cut(self, _why: str = "") -> None:
        """Neither side hears of the other any more; what was on its way is lost."""
        self.up.clear()
        self.down.clear()
        self._end()

    def _end(self) -> None:
        self.state = State.CLOSED
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
