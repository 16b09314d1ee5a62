"""The listening socket: handshakes, plain HTTP, and an end that leaves nobody waiting."""

import asyncio
import functools
import http
import logging
import socket
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast
from urllib.parse import urlsplit

import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import MultipleValuesError
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from cellrace_protocol.api import ROOT
from cellrace_protocol.codecs import SERVER_CODECS
from cellrace_protocol.events import Notice
from cellrace_protocol.fields import FRAME_BYTES_MOST
from cellrace_server.gateway.api.reader import Reader
from cellrace_server.gateway.api.reader import slow_down as too_often
from cellrace_server.gateway.assets import Assets
from cellrace_server.gateway.connection import CLOSE_GOING_AWAY, Connection
from cellrace_server.gateway.crowd import Crowd
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.door import Door, HouseRules, Visit
from cellrace_server.gateway.etags import if_none_match
from cellrace_server.gateway.fast_path import FastWire
from cellrace_server.gateway.handlers import gather, handle
from cellrace_server.gateway.http import TEXT, Answer, Health, Pages, respond
from cellrace_server.gateway.metrics import Metrics
from cellrace_server.gateway.patience import PATIENCE, Patience
from cellrace_server.gateway.rounds import Rounds
from cellrace_server.gateway.wire import BEHIND_BYTES, Wire

WS_PATH = "/ws"
PROBES = ("/healthz", "/readyz")
"""Pages that are never refused for being asked too often."""

DRAINING_RETRY_S = 2
TCP_USER_TIMEOUT_MS = 15_000
"""A peer that acknowledges nothing for so long is gone (Linux)."""

Receive = Literal["fast", "library"]

WIRES: dict[Receive, type[Wire]] = {"fast": FastWire, "library": Wire}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, whom to let in, and who reads messages: our own fast path, or the library alone."""

    host: str = "127.0.0.1"
    port: int = 0
    rules: HouseRules = field(default_factory=HouseRules)
    patience: Patience = PATIENCE
    receive: Receive = "fast"


class Gateway:
    """`start`, then `drain` and `close`. Ready from the start until it drains."""

    def __init__(self, desk: Desk, listening: Listening) -> None:
        self._desk = desk
        self._listening = listening
        self.crowd = Crowd(desk.people)
        self._rounds = Rounds(listening.patience)
        self.wires: set[Wire] = set()
        self._handle = functools.partial(handle, desk)
        self._gather = functools.partial(gather, desk)
        self._draining = False
        self._door = Door(listening.rules, asyncio.get_running_loop().time)
        metrics = Metrics(desk, lambda: list(self.crowd))
        self._reader = Reader(desk)
        self._pages = Pages(self.health, metrics.text)
        self._assets = Assets()
        self._server: websockets.asyncio.server.Server | None = None
        self._work: list[asyncio.Task[None]] = []

    @property
    def port(self) -> int:
        """The port in use, once started."""
        assert self._server is not None, "start() comes first"
        return int(next(iter(self._server.sockets)).getsockname()[1])

    def health(self) -> Health:
        """Whether new players may be sent here."""
        if self._draining or self._desk.closing.last_races:
            return Health(False, "draining")
        if self._desk.hall.committer.away or self._desk.pulse.away:
            return Health(False, "the store is away")
        return Health(True, "ready")

    async def start(self) -> None:
        """Listen. Raises `OSError` when the address cannot be had."""
        patience = self._listening.patience
        self._server = await websockets.asyncio.server.serve(
            self._serve,
            self._listening.host,
            self._listening.port,
            process_request=self._process_request,
            select_subprotocol=_select_subprotocol,
            create_connection=cast(
                "type[ServerConnection]", functools.partial(WIRES[self._listening.receive], self)
            ),
            compression=None,
            server_header=None,
            max_size=FRAME_BYTES_MOST,
            max_queue=16,
            open_timeout=patience.handshake_s,
            ping_interval=None,
            close_timeout=1,
            write_limit=BEHIND_BYTES,
        )
        _give_up_early(self._server.sockets)
        self._work = [
            asyncio.create_task(self._rounds.run(), name="looking after connections"),
            asyncio.create_task(self._forget(), name="forgetting addresses"),
            asyncio.create_task(self._desk.people.follow(self._changed), name="revocations"),
        ]

    async def _changed(self, player: str) -> None:
        await self.crowd.recheck(player)
        await self._desk.eraser.vacate(player)

    @property
    def work(self) -> Sequence["asyncio.Task[None]"]:
        """What goes on until `close`: where one of these ends before, something is wrong."""
        return self._work

    @property
    def races_under_way(self) -> int:
        """Races here that count down or run, with a player who is not done, connected or not, and whom no other node
        has."""
        return self._desk.roll_call.under_way

    def last_races(self) -> None:
        """Take nobody new and no new races from now on; those that run go on. Harmless when repeated."""
        if not self._desk.closing.last_races:
            self._desk.closing.last_races = True
            self.crowd.announce("last_races", "the server goes down when the races that run are over")

    async def drain(self, deadline_s: float) -> None:
        """Accept nobody new, tell everybody, close every connection; those that do not answer are cut in the end."""
        self._draining = True
        assert self._server is not None, "start() comes first"
        notice = Notice("draining", "the server is going down: reconnect and resume in a moment")
        for connection in self.crowd:
            connection.send(notice)
            connection.close(CLOSE_GOING_AWAY, "server going down")
        try:
            async with asyncio.timeout(deadline_s):
                while len(self.crowd):
                    await asyncio.wait([connection.ended for connection in self.crowd])
        except TimeoutError:
            if len(self.crowd):
                logger.warning("cutting %d connections that do not close", len(self.crowd))
        for connection in self.crowd:
            connection.abort()

    async def close(self) -> None:
        """Stop listening and cut what is left, also what never came to a handshake; `drain` first."""
        for work in self._work:
            work.cancel()
        if self._work:
            await asyncio.wait(self._work)
        if self._server is not None:
            self._server.close()
            for wire in list(self.wires):
                wire.transport.abort()
            await self._server.wait_closed()

    # Implements wire.Doorkeeper

    def knock(self, wire: Wire, /) -> bool:
        self.wires.add(wire)
        wire.knocking = self._door.knock(wire.peer, len(self.wires) - 1)
        return wire.knocking

    def gone(self, wire: Wire, /) -> None:
        self.wires.discard(wire)
        self._answered(wire)

    def _answered(self, wire: Wire) -> None:
        """The handshake is over, well or not."""
        if wire.knocking:
            wire.knocking = False
            self._door.answered(wire.peer)

    async def _forget(self) -> None:
        while True:
            await asyncio.sleep(self._listening.patience.ping_s)
            self._door.forget()

    async def _serve(self, ws: ServerConnection) -> None:
        codec = SERVER_CODECS[str(ws.subprotocol)]
        counters = self._desk.counters
        counters.accepted += 1
        wire = cast("Wire", ws)
        wire.forget_handshake()
        self._answered(wire)
        visit = wire.visit
        connection = Connection(
            wire,
            codec,
            self._desk,
            self._handle,
            self._gather,
            self._door.admit(
                visit, self._desk.nodes.session(counters.accepted), self._listening.patience.hello_s
            ),
        )
        counters.connections += 1
        self.crowd.enter(connection)
        self._rounds.add(connection)
        if visit.account is not None:
            visit.account.connections += 1
        try:
            await connection.run()
        finally:
            if visit.account is not None:
                visit.account.connections -= 1
            self.crowd.leave(connection)
            self._rounds.remove(connection)
            counters.connections -= 1

    def _process_request(
        self, ws: ServerConnection, request: Request
    ) -> Response | Awaitable[Response] | None:
        try:
            path = urlsplit(request.path).path
            origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
        except (ValueError, MultipleValuesError):
            return respond(Answer(http.HTTPStatus.BAD_REQUEST, TEXT, b"this is no request\n"))
        wire = cast("Wire", ws)
        visit = self._door.visit(wire.peer, request.headers.get_all("X-Forwarded-For"))
        if path != WS_PATH:
            page = self._page(path, request, visit)
            return self._counted(page) if isinstance(page, Response) else self._counted_later(page)
        why = self._turn_away(visit, origin, host)
        if why is None:
            wire.visit = visit
            return None
        self._desk.counters.turned_away[why.status.value] += 1
        return respond(why)

    def _page(self, path: str, request: Request, visit: Visit) -> Response | Awaitable[Response]:
        """What is there but races. Pages that ask the store are waited for, each by whoever asked and by nobody
        else."""
        free = path in PROBES or self._assets.is_part(path)
        slow_down = None if free else self._door.slow_down(visit)
        if slow_down is not None:
            self._desk.counters.turned_away[slow_down.status.value] += 1
        if path == ROOT or path.startswith(f"{ROOT}/"):
            if slow_down is not None:
                return too_often(slow_down.body.decode().rstrip(), slow_down.retry_s)
            return self._reader.answer(request.path, request.method, if_none_match(request.headers))
        if slow_down is not None:
            return respond(slow_down)
        asset = self._assets.answer(path, request.method, request.headers)
        return self._pages.answer(path, request.method) if asset is None else asset

    def _counted(self, page: Response) -> Response:
        self._desk.counters.pages[page.status_code] += 1
        return page

    async def _counted_later(self, page: Awaitable[Response]) -> Response:
        return self._counted(await page)

    def _turn_away(self, visit: Visit, origin: str | None, host: str) -> Answer | None:
        if self._draining:
            return Answer(http.HTTPStatus.SERVICE_UNAVAILABLE, TEXT, b"draining\n", DRAINING_RETRY_S)
        return self._door.turn_away(visit, origin, host, len(self.crowd))


def _select_subprotocol(ws: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol:
    """The first that the client offers and we speak. Raises `NegotiationError` (HTTP 400) when there is none."""
    for subprotocol in offered:
        if subprotocol in SERVER_CODECS:
            return subprotocol
    raise NegotiationError(f"offer one of the subprotocols {', '.join(SERVER_CODECS)}")


def _give_up_early(listening: Iterable[socket.socket]) -> None:
    """Connections have it from the socket that accepts them."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    for each in listening:
        if option is not None:
            each.setsockopt(socket.IPPROTO_TCP, option, TCP_USER_TIMEOUT_MS)
