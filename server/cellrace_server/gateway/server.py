"""The listening socket: handshakes, plain HTTP, and an end that leaves nobody waiting."""

import asyncio
import functools
import http
import logging
import socket
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import MultipleValuesError
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from cellrace_protocol.codecs import SERVER_CODECS
from cellrace_protocol.events import Notice
from cellrace_protocol.fields import FRAME_BYTES_MOST
from cellrace_server.gateway.addresses import Address, parse
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.door import Door, HouseRules, Visit
from cellrace_server.gateway.handlers import gather, handle
from cellrace_server.gateway.http import TEXT, Answer, Health, Pages, respond
from cellrace_server.gateway.metrics import Metrics
from cellrace_server.gateway.wire import Wire

WS_PATH = "/ws"
PROBES = ("/healthz", "/readyz")
"""Pages that are never refused for being asked too often."""

DRAINING_RETRY_S = 2
CLOSE_GOING_AWAY = 1001
PING_S = 5.0
"""How often connections are pinged, and their round trips noted."""

TCP_USER_TIMEOUT_MS = 15_000
"""A peer that acknowledges nothing for so long is gone (Linux)."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, and whom to let in."""

    host: str = "127.0.0.1"
    port: int = 0
    rules: HouseRules = field(default_factory=HouseRules)


class Gateway:
    """`start`, then `drain` and `close`. Ready from the start until it drains."""

    def __init__(self, desk: Desk, listening: Listening) -> None:
        self._desk = desk
        self._listening = listening
        self._connections: set[Connection] = set()
        self._wires: set[Wire] = set()
        self._draining = False
        self._door = Door(listening.rules, asyncio.get_running_loop().time)
        self._node = f"{uuid.uuid4().hex[:6]}-"
        metrics = Metrics(desk.counters, desk.hall, desk.channels)
        self._pages = Pages(self.health, metrics.text)
        self._server: websockets.asyncio.server.Server | None = None
        self._measuring: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port in use, once started."""
        assert self._server is not None, "start() comes first"
        return int(next(iter(self._server.sockets)).getsockname()[1])

    def health(self) -> Health:
        """Whether new players may be sent here."""
        if self._draining:
            return Health(False, "draining")
        if self._desk.hall.committer.away:
            return Health(False, "the store is away")
        return Health(True, "ready")

    async def start(self) -> None:
        """Listen. Raises `OSError` when the address cannot be had."""
        self._server = await websockets.asyncio.server.serve(
            self._serve,
            self._listening.host,
            self._listening.port,
            process_request=self._process_request,
            select_subprotocol=_select_subprotocol,
            create_connection=cast("type[ServerConnection]", functools.partial(Wire, self._wires)),
            compression=None,
            server_header=None,
            max_size=FRAME_BYTES_MOST,
            max_queue=16,
            open_timeout=5,
            ping_interval=PING_S,
            ping_timeout=5,
            close_timeout=1,
        )
        self._measuring = asyncio.create_task(self._measure(), name="round trips")

    async def drain(self, deadline_s: float) -> None:
        """Accept nobody new, tell everybody, close every connection; those that do not answer are cut in the end."""
        self._draining = True
        assert self._server is not None, "start() comes first"
        notice = Notice("draining", "the server is going down: reconnect and resume in a moment")
        for connection in list(self._connections):
            connection.send(notice)
            connection.close(CLOSE_GOING_AWAY, "server going down")
        try:
            async with asyncio.timeout(deadline_s):
                while self._connections:
                    await asyncio.wait([connection.ended for connection in self._connections])
        except TimeoutError:
            logger.warning("cutting %d connections that do not close", len(self._connections))
        for connection in list(self._connections):
            connection.abort()

    async def close(self) -> None:
        """Stop listening and cut what is left, also what never came to a handshake; `drain` first."""
        if self._measuring is not None:
            self._measuring.cancel()
        if self._server is not None:
            self._server.close()
            for wire in list(self._wires):
                wire.transport.abort()
            await self._server.wait_closed()

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PING_S)
            for connection in self._connections:
                connection.measure(round(1_000 * loop.time()))
            self._door.forget()

    async def _serve(self, ws: ServerConnection) -> None:
        _give_up_early(ws)
        codec = SERVER_CODECS[str(ws.subprotocol)]
        counters = self._desk.counters
        counters.accepted += 1
        visit = cast("Wire", ws).visit
        connection = Connection(
            ws,
            codec,
            self._desk,
            functools.partial(handle, self._desk),
            functools.partial(gather, self._desk),
            f"{self._node}{counters.accepted:x}",
            self._door.allowance(visit),
        )
        counters.connections += 1
        self._connections.add(connection)
        if visit.account is not None:
            visit.account.connections += 1
        try:
            await connection.run()
        finally:
            if visit.account is not None:
                visit.account.connections -= 1
            self._connections.discard(connection)
            counters.connections -= 1

    def _process_request(self, ws: ServerConnection, request: Request) -> Response | None:
        try:
            path = urlsplit(request.path).path
            origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
        except (ValueError, MultipleValuesError):
            return respond(Answer(http.HTTPStatus.BAD_REQUEST, TEXT, b"this is no request\n"))
        visit = self._door.visit(_peer(ws), request.headers.get_all("X-Forwarded-For"))
        if path != WS_PATH:
            slow_down = self._door.slow_down(visit) if path not in PROBES else None
            return self._pages.answer(path, request.method) if slow_down is None else respond(slow_down)
        why = self._turn_away(visit, origin, host)
        if why is None:
            cast("Wire", ws).visit = visit
            return None
        self._desk.counters.turned_away += 1
        return respond(why)

    def _turn_away(self, visit: Visit, origin: str | None, host: str) -> Answer | None:
        if self._draining:
            return Answer(http.HTTPStatus.SERVICE_UNAVAILABLE, TEXT, b"draining\n", DRAINING_RETRY_S)
        return self._door.turn_away(visit, origin, host, len(self._connections))


def _peer(ws: ServerConnection) -> Address | None:
    """Where the connection comes from; `None` for one that has no address, through a unix socket."""
    name = cast("tuple[str, int] | str | None", ws.remote_address)
    return parse(name[0]) if isinstance(name, tuple) else None


def _select_subprotocol(ws: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol:
    """The first that the client offers and we speak. Raises `NegotiationError` (HTTP 400) when there is none."""
    for subprotocol in offered:
        if subprotocol in SERVER_CODECS:
            return subprotocol
    raise NegotiationError(f"offer one of the subprotocols {', '.join(SERVER_CODECS)}")


def _give_up_early(ws: ServerConnection) -> None:
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    raw = ws.transport.get_extra_info("socket")
    if option is not None and raw is not None and raw.family != getattr(socket, "AF_UNIX", None):
        raw.setsockopt(socket.IPPROTO_TCP, option, TCP_USER_TIMEOUT_MS)
