"""The library's connection, with what it leaves open: output that it writes itself, connections that never finish their
handshake, and peers that stop in the middle of something."""

import asyncio
from typing import Any, Protocol, cast

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Event, State

from cellrace_server.gateway.addresses import Address, parse
from cellrace_server.gateway.door import Visit

OUTPUT_MOST = 256 * 1024
"""Bytes that may wait for a receiver that does not read; beyond it the connection is cut."""

ODD_FRAMES_MOST = 1_000
"""Pings, pongs and parts of messages that a peer may send from one look at it to the next."""

_DATA = (Opcode.BINARY, Opcode.TEXT)
_process_event = ServerConnection.process_event


class Doorkeeper(Protocol):
    """Who lets connections in before anything is known of them but where they come from."""

    def knock(self, wire: "Wire", /) -> bool:
        """Whether this connection may begin its handshake."""
        ...

    def gone(self, wire: "Wire", /) -> None:
        """The connection has ended."""
        ...


class Wire(ServerConnection):
    """A connection from the moment it is accepted. It leans on `current_size` and `reader` of the library's protocol
    to see whether a message has been begun."""

    def __init__(self, doorkeeper: Doorkeeper, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._doorkeeper = doorkeeper
        self.visit = Visit(None)
        self.peer: Address | None = None
        self.knocking = False
        self.written = 0
        self._messages = 0
        self._odd = 0
        self._unfinished = -1
        self._stalled = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        name = cast("tuple[str, int] | str | None", transport.get_extra_info("peername"))
        self.peer = parse(name[0]) if isinstance(name, tuple) else None
        if not self._doorkeeper.knock(self):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._doorkeeper.gone(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The library answers pings while it reads; a peer that sends them and never reads is cut like any other."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > OUTPUT_MOST:
            self.transport.abort()

    def process_event(self, event: Event) -> None:
        """Whole messages are what we are here for; of all else only so much is looked at."""
        if type(event) is Frame and event.fin and event.opcode in _DATA:
            self._messages += 1
        elif type(event) is not Request:
            self._odd += 1
            if self._odd > ODD_FRAMES_MOST:
                self.transport.abort()
                return
        _process_event(self, event)

    def stuck(self) -> str:
        """What the peer has not gone on with since the last time that this was asked; empty when it has, or had nothing
        to. To be asked now and then."""
        self._odd = 0
        if self.state is not State.OPEN:
            return ""
        begun = self.protocol.current_size is not None or bool(self.protocol.reader.buffer)
        before, self._unfinished = self._unfinished, self._messages if begun else -1
        waiting = self.transport.get_write_buffer_size()
        taken, self._stalled = self._stalled, self.written - waiting if waiting else -1
        if begun and before == self._messages:
            return "a message was begun and not finished"
        if waiting and taken == self._stalled:
            return "nothing that was sent was read"
        return ""
