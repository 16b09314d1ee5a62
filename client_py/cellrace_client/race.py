"""One race as a program sees it: what stands, what happens, and what one can do."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, Self

import msgspec
from msgspec.structs import replace

from cellrace_client import session
from cellrace_client.connection import fault_in
from cellrace_client.errors import ActionRefused, Disconnected
from cellrace_client.iteration import Iteration
from cellrace_client.model import GhostRun, OutOfStep, RaceModel
from cellrace_client.prediction import Prediction
from cellrace_client.session import TRY_AGAIN, Do, Heard, RaceSession
from cellrace_engine import Line, Position, Refusal, RulesError, format_move, parse_rules
from cellrace_protocol import commands as c
from cellrace_protocol import events as e

Event = e.AnyRaceMessage | e.Snapshot


class Sender(Protocol):
    """What a race needs of its client."""

    def send(self, messages: Iterable[msgspec.Struct], /) -> None:
        """Send in order, soon; nothing is sent while there is no connection."""
        ...

    def later(self, seconds: float, call: Callable[[], None], /) -> None:
        """Call once after so many seconds, unless the connection is gone for good before; another one may have come."""
        ...

    def parted(self, race: "Race", /) -> None:
        """The race is of no interest any more: say so to the server."""
        ...


class Race:
    """One race, as a player or a spectator. Iterate it for what happens; `model` is what stands.

    Events are the protocol's messages: a snapshot first (and again where the server had to send one), then one for
    each fact. The iteration ends with the race or the client. A race is received until `part`, also one that is over
    (its players may meet again), and its events are kept until somebody takes them. Cancelling an `anext`, as a timeout
    does, takes none, and the next one goes on.

    `async with await client.join("617") as race` parts from it at the end of the block, however that ends, without
    waiting for anything: a seat in a race that runs stays taken, its player is away, and the clock goes on; `watch`
    comes back to it. Before the start, the server gives the seat to others some seconds later.

    Actions return when they are durable and raise `ActionRefused` when the referee says no, `Disconnected` when the
    race is received no more. Cancelling one does not take it back: it may still be carried out. Without a connection
    they wait for the next.
    """

    def __init__(self, sender: Sender, session: RaceSession) -> None:
        self.model: RaceModel | None = None
        """What stands; `None` until the first event, which is a snapshot."""
        self.ghosts: dict[int, GhostRun] = {}
        """The stored runs beside the race, by number."""
        self._sender = sender
        self._session = session
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._waiting: list[tuple[Callable[[RaceModel], bool], asyncio.Future[RaceModel]]] = []
        self._refusals: asyncio.Queue[ActionRefused | None] = asyncio.Queue()
        self._closed: Disconnected | None = None
        self._finished = False
        self._wishes: dict[type, Callable[[int], msgspec.Struct]] = {}
        self._looking = False
        self._put_off = False
        self._prediction: Prediction | None = None

    @property
    def id(self) -> str:
        """What to tell others so that they can join or watch."""
        return self._session.race

    @property
    def channel(self) -> int | None:
        """The race's channel on the present connection, `None` before the race is entered there."""
        return self._session.ch

    @property
    def seat(self) -> int:
        """Our seat, -1 as a spectator."""
        return self._session.seat

    @property
    def over(self) -> bool:
        """The race has ended."""
        return self._session.ended

    @property
    def closed(self) -> bool:
        """Nothing more of this race will be heard."""
        return self._closed is not None

    @property
    def failure(self) -> Disconnected | None:
        """Why nothing more is heard of it; `None` as long as it is received. The `code` is `taken_over` where another
        connection has the seat, and that of the refusal where it cannot be resumed."""
        return self._closed

    @property
    def line(self) -> Line | None:
        """Our own line of play with all that is under way, at once: refused actions are taken out again when the
        answer comes, all of them when the race is received no more. `None` before the start, as a spectator, and under
        rules that this version does not know."""
        return None if self._prediction is None else self._prediction.line

    @property
    def position(self) -> Position | None:
        """Our own board, as current as `line`."""
        return None if self._prediction is None else self._prediction.line.position

    @property
    def under_way(self) -> int:
        """Our actions without an answer."""
        return 0 if self._prediction is None else self._prediction.under_way

    def legal_moves(self) -> list[str]:
        """Every move that the rules allow in `position`, in notation; none where there is no position."""
        line = self.line
        return (
            []
            if line is None
            else [format_move(move, line.position, line.rules) for move in line.legal_moves()]
        )

    def reason_against(self, text: str) -> Refusal | None:
        """Why the rules refuse a move in `position`, with the numbers; `None` when they allow it. Nothing is sent, and
        the server may still refuse it. Where there is no position, `None`."""
        return None if self._prediction is None else self._prediction.reason_against(text)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.part()

    def __aiter__(self) -> AsyncIterator[Event]:
        return Iteration(self._next)

    async def _next(self) -> Event | None:
        event = await self._events.get()
        if event is None:
            self._events.put_nowait(None)  # for whoever else looks
        return event

    async def move(self, text: str) -> None:
        """Make a move, in notation such as `26`."""
        await self._act(text)

    async def undo(self) -> None:
        """Take the last move back, with its automatic moves."""
        await self._act(Do.UNDO)

    async def restart(self) -> None:
        """Go back to the deal; the clock goes on."""
        await self._act(Do.RESTART)

    async def finish(self) -> None:
        """Send everything home, once nothing can block it."""
        await self._act(Do.FINISH)

    async def give_up(self) -> None:
        """Be done with this race."""
        await self._act(Do.GIVE_UP)

    def ready(self, is_ready: bool = True) -> None:
        """Say that we are ready, or not any more. What becomes of it comes as an event."""
        self._wish(c.Ready, lambda ch: c.Ready(ch, is_ready))

    def start(self) -> None:
        """As the host, whom `model.host` names, start without waiting for the rest. What becomes of it comes as an
        event."""
        self._wish(c.Start, c.Start)

    def leave(self) -> None:
        """Before the start, give the seat back, or hosting where we have no seat. What becomes of it comes as an
        event."""
        self._wish(c.Leave, c.Leave)

    def part(self) -> None:
        """Receive nothing more of this race: the iteration ends. A seat stays taken, its player is away. Harmless when
        repeated."""
        self.close(Disconnected("the race was parted from"))
        self._sender.parted(self)

    def _wish(self, kind: type, make: Callable[[int], msgspec.Struct]) -> None:
        """Say something that has no number. It is said again on a new connection, until an answer is seen; of a race
        that is closed nothing is said."""
        if self.closed:
            return
        self._wishes[kind] = make
        if self.channel is not None:
            self._sender.send([make(self.channel)])

    def _note_answer(self, message: Event | e.Refused) -> None:
        match message:
            case e.Readied(seat=seat) if seat == self.seat:
                self._wishes.pop(c.Ready, None)
            case e.Left() if self.seat < 0:
                self._wishes.clear()
            case e.Hosts(host=host) if self.seat < 0 and self.model is not None and self.model.host != host:
                self._wishes.clear()
            case e.Countdown() | e.Go() | e.End():
                self._wishes.clear()
            case e.Snapshot(phase="running" | "ended"):
                self._wishes.clear()
            case e.Refused(n=0):
                self._wishes.clear()
            case _:
                pass

    async def until(self, condition: Callable[[RaceModel], bool]) -> RaceModel:
        """Wait until the race is as `condition` wants it, and return `model`, which lives on: what comes right behind
        may be in it already. What has to be of that moment is taken in `condition`.

        Raises `Disconnected` when the race is received no more."""
        if self.model is not None and condition(self.model):
            return self.model
        self._must_be_received()
        future: asyncio.Future[RaceModel] = asyncio.get_running_loop().create_future()
        waiter = (condition, future)
        self._waiting.append(waiter)
        try:
            return await future
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    async def refusal(self) -> ActionRefused:
        """The next refusal of something that returns nothing itself: `ready`, `start`, `leave`. Raises `Disconnected`
        when the race is received no more."""
        refusal = await self._refusals.get()
        if refusal is None:
            self._refusals.put_nowait(None)
            self._must_be_received()
        assert refusal is not None, "only a race that is closed has none to come"
        return refusal

    def _must_be_received(self) -> None:
        if self._closed is not None:
            raise _same(self._closed)

    async def _act(self, action: str | Do) -> None:
        await self.begin(action)

    def begin(self, action: str | Do) -> "asyncio.Future[None]":
        """Do something, a move in notation or one of `Do`, without waiting: it shows in `line` when this returns. The
        answer comes as the future's result or exception, as that of `move` would; cancelling it takes nothing back.
        Raises `ActionRefused` for a text that is none, `Disconnected` when the race is received no more."""
        self._must_be_received()
        if isinstance(action, str) and (fault := fault_in(c.Move(0, 1, action))) is not None:
            raise ActionRefused("unreadable", fault.text)
        ticket, commands = self._session.act(action)
        if self._prediction is not None:
            self._prediction.acted(ticket, action)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answers[ticket] = answer
        answer.add_done_callback(lambda _: self._answers.pop(ticket, None))
        self._sender.send(commands)
        return answer

    # What the client tells

    def hear(self, message: Event | e.Refused) -> None:
        """A message on this race's channel."""
        if (
            isinstance(message, e.Refused)
            and message.n == 0
            and message.code in TRY_AGAIN
            and message.retry_after
        ):
            self._put_wishes_off(message.retry_after)
            return
        heard = self._session.hear(message)
        self._note_answer(message)
        self._heed(heard)
        passed_over = self._looking and not isinstance(message, e.Snapshot)
        if isinstance(message, e.Refused) or heard.seen or passed_over:
            self._predict(None, heard)
            return
        try:
            self._take_in(message)
        except OutOfStep as fault:
            self._recover_from(message, fault)
            return
        self._predict(message, heard)
        self._events.put_nowait(message)
        self._wake()
        if self._session.ended:
            self._finish()

    def _finish(self) -> None:
        if not self._finished:
            self._finished = True
            self._events.put_nowait(None)

    def told(self, message: e.Watching | e.Ghost) -> None:
        """So many watch the race now, or there is a ghost. This is no event: nothing has happened in the race."""
        if isinstance(message, e.Ghost):
            self.ghosts[message.index] = GhostRun(message)
        elif self.model is not None:
            self.model.spectators = message.spectators
        if self.model is not None:
            self._wake()

    def _recover_from(self, message: Event, fault: OutOfStep) -> None:
        """A snapshot puts a board right; where it is wrong itself nothing can."""
        if isinstance(message, e.Snapshot):
            self.close(Disconnected(f"the server's snapshot makes no sense: {fault}"))
            self._sender.parted(self)
        else:
            self._look()

    def channel_lost(self) -> None:
        """The connection is gone: the race has no channel before it is entered again."""
        self._session.channel_lost()

    def resume(self, r: int) -> c.Resume:
        """The request that picks the race up on a new connection; by a snapshot, if that was looked for already."""
        again = self._session.resume(r)
        return replace(again, after=0) if self._looking else again

    def entered_again(self, entered: e.Entered) -> None:
        """The race goes on, on a new connection."""
        heard = self._session.entered_again(entered)
        if self._prediction is not None:
            self._prediction.owed(heard.applied)
            self._prediction.refused([refusal.ticket for refusal in heard.refused])
        self._heed(heard)
        self._say_wishes()

    def close(self, why: Disconnected) -> None:
        """Nothing more will be heard: end the iteration, wake everybody who waits, who is told why."""
        if self._closed is not None:
            return
        self._closed = why
        if self._prediction is not None:
            self._prediction.abandoned()
        self._finish()
        self._refusals.put_nowait(None)
        for answer in self._answers.values():
            _fail(answer, why)
        for _, future in self._waiting:
            _fail(future, why)

    def _take_in(self, message: Event) -> None:
        if isinstance(message, e.Snapshot):
            self.model = RaceModel(message, self.ghosts)
            self._looking = False
        elif self.model is not None:
            self.model.apply(message)

    def _predict(self, message: Event | None, heard: Heard) -> None:
        """Bring our own board up to what was heard; `message` is what the model has taken in just now."""
        model = self.model
        if isinstance(message, e.Snapshot | e.Go) or (model is not None and model.you < 0):
            self._foresee()
        prediction = self._prediction
        if prediction is None:
            return
        if isinstance(message, e.Snapshot):
            self._rebase(prediction, message.seats[message.you].undos)
        elif isinstance(message, e.Applied) and not prediction.heard(message):
            self._rebase(prediction)
        prediction.settled(heard.applied)
        prediction.refused([refusal.ticket for refusal in heard.refused])

    def _foresee(self) -> None:
        """Begin to predict where there is an own board, and end where there is none."""
        model = self.model
        if model is None or model.you < 0 or not model.start:
            self._prediction = None
        elif self._prediction is None:
            with suppress(RulesError, ValueError):
                self._prediction = Prediction.begin(parse_rules(model.rules), model.start)

    def _rebase(self, prediction: Prediction, undos: int | None = None) -> None:
        seat = self.model.seats[self.model.you] if self.model is not None else None
        if seat is not None and seat.board is not None:
            prediction.rebase(seat.board.text, seat.moves, seat.points, undos)

    def _heed(self, heard: Heard) -> None:
        for ticket in heard.applied:
            self._answer(ticket, None)
        for refused in heard.refused:
            self._answer(refused.ticket, self._refusal_of(refused))
        self._sender.send(heard.send)
        if heard.retry_after:
            self._sender.later(heard.retry_after / 1_000, self._send_put_off)
        if heard.lost:
            self._look()

    def _refusal_of(self, refused: session.Refusal) -> ActionRefused:
        """With what the rules say, where they say no for the same reason on the board as it was foreseen."""
        reason = self._prediction.reason_for(refused.ticket) if self._prediction is not None else None
        agrees = reason is not None and str(reason.reason) == refused.code
        return ActionRefused(
            refused.code,
            refused.text,
            refused.expected,
            retry_after=refused.retry_after,
            refusal=reason if agrees else None,
        )

    def _answer(self, ticket: int, refusal: ActionRefused | None) -> None:
        if ticket == 0 and refusal is not None:
            self._refusals.put_nowait(refusal)
        answer = self._answers.get(ticket)
        if answer is None or answer.done():
            return  # nobody waits for it any more
        if refusal is None:
            answer.set_result(None)
        else:
            answer.set_exception(refusal)

    def _send_put_off(self) -> None:
        self._sender.send(self._session.put_off())

    def _put_wishes_off(self, ms: int) -> None:
        """What has no number came too fast, or while the store was away: say it again when it is time."""
        if not self._put_off:
            self._put_off = True
            self._sender.later(max(1, ms) / 1_000, self._wish_again)

    def _wish_again(self) -> None:
        self._put_off = False
        self._say_wishes()
        if self._looking and self.channel is not None:
            self._sender.send([c.Look(self.channel)])

    def _say_wishes(self) -> None:
        ch = self.channel
        if ch is not None:
            self._sender.send([make(ch) for make in self._wishes.values()])

    def _look(self) -> None:
        """Ask for a snapshot, once: facts are passed over until it is there."""
        if not self._looking and self.channel is not None:
            self._looking = True
            self._sender.send([c.Look(self.channel)])

    def _wake(self) -> None:
        model = self.model
        if model is None:
            return
        for condition, future in list(self._waiting):
            if future.done():
                continue
            try:
                holds = condition(model)
            except Exception as error:  # noqa: BLE001 - the condition is the caller's, and so is its error
                future.set_exception(error)
            else:
                if holds:
                    future.set_result(model)


def _fail(future: asyncio.Future[Any], why: Disconnected) -> None:
    if not future.done():
        future.set_exception(_same(why))


def _same(why: Disconnected) -> Disconnected:
    """Another one of the same: each is raised once."""
    error = Disconnected(str(why), code=why.code, close_code=why.close_code, facts=why.facts)
    error.__cause__ = why.__cause__
    return error
