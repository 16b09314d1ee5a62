"""The library without `await`, for scripts: the same names, and each call returns when it is done.

    with connect("ws://127.0.0.1:8617/ws", name="Ada") as client:
        race = client.join("617")

The client itself runs on an event loop in a thread of its own: races go on while a script thinks. Objects may be used
from any thread but that one (`on_notice`, `on_connection` and the conditions of `until` are called there: they must not
wait). Errors are those of the library; Ctrl-C interrupts whatever waits.
"""

import asyncio
import copy
import threading
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from cellrace_client import client as awaited
from cellrace_client.client import DEFAULT_URL, RECONNECT_S, OnConnection, OnNotice
from cellrace_client.dailies import Dailies as AsyncDailies
from cellrace_client.errors import Disconnected
from cellrace_client.ghosts import Ghosts as AsyncGhosts
from cellrace_client.identities import Identities
from cellrace_client.model import GhostRun, RaceModel
from cellrace_client.players import Players as AsyncPlayers
from cellrace_client.race import Event
from cellrace_client.race import Race as AsyncRace
from cellrace_client.race_list import RaceList as AsyncRaceList
from cellrace_client.session import Do
from cellrace_engine import Line, Position
from cellrace_protocol import events as e
from cellrace_protocol.codecs import MSGPACK
from cellrace_protocol.commands import Kind as Kind

T = TypeVar("T")
P = ParamSpec("P")
Inner = TypeVar("Inner")


@contextmanager
def connect(
    url: str = DEFAULT_URL,
    *,
    name: str = "",
    token: str = "",
    kind: Kind = Kind.HUMAN,
    codec: str = MSGPACK,
    reconnect_s: float = RECONNECT_S,
    on_notice: OnNotice | None = None,
    on_connection: OnConnection | None = None,
    keep: Identities | None = None,
) -> "Generator[Client]":
    """Connect to a server, as `cellrace_client.connect` does: `with connect(url, name="Ada") as client`. At the end of
    the block the client is closed and its thread has ended. Raises what that raises."""
    with _Loop() as loop:
        coming = awaited.connect(
            url,
            name=name,
            token=token,
            kind=kind,
            codec=codec,
            reconnect_s=reconnect_s,
            on_notice=on_notice,
            on_connection=on_connection,
            keep=keep,
        )
        client = loop.do(coming.__aenter__())
        try:
            yield Client(loop, client)
        finally:
            loop.do(coming.__aexit__(None, None, None))


class _Loop:
    """An event loop in a thread: `with _Loop() as loop`. At its end all tasks are cancelled and the thread is gone."""

    def __init__(self) -> None:
        self._running: Future[asyncio.AbstractEventLoop] = Future()
        self._end: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="cellrace client", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._running.result()
        return self

    def __exit__(self, *_: object) -> None:
        loop, end = self._running.result(), self._end
        assert end is not None, "it is there when the loop runs"
        self._end = None
        loop.call_soon_threadsafe(end.set)
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._stay())

    async def _stay(self) -> None:
        end = self._end = asyncio.Event()
        self._running.set_result(asyncio.get_running_loop())
        await end.wait()

    def begin(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Have it done in the thread. Raises `Disconnected` after the end, `RuntimeError` in the thread itself, which
        would wait for itself."""
        if self._end is None or threading.current_thread() is self._thread:
            work.close()
            if self._end is None:
                raise Disconnected("the client is closed")
            raise RuntimeError("this is called by the client's own thread, which must not wait")
        return asyncio.run_coroutine_threadsafe(work, self._running.result())

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """The same to its end; interrupted, it is cancelled."""
        future = self.begin(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, function: Callable[[], T]) -> T:
        """Call a function in the thread, between two things that happen there."""

        async def called() -> T:
            return function()

        return self.do(called())


class _Behind(Generic[Inner]):
    """`inner` is the object of the library behind it, which lives on `loop`."""

    def __init__(self, loop: _Loop, inner: Inner) -> None:
        self.loop = loop
        self.inner = inner


def _waits(
    method: Callable[Concatenate[Inner, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Behind[Inner], P], T]:
    @wraps(method)
    def wait(self: _Behind[Inner], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.loop.do(method(self.inner, *args, **kwargs))

    return wait


def _calls(method: Callable[Concatenate[Inner, P], T]) -> Callable[Concatenate[_Behind[Inner], P], T]:
    @wraps(method)
    def call(self: _Behind[Inner], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.loop.call(lambda: method(self.inner, *args, **kwargs))

    return call


def _enters(
    method: Callable[Concatenate[Inner, P], Coroutine[Any, Any, AsyncRace]],
) -> Callable[Concatenate[_Behind[Inner], P], "Race"]:
    @wraps(method)
    def enter(self: _Behind[Inner], /, *args: P.args, **kwargs: P.kwargs) -> Race:
        return Race(self.loop, self.loop.do(method(self.inner, *args, **kwargs)))

    return enter


class Race(_Behind[AsyncRace]):
    """One race, as `cellrace_client.Race`. `for event in race` waits for what happens, until the race ends.
    `with client.join("617") as race` parts from it at the end of the block."""

    move = _waits(AsyncRace.move)
    undo = _waits(AsyncRace.undo)
    restart = _waits(AsyncRace.restart)
    finish = _waits(AsyncRace.finish)
    give_up = _waits(AsyncRace.give_up)
    refusal = _waits(AsyncRace.refusal)
    ready = _calls(AsyncRace.ready)
    start = _calls(AsyncRace.start)
    leave = _calls(AsyncRace.leave)
    part = _calls(AsyncRace.part)
    legal_moves = _calls(AsyncRace.legal_moves)
    reason_against = _calls(AsyncRace.reason_against)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Disconnected):  # the client has gone first
            self.part()

    @property
    def id(self) -> str:
        """What to tell others so that they can join or watch."""
        return self.inner.id

    @property
    def channel(self) -> int | None:
        """The race's channel on the present connection, `None` before the race is entered there."""
        return self.inner.channel

    @property
    def closed(self) -> bool:
        """Nothing more of this race will be heard."""
        return self.inner.closed

    @property
    def failure(self) -> Disconnected | None:
        """Why nothing more is heard of it; `None` as long as it is received."""
        return self.inner.failure

    @property
    def seat(self) -> int:
        """Our seat, -1 as a spectator."""
        return self.inner.seat

    @property
    def over(self) -> bool:
        """The race has ended."""
        return self.inner.over

    @property
    def line(self) -> Line | None:
        """Our own line of play, with all that is under way."""
        return self.inner.line

    @property
    def position(self) -> Position | None:
        """Our own board, as current as `line`."""
        return self.inner.position

    @property
    def under_way(self) -> int:
        """Our actions without an answer."""
        return self.inner.under_way

    @property
    def model(self) -> RaceModel | None:
        """What stands just now: a copy, which does not change."""
        return self.loop.call(lambda: copy.deepcopy(self.inner.model))

    @property
    def ghosts(self) -> Mapping[int, GhostRun]:
        """The stored runs beside the race."""
        return self.loop.call(lambda: dict(self.inner.ghosts))

    def until(self, condition: Callable[[RaceModel], bool]) -> RaceModel:
        """Wait until the race is as `condition` wants it, and return it as it was then: a copy. Raises
        `Disconnected`."""

        seen: list[RaceModel] = []

        def held(model: RaceModel) -> bool:
            if holds := condition(model):
                seen[:] = [copy.deepcopy(model)]  # at once: it goes on
            return holds

        async def wait() -> RaceModel:
            await self.inner.until(held)
            return seen[0]

        return self.loop.do(wait())

    def begin(self, action: str | Do) -> "Future[None]":
        """Do something without waiting for its answer, which is the future's; it shows in `line` when this returns.
        Raises what that of the library raises."""
        answer = self.loop.call(lambda: self.inner.begin(action))

        async def wait() -> None:
            await answer

        return self.loop.begin(wait())

    def __iter__(self) -> Iterator[Event]:
        events = aiter(self.inner)

        async def following() -> Event | None:
            return await anext(events, None)

        while (event := self.loop.do(following())) is not None:
            yield event


class RaceList(_Behind[AsyncRaceList]):
    """Public races that are open or running, as `cellrace_client.RaceList`: iterate it to be told of changes.
    `with client.follow() as races` unfollows it at the end of the block."""

    done = _calls(AsyncRaceList.done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Disconnected):  # the client has gone first
            self.done()

    @property
    def rows(self) -> Mapping[str, e.RaceRow]:
        """What was said last: a copy."""
        return self.loop.call(lambda: dict(self.inner.rows))

    def __iter__(self) -> Iterator[Mapping[str, e.RaceRow]]:
        changes = aiter(self.inner)

        async def following() -> Mapping[str, e.RaceRow] | None:
            rows = await anext(changes, None)
            return None if rows is None else dict(rows)

        while (rows := self.loop.do(following())) is not None:
            yield rows


class Dailies(_Behind[AsyncDailies]):
    """The deals of the day."""

    today = _waits(AsyncDailies.today)
    play = _enters(AsyncDailies.play)
    top = _waits(AsyncDailies.top)
    board = _waits(AsyncDailies.board)


class Players(_Behind[AsyncPlayers]):
    """Who players are."""

    profile = _waits(AsyncPlayers.profile)
    ratings = _waits(AsyncPlayers.ratings)
    export = _waits(AsyncPlayers.export)
    erase = _waits(AsyncPlayers.erase)


class Ghosts(_Behind[AsyncGhosts]):
    """Racing against stored runs."""

    race = _enters(AsyncGhosts.race)
    of = _waits(AsyncGhosts.of)
    link = _calls(AsyncGhosts.link)


class Client(_Behind[awaited.Client]):
    """An identity on a server, as `cellrace_client.Client`."""

    create = _enters(awaited.Client.create)
    join = _enters(awaited.Client.join)
    quick = _enters(awaited.Client.quick)
    gathered = _enters(awaited.Client.gathered)
    watch = _enters(awaited.Client.watch)
    races = _waits(awaited.Client.races)
    unfollow = _calls(awaited.Client.unfollow)
    renew_token = _waits(awaited.Client.renew_token)
    top = _waits(awaited.Client.top)
    board = _waits(awaited.Client.board)
    runs = _waits(awaited.Client.runs)
    replay = _waits(awaited.Client.replay)

    def __init__(self, loop: _Loop, inner: awaited.Client) -> None:
        super().__init__(loop, inner)
        self.url = inner.url
        self.dailies = Dailies(loop, inner.dailies)
        self.players = Players(loop, inner.players)
        self.ghosts = Ghosts(loop, inner.ghosts)

    @property
    def player(self) -> str:
        """Our public id."""
        return self.inner.player

    @property
    def name(self) -> str:
        """What we are called."""
        return self.inner.name

    @property
    def token(self) -> str:
        """The secret that brings this identity back: keep it."""
        return self.inner.token

    @property
    def limits(self) -> Sequence[e.Limit]:
        """What may be asked how often."""
        return self.inner.limits

    @property
    def races_under_way(self) -> Sequence[str]:
        """The codes of races that were not over, and in which we had a seat, when the server last greeted us."""
        return self.inner.races_under_way

    @property
    def notices(self) -> Sequence[e.Notice]:
        """What the server has said to everybody or to this connection."""
        return self.loop.call(lambda: list(self.inner.notices))

    @property
    def connected(self) -> bool:
        """There is a connection just now; without one, what is asked waits for the next."""
        return self.inner.connected

    @property
    def failure(self) -> BaseException | None:
        """Why the connection is gone for good, once it is."""
        return self.inner.failure

    @property
    def delay_ms(self) -> int:
        """The network's round trip as the last ping measured it; 0 before there was one, or without a connection."""
        return self.inner.delay_ms

    def rematch(self, race: Race) -> Race:
        """Meet everybody of a race that is over again, in a new one."""
        return Race(self.loop, self.loop.do(self.inner.rematch(race.inner)))

    def link(self, race: Race) -> str:
        """The link that leads others to a race."""
        return self.inner.link(race.inner)

    def follow(self) -> RaceList:
        """The newest public races, kept current from now on; `unfollow` ends that. Followed twice, it is one list."""
        return RaceList(self.loop, self.loop.do(self.inner.follow()))
