"""The library's connection, with what it leaves open: output that it writes itself, connections that never finish their
handshake, peers that stop in the middle of something, and pings without a task for each."""

import asyncio
import logging
import random
from collections.abc import Callable, Generator
from typing import Any, Protocol, cast

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Event, State
from websockets.typing import BytesLike

from cellrace_server.gateway.addresses import Address, parse
from cellrace_server.gateway.door import Visit
from cellrace_server.gateway.http import refuse_unread

logger = logging.getLogger(__name__)

OUTPUT_MOST = 256 * 1024
"""Bytes that may wait for a receiver that does not read; beyond it the connection is cut."""

BEHIND_BYTES = 32 * 1024
"""Bytes that may wait for a spectator; beyond it what happens is kept from it until it has read."""

ODD_FRAMES_MOST = 1_000
"""Pings, pongs and parts of messages that a peer may send from one look at it to the next."""

OPEN = State.OPEN
"""Looked up once, and not for every message."""

_DATA = (Opcode.BINARY, Opcode.TEXT)
_process_event = ServerConnection.process_event

CLOSING_MOST_S = 1.0
"""From the end of a conversation until a peer that does not hang up is cut."""

TURN_BYTES = 256
"""Of what one peer sends so much is looked at in one turn of the event loop: some ten messages. The rest waits, and
everybody else comes in between."""

METHOD_BYTES = 16
"""Of a request so much is kept until it has been read: its method and more."""

PING = bytes((0x89, 4))

NEARLY = 0.98
"""Of the time that a pong may take: from then on it is late. A ping goes out a little after its look began, so that the
next look would find it all but late, and the one after that comes `ping_s` later."""

SPENT = Request("", Headers())
"""In place of a request that nobody needs any more."""

Received = Callable[[bytes | str], None]
"""Takes one whole message. Never waits."""


class Doorkeeper(Protocol):
    """Who lets connections in before anything is known of them but where they come from."""

    def knock(self, wire: "Wire", /) -> bool:
        """Whether this connection may begin its handshake."""
        ...

    def gone(self, wire: "Wire", /) -> None:
        """The connection has ended."""
        ...


class Wire(ServerConnection):
    """A connection from the moment it is accepted. It leans on `current_size` and `parser` of the library's protocol to
    see whether a message has been begun. Made with `ping_interval=None`: pings are `probe`'s. `paused` says that much
    waits for the peer to read, and `drained` is called when it has read most of it."""

    # The library's own attributes are nearly as many as share their names between instances.
    __slots__ = (
        "_asked",
        "_backlog",
        "_cutting",
        "_doorkeeper",
        "_odd",
        "_ping",
        "_pinged",
        "_stalled",
        "_turn",
        "_unfinished",
        "drained",
        "knocking",
        "messages",
        "peer",
        "visit",
        "written",
    )

    def __init__(self, doorkeeper: Doorkeeper, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._doorkeeper = doorkeeper
        self.visit = Visit(None)
        self.peer: Address | None = None
        self.knocking = False
        self.written = 0
        self.messages = 0
        self.drained: Callable[[], None] = nothing
        self._asked = b""
        self._odd = 0
        self._unfinished = -1
        self._stalled = -1
        self._ping = b""
        self._pinged = 0.0
        self._cutting: asyncio.TimerHandle | None = None
        self._backlog = bytearray()
        self._turn: asyncio.Handle | None = None

    async def hear(self, received: Received) -> None:
        """Hand every message to `received`, in order, until the connection has ended. Cancelled, it goes on unheard."""
        try:
            async for payload in self:
                received(payload)
        except ConnectionClosed:
            pass

    def forget_handshake(self) -> None:
        """Let go of what was said in it. To be called once it is over and everything in it has been read."""
        self.request = SPENT
        self.response = None
        self._asked = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with the handshake, unless the doorkeeper lets nobody in."""
        super().connection_made(transport)
        self.recv_messages.resume = self._resume_reading
        name = cast("tuple[str, int] | str | None", transport.get_extra_info("peername"))
        self.peer = parse(name[0]) if isinstance(name, tuple) else None
        if not self._doorkeeper.knock(self):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more, and say that the connection has ended."""
        if self._cutting is not None:
            self._cutting.cancel()
        if self._turn is not None:
            self._turn.cancel()
        self._backlog.clear()
        self._doorkeeper.gone(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._backlog or len(data) > TURN_BYTES:
            self._set_aside(data)
        else:
            self._read(data)

    @property
    def behind(self) -> bool:
        """Some of what was received waits for its turn."""
        return bool(self._backlog)

    def _set_aside(self, data: bytes) -> None:
        """Deal with the start of it now and with the rest in later turns; nothing more is read meanwhile."""
        begun = bool(self._backlog)
        self._backlog += data
        self.transport.pause_reading()
        if not begun:
            self._go_on()

    def _go_on(self) -> None:
        self._turn = None
        if self.transport.is_closing():
            self._backlog.clear()
            return
        data = bytes(self._backlog[:TURN_BYTES])
        del self._backlog[:TURN_BYTES]
        self._read(data)
        if not self.recv_messages.paused:
            self._resume_reading()

    def _resume_reading(self) -> None:
        """The library resumes in the same way, when whoever hears has caught up."""
        if not self._backlog:
            self.transport.resume_reading()
        elif self._turn is None:
            self._turn = self.loop.call_soon(self._go_on)

    def _read(self, data: bytes) -> None:
        """The library answers pings while it reads; a peer that sends them and never reads is cut like any other."""
        if self.request is None:
            self._asked = self._asked or data[:METHOD_BYTES]
        super().data_received(data)
        if self.transport.get_write_buffer_size() > OUTPUT_MOST:
            self.cut("does not read")
        if self.state is not State.OPEN:
            self._end_soon()

    def send_data(self) -> None:
        """A request that the library cannot read, as one with a body, it would end without a word."""
        wrong = self.protocol.handshake_exc if self._asked else None
        if isinstance(wrong, InvalidMessage):
            begun, self._asked = self._asked, b""
            if not isinstance(wrong.__cause__, EOFError):
                self.transport.write(refuse_unread(begun).serialize())
        super().send_data()

    def process_event(self, event: Event) -> None:
        """Whole messages are what we are here for; of all else only so much is looked at."""
        if type(event) is Frame and event.fin and event.opcode in _DATA:
            self.messages += 1
        elif type(event) is not Request:
            self._odd += 1
            if self._odd > ODD_FRAMES_MOST:
                self.cut("sends no messages, and frames without end")
                return
            if isinstance(event, Frame) and event.opcode is Opcode.PONG:
                self._hear_pong(event.data)
        _process_event(self, event)

    def write(self, frames: bytes) -> int:
        """Send whole frames; how many bytes wait for the peer to read then. Nothing is sent once the end has begun."""
        if self.protocol.state is not OPEN:
            return 0
        self.written += len(frames)
        transport = self.transport
        transport.write(frames)
        return transport.get_write_buffer_size()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.drained()

    def stuck(self) -> str:
        """What the peer has not gone on with since the last time that this was asked; empty when it has, or had nothing
        to. To be asked now and then."""
        self._odd = 0
        if self.state is not State.OPEN:
            return ""
        begun = self.protocol.current_size is not None or not between_frames(self.protocol.parser)
        before, self._unfinished = self._unfinished, self.messages if begun else -1
        waiting = self.transport.get_write_buffer_size()
        taken, self._stalled = self._stalled, self.written - waiting if waiting else -1
        if begun and before == self.messages:
            return "a message was begun and not finished"
        if waiting and taken == self._stalled:
            return "nothing that was sent was read"
        return ""

    def probe(self, late_s: float) -> None:
        """Send a ping; or where the last one has not been answered for nearly `late_s` seconds, end the connection
        (1011). A pong sets `latency`."""
        if self.state is not State.OPEN:
            return
        now = self.loop.time()
        if not self._ping:
            self._ping = random.randbytes(4)
            self._pinged = now
            self.written += len(PING) + len(self._ping)
            self.transport.write(PING + self._ping)
        elif now - self._pinged >= NEARLY * late_s:
            logger.info("a peer that answers no ping is let go")
            self.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")

    def cut(self, why: str) -> None:
        """End the connection at once, for what the peer does; the log says why, in words that follow "a peer that"."""
        if not self.transport.is_closing():
            logger.info("a peer that %s was cut", why)
        self.transport.abort()

    def fail(self, code: int, reason: str) -> None:
        """Say why, and hear nothing more; a peer that does not hang up then is cut."""
        self.protocol.fail(code, reason)
        self.send_data()
        self._end_soon()

    def _end_soon(self) -> None:
        if self._cutting is None and self.state is not State.CONNECTING:
            self._cutting = self.loop.call_later(CLOSING_MOST_S, self.transport.abort)

    def _hear_pong(self, payload: BytesLike) -> None:
        if self._ping and payload == self._ping:
            self._ping = b""
            self.latency = self.loop.time() - self._pinged


def nothing() -> None:
    """Nobody wants to know."""


def between_frames(parser: Generator[None]) -> bool:
    """Whether the library's parser waits for the first byte of a frame: a buffer that is empty does not tell, for bytes
    are taken from it while a frame is still incomplete."""
    inner: Any = parser
    while getattr(inner, "gi_yieldfrom", None) is not None:
        inner = inner.gi_yieldfrom
    return bool(inner.gi_code.co_name == "at_eof")
