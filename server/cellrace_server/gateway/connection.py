"""One WebSocket connection: who it is, which channels it receives, and how bytes leave it."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping
from types import MappingProxyType

import msgspec

from cellrace_protocol.commands import AnyClientMessage, Kind
from cellrace_protocol.errors import ErrorCode, WireError
from cellrace_protocol.events import Error, Refused, Welcome
from cellrace_protocol.fields import FRAME_BYTES_MOST, VERSION
from cellrace_protocol.lean import lean
from cellrace_server.core.commands import Action, AnyCommand
from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.outcome import Rejected, Repeated
from cellrace_server.gateway.channels import Channel
from cellrace_server.gateway.closing import LATER_MS
from cellrace_server.gateway.credits import Shortage
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.door import Admission
from cellrace_server.gateway.once import ServerCodec, framed
from cellrace_server.gateway.round_trips import RoundTrips
from cellrace_server.gateway.translate import repeated
from cellrace_server.gateway.wire import OPEN, OUTPUT_MOST, Wire, nothing
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services.identities import Known
from cellrace_server.services.nodes import named_after
from cellrace_server.services.room import RETRY_AFTER_MS, Answer, Room

REQUESTS_MOST = 8
"""Requests of one connection that may be under way at once."""

HELD_MOST = 32
"""Messages that may follow a hello before it is answered."""

FAULTS_MOST = 32
"""Unreadable messages after which a connection is closed as hostile."""

CLOSING_MOST_S = 2.0

NO_FACTS: Mapping[str, str | int] = MappingProxyType({})

CLOSE_GOING_AWAY = 1001
CLOSE_HOSTILE = 4400
CLOSE_NO_HELLO = 4401
CLOSE_REVOKED = 4403
CLOSE_STUCK = 4408
CLOSE_SENT_AWAY = 4410
CLOSE_TOO_FAST = 4429

logger = logging.getLogger(__name__)


class Connection:
    """Reads messages, hands them on and reads again; it never waits for the store while reading.

    Implements `receiver.Receiver` and, for commands that races decide, `services.room.Asker`.
    """

    __slots__ = (
        "_alone",
        "_closing",
        "_cutting",
        "_desk",
        "_faults",
        "_gather",
        "_greeting",
        "_handle",
        "_held",
        "_hello_s",
        "_limits",
        "_name",
        "_outbox",
        "_requests",
        "_socket",
        "_waiting",
        "agent",
        "allowance",
        "channels",
        "codec",
        "ended",
        "entering",
        "instance",
        "known",
        "next_token",
        "rematching",
        "round_trips",
        "since",
        "visit",
    )

    def __init__(
        self,
        socket: Wire,
        codec: ServerCodec,
        desk: Desk,
        handle: Callable[["Connection", AnyClientMessage], None],
        gather: Callable[["Connection", str, bool], None],
        admission: Admission,
    ) -> None:
        self.codec = codec
        self._name = admission.session
        self.visit = admission.visit
        self._limits = admission.limits
        self.allowance = admission.allowance
        self.known: Known | None = None
        self.channels: dict[int, Channel] = {}
        self.rematching: set[str] = set()
        self.entering = 0
        self.agent = ""
        self.instance = ""
        self.next_token = ""
        self.since = asyncio.get_running_loop().time()
        self.round_trips = RoundTrips(desk.compensation_ms_most)
        self._hello_s = admission.hello_s
        self._socket = socket
        socket.drained = self._drained
        self._desk = desk
        self._handle = handle
        self._gather = gather
        self._requests: set[asyncio.Task[None]] = set()
        self._held: list[bytes | str] = []
        self._outbox = desk.channels.outbox
        self._waiting: list[bytes] = []
        self._greeting = False
        self._alone = False
        self._faults = 0
        self._closing = False
        self._cutting: asyncio.TimerHandle | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def session(self) -> str:
        """What it is called in races, once its client has said hello."""
        return named_after(self._name, self.instance)

    @property
    def player(self) -> str:
        return "" if self.known is None else self.known.player.id

    async def run(self) -> None:
        """Serve the connection until it ends. Cancelled, it is cut."""
        loop = asyncio.get_running_loop()
        too_late = loop.call_later(self._hello_s, self._hello_missing)
        try:
            await self._socket.hear(self.received)
        finally:
            too_late.cancel()
            if self._cutting is not None:
                self._cutting.cancel()
            self._socket.drained = nothing
            self.ended.set_result(None)
            self._part_all()

    def received(self, payload: bytes | str) -> None:
        """One message has come. Never waits."""
        if self._closing or self.over:
            return
        if self._greeting:
            if len(self._held) < HELD_MOST:
                self._held.append(payload)
            else:
                self._hold_no_more(payload)
            return
        try:
            message = self.codec.decode(payload)
        except WireError as error:
            self.fault(error.code, error.text, error.request)
            return
        self._handle(self, message)

    def _hold_no_more(self, payload: bytes | str) -> None:
        try:
            number = getattr(self.codec.decode(payload), "r", 0)
        except WireError as error:
            number = error.request
        self.error(ErrorCode.BUSY, f"{HELD_MOST} messages before the welcome are the most", number)

    # Sending

    def send(self, message: msgspec.Struct) -> None:
        """Send one message to this connection alone."""
        self.write(framed(lean(message), self.codec))

    def write(self, frames: bytes, /) -> None:
        if self._outbox.held:
            if not self._waiting:
                self._outbox.add(self)
            self._waiting.append(frames)
        else:
            self._write(frames)

    def release(self) -> None:
        waiting = self._waiting
        if waiting:
            self._write(waiting[0] if len(waiting) == 1 else b"".join(waiting))
            waiting.clear()

    def _write(self, frames: bytes) -> None:
        if self._socket.write(frames) > OUTPUT_MOST:
            self._socket.cut("does not read")

    def show(self, frames: bytes, /) -> bool:
        socket = self._socket
        if socket.paused:
            return False
        if self._outbox.held:
            self.write(frames)
        elif socket.protocol.state is OPEN:  # as `Wire.write`, without the detour: there may be thousands
            socket.written += len(frames)
            socket.transport.write(frames)
        return True

    def _drained(self) -> None:
        for channel in list(self.channels.values()):
            channel.gallery.caught_up(self)

    def error(
        self,
        code: str,
        text: str,
        request: int = 0,
        retry_after: int = 0,
        facts: Mapping[str, str | int] = NO_FACTS,
    ) -> None:
        """Turn a request, or a message that cannot be read, down. `facts` are what `text` says, for programs."""
        self._desk.counters.refused(str(code))
        self.send(Error(code, text, request, retry_after, dict(facts)))

    def fault(self, code: str, text: str, request: int = 0) -> None:
        """A message that no well-behaved client sends. A few are answered, many end the connection."""
        self.error(code, text, request)
        self._desk.counters.unreadable += 1
        self._faults += 1
        if self._faults >= FAULTS_MOST:
            self.close(CLOSE_HOSTILE, f"{FAULTS_MOST} unreadable messages")

    def slow_down(self, message: AnyClientMessage, short: Shortage) -> None:
        """A message that there is no credit for just now. Who does not wait when told so is sent away in the end."""
        self._desk.counters.limited[short.endpoint] += 1
        request = getattr(message, "r", None)
        if request is None and (channel := getattr(message, "ch", None)) is not None:
            why = Rejected(ErrorCode.SLOW_DOWN, short.text, 0, short.retry_after)
            self.refuse(channel, getattr(message, "n", 0), why)
        else:
            self.error(ErrorCode.SLOW_DOWN, short.text, request or 0, short.retry_after)
        if self.allowance is not None and self.allowance.offence():
            self.close(CLOSE_TOO_FAST, "too much was asked, too often")

    def turn_away(self, request: int) -> None:
        """The server takes nobody new: a newcomer is sent on, others are told."""
        text = "the server goes down when the races that run are over"
        self.error(ErrorCode.DRAINING, text, request, LATER_MS)
        if self.known is None:
            self.close(CLOSE_GOING_AWAY, "the server takes nobody new")

    def close(self, code: int, reason: str) -> None:
        """Start the closing handshake; what is received meanwhile is not looked at. A peer that does not read would
        hold it up for ever: it is cut."""
        if not self._closing:
            self._cutting = asyncio.get_running_loop().call_later(CLOSING_MOST_S, self.abort)
        self._closing = True
        self.release()
        self._start(self._socket.close(code, reason))

    def abort(self) -> None:
        """Cut the connection at once."""
        self._socket.transport.abort()

    def welcome(self, known: Known) -> None:
        """This connection belongs to `known` from now on."""
        self.known = known
        player = known.player
        kind = Kind(player.kind.value)
        self.send(
            Welcome(
                VERSION,
                player.id,
                player.name,
                kind,
                known.token,
                "cellrace",
                FRAME_BYTES_MOST,
                self._desk.compensation_ms_most,
                list(self._limits),
                self._desk.listing.of(player),
            )
        )

    def look_after(self, now_ms: int, pong_s: float) -> None:
        """Let a peer go that has got stuck, send a ping to every other, and note how long the last one took there and
        back; nothing before the first pong. An answer that takes longer than `pong_s` ends the connection."""
        if not self._closing and (why := self._socket.stuck()):
            logger.info("a peer was cut: %s", why)
            self.close(CLOSE_STUCK, why)
        self._socket.probe(pong_s)
        if self._socket.latency > 0:
            self.round_trips.add(now_ms, round(1_000 * self._socket.latency))

    @property
    def output(self) -> int:
        """Bytes that wait for the peer to read."""
        return self._socket.transport.get_write_buffer_size()

    # Channels

    @property
    def over(self) -> bool:
        """The connection has ended: nothing can be sent any more, and it must not enter a channel."""
        return self.ended.done()

    def enter(self, channel: Channel, seat: int, by_itself: bool = False) -> None:
        """Receive a channel from now on, as the player on `seat` or as a spectator (-1); `by_itself`: nobody has asked
        for it on this connection."""
        self.channels[channel.number] = channel
        if seat >= 0:
            channel.sit(seat, self, self.player, by_itself)
        else:
            channel.watch(self)

    def part(self, channel: Channel) -> None:
        """Receive nothing more of a channel; a seat stays taken."""
        if self.channels.pop(channel.number, None) is not None:
            channel.part(self, self.player)
            self._desk.channels.close_if_empty(channel)

    def detached(self, channel: int, /) -> None:
        left = self.channels.pop(channel, None)
        if left is not None:
            self._desk.channels.close_if_empty(left)

    def gather(self, before: str, race: str, seated: bool, /) -> None:
        if before not in self.rematching:
            self._gather(self, race, seated)

    def _part_all(self) -> None:
        self._desk.followers.leave(self)
        for channel in list(self.channels.values()):
            self.part(channel)

    # Requests and answers

    def request(self, number: int, coroutine: Coroutine[None, None, None]) -> None:
        """Carry out a request beside the reading; too many at once are refused."""
        if self._takes_none(number):
            coroutine.close()
        else:
            self._start(self._answer(number, coroutine))

    def bring(self, coroutine: Coroutine[None, None, None]) -> None:
        """Bring this connection to where it is to be without having asked; there are few of these, one a race."""
        if self._alone or self.over:
            coroutine.close()
        else:
            self._start(self._answer(0, coroutine))

    def request_alone(self, number: int, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Carry out a request beside which there is no other: those before it are waited for, and those after it
        refused until it is answered."""
        if not self._takes_none(number):
            self._alone = True
            self._start(self._answer(number, self._after(frozenset(self._requests), work)))

    def _takes_none(self, number: int) -> bool:
        """No request can be carried out just now, and whoever asks is told."""
        if self._alone:
            self.error(ErrorCode.BUSY, "wait for the answer to what was asked before", number, 250)
        elif len(self._requests) >= REQUESTS_MOST:
            self.error(ErrorCode.BUSY, f"{REQUESTS_MOST} requests at once are the most", number, 250)
        else:
            return False
        return True

    async def _after(
        self, before: Collection["asyncio.Task[None]"], work: Callable[[], Coroutine[None, None, None]]
    ) -> None:
        try:
            if before:
                await asyncio.wait(before)
            await work()
        finally:
            self._alone = False

    async def _answer(self, number: int, coroutine: Coroutine[None, None, None]) -> None:
        try:
            await coroutine
        except StoreUnavailable:
            self.error(ErrorCode.UNAVAILABLE, "the store is away: try again", number, RETRY_AFTER_MS)
        except BrokenLog:
            logger.exception("a request met a broken log")
            self.error(ErrorCode.NOT_FOUND, "this race cannot be read any more", number)
        except StoreCorrupt:
            logger.exception("a request met something in the store that nobody can read")
            self.error(ErrorCode.NOT_FOUND, "what is stored there cannot be read", number)

    def greet(self, coroutine: Coroutine[None, None, None]) -> None:
        """Carry out a hello that has to ask the store; what comes meanwhile is held back."""
        self._greeting = True
        self._start(self._greet(coroutine))

    async def _greet(self, coroutine: Coroutine[None, None, None]) -> None:
        try:
            await self._answer(0, coroutine)
        finally:
            self._greeting = False
        held, self._held = self._held, []
        for payload in held:
            faults = self._faults
            self.received(payload)
            if self.known is None:
                self._faults = faults  # who sent it could not know that the hello would be refused

    def _start(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._requests.add(task)
        task.add_done_callback(self._requests.discard)

    def answered(self, room: Room, command: AnyCommand, answer: Answer, /) -> None:
        """What became of a command sent on a channel. One that was carried out is told by the facts themselves."""
        if answer is None:
            return
        channel = self._channel_of(room)
        if channel is None:
            return
        if isinstance(answer, Repeated):
            self._answer_again(channel, command, answer)
            return
        self.refuse(channel.number, command.n if isinstance(command, Action) else 0, answer)

    def _answer_again(self, channel: Channel, command: AnyCommand, answer: Repeated) -> None:
        message = repeated(channel.number, channel.room.history, answer, command)
        if message is not None:
            self.send(message)
            return
        race = channel.room.race
        seat = race.seats[answer.seat] if race is not None else None
        expected = seat.n + 1 if seat is not None else 0
        text = f"action {answer.n} was another one"
        self.refuse(channel.number, answer.n, Rejected(ErrorCode.NUMBER_USED, text, expected))

    def refuse(self, channel: int, n: int, why: Rejected) -> None:
        self._desk.counters.refused(str(why.reason))
        self.send(Refused(channel, n, str(why.reason), why.text, why.expected, why.retry_after))

    def _channel_of(self, room: Room) -> Channel | None:
        for channel in self.channels.values():
            if channel.room is room:
                return channel
        return None

    def _hello_missing(self) -> None:
        if self.known is None:
            self.close(CLOSE_NO_HELLO, f"no hello within {self._hello_s:g} s")
