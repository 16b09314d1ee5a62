"""The library's connection, with the two things it leaves open: output that it writes itself, and connections that
never finish their handshake."""

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection

from cellrace_server.gateway.door import Visit

OUTPUT_MOST = 256 * 1024
"""Bytes that may wait for a receiver that does not read; beyond it the connection is cut."""


class Wire(ServerConnection):
    """A connection from the moment it is accepted; `wires` holds all that are open, handshake or not."""

    def __init__(self, wires: "set[Wire]", *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._wires = wires
        self.visit = Visit(None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._wires.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wires.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The library answers pings while it reads; a peer that sends them and never reads is cut like any other."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > OUTPUT_MOST:
            self.transport.abort()
