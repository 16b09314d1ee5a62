"""The library: connect, race, watch. Connections that break are picked up again without a word."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from cellrace_client.connection import fault_in
from cellrace_client.dailies import Dailies
from cellrace_client.errors import NO_FACTS, CellraceError, Disconnected, RequestFailed
from cellrace_client.ghosts import Ghosts
from cellrace_client.identities import TOKEN_REFUSED, Identities
from cellrace_client.lifeline import Lifeline, Speaker
from cellrace_client.links import CHALLENGE, link, without_address
from cellrace_client.players import Players
from cellrace_client.race import Race
from cellrace_client.race_list import RaceList
from cellrace_client.reception import TAKEN_OVER, Reception
from cellrace_client.records import Records
from cellrace_client.requests import Make, Requests
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.codecs import MSGPACK
from cellrace_protocol.commands import Kind
from cellrace_protocol.errors import ErrorCode
from cellrace_protocol.fields import VERSION

DEFAULT_URL = "ws://127.0.0.1:8617/ws"
TOKEN_BYTES = 24
RECONNECT_S = 300.0
"""Longer than a router takes to start again, or a server to move."""
PATIENCE_S = 1_800.0
"""For as long as a race may last: people wait for their connection, programs may have better to do."""
AGENT = "cellrace-python"

OnNotice = Callable[[e.Notice], None]
OnConnection = Callable[[bool], None]
AnswerType = TypeVar("AnswerType", bound=e.ServerMessage)


@asynccontextmanager
async def connect(
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
) -> AsyncGenerator["Client"]:
    """Connect to a server: `async with connect(url, name="Ada") as client`. At the end of the block it is closed.

    `token` brings an identity back (then `name` and `kind` are not looked at); without it a new one is made.
    `kind` is for good: a program that plays by itself is a `Kind.BOT`, which has boards of its own.
    `on_notice` is called soon with what the server says to everybody or to this connection; `notices` has all of it.
    `on_connection` is called soon with false when the connection breaks, and with true when there is another.
    Errors that these raise are told to the event loop's exception handler.
    A connection that breaks is made again for up to `reconnect_s` seconds, and all races are resumed on it.
    `keep` keeps who one is on this computer: without a `token`, the one kept for this server comes, or somebody new
    where it is not taken any more, and the client's token is kept from then on, also one that is renewed. Bots want
    an `Identities.of("their name")` of their own.
    Raises `CannotConnect` when there is no server, `RequestFailed` when it does not want this name or token, with
    `keep` also `OSError` where there is no place to write.
    """
    kept = keep.token(url) if keep is not None and not token else ""
    client = Client(url, codec, reconnect_s, on_notice, on_connection, keep)
    hello = c.Hello(VERSION, name, token or kept, kind, AGENT)
    try:
        await client.open(hello)
    except RequestFailed as error:
        if not kept or error.code not in TOKEN_REFUSED:
            raise
        client = Client(url, codec, reconnect_s, on_notice, on_connection, keep)
        await client.open(replace(hello, token=""))
    try:
        client.keep_token()
        yield client
    finally:
        await client.close()


class Client(Records):
    """An identity on a server. Requests raise `RequestFailed` when they are turned down, `Disconnected` when the
    connection is gone for good. Cancelling a request does not take it back; but a race that it leads to is parted
    from, if nobody else has it."""

    def __init__(
        self,
        url: str,
        codec: str,
        reconnect_s: float,
        on_notice: OnNotice | None = None,
        on_connection: OnConnection | None = None,
        keep: Identities | None = None,
    ) -> None:
        self.url = url
        self._keep = keep
        self.notices: list[e.Notice] = []
        """What the server has said to everybody or to this connection, the newest last."""
        self._on_notice = on_notice
        self._on_connection = on_connection
        self._welcome: e.Welcome | None = None
        self._next_token = ""
        self._instance = secrets.token_hex(8)
        self._lifeline = Lifeline(url, codec, reconnect_s, self._speaker())
        self._asked = Requests()
        super().__init__(self._answer)
        self.dailies = Dailies(self._answer, self._enter)
        self.players = Players(self._answer, lambda: self.token)
        self.ghosts = Ghosts(self._enter, url, self, self.players)
        self._races = Reception(self, self._asked)
        self._found: dict[int, Race] = {}
        self._list: RaceList | None = None
        self._following = 0
        self._gathered: asyncio.Queue[Race | None] = asyncio.Queue()
        self._timers: set[asyncio.TimerHandle] = set()

    # Who we are

    @property
    def player(self) -> str:
        """Our public id."""
        return self._welcomed.player

    @property
    def name(self) -> str:
        """What we are called: not quite as we wished where somebody else had the name first, from the first race on."""
        return self._welcomed.name

    @property
    def token(self) -> str:
        """The secret that brings this identity back: keep it."""
        return self._welcomed.token

    @property
    def limits(self) -> Sequence[e.Limit]:
        """What may be asked how often; what is not listed has no limit. Moves that come too fast are sent again by
        themselves when it is time; requests fail with `slow_down` and a `retry_after`."""
        return self._welcomed.limits

    @property
    def races_under_way(self) -> Sequence[str]:
        """The codes of races that were not over, and in which we had a seat, when the server last greeted us: public or
        not, whichever program was in them. `watch` goes back to one."""
        return self._welcomed.races

    @property
    def _welcomed(self) -> e.Welcome:
        if self._welcome is None:
            raise Disconnected("not connected yet")
        return self._welcome

    @property
    def connected(self) -> bool:
        """There is a connection just now; without one, what is asked waits for the next."""
        return self._lifeline.connected

    @property
    def failure(self) -> BaseException | None:
        """Why the connection is gone for good, once it is."""
        return self._lifeline.failure

    @property
    def delay_ms(self) -> int:
        """The network's round trip as the last ping measured it; 0 before there was one, or without a connection."""
        return round(1_000 * self._lifeline.delay_s)

    # What we can ask for

    async def create(
        self,
        deal: str = "",
        *,
        rules: str = "classic",
        seats: int = 2,
        open_boards: bool = False,
        public: bool = True,
        countdown_ms: int = 3_000,
        limit_ms: int = 1_800_000,
        play: bool = True,
        ranked: bool = False,
        bots: bool = True,
        delay_ms: int = -1,
        best_of: int = 1,
    ) -> Race:
        """Open a race and sit down in it (unless `play` is false). Without a deal the server draws one.
        Spectators see it `delay_ms` late, by default as late as the server finds right.

        As every race that is entered, it is received until `race.part()`, also when it is over: who races again and
        again parts from each."""
        shape = (deal, rules, seats, open_boards, public, countdown_ms, limit_ms, play, ranked, bots)
        return await self._enter(lambda r: c.Create(r, *shape, delay_ms, best_of), repeatable=False)

    async def join(self, what: str, *, rules: str = "classic") -> Race:
        """Sit down in a race, by its name or link, or by a deal (`617`, `FC1-C4-AAAAAKH`): then in the open race on it.

        A link's address is not looked at: the race must be on the server that we are connected to. Part from it when
        you are done with it."""
        return await self._enter(lambda r: c.Join(r, without_address(what), rules))

    async def quick(
        self,
        *,
        rules: str = "classic",
        ranked: bool = False,
        bots: bool = True,
        house_bot: bool = False,
        ghost: str = "",
    ) -> Race:
        """Sit down, ready, in the next race of strangers; `leave` gives the place up. With `house_bot` a bot of the
        house comes if nobody else does, to people only; a notice says where none will. With `ghost`, a run by its name
        or its link, this race then ends (`model.end` is `ghost`), and `gathered` is the one against it. Part from each
        when you are done with it."""
        run = without_address(ghost, CHALLENGE)
        return await self._enter(lambda r: c.Quick(r, rules, ranked, bots, house_bot, run))

    async def rematch(self, race: Race) -> Race:
        """Meet everybody of a race that is over again, in a new one: of one that was not parted from."""

        def make(r: int) -> c.Rematch | None:
            if race.closed:
                raise RequestFailed("no_channel", "the race is not received any more")
            return None if race.channel is None else c.Rematch(r, race.channel)

        return await self._enter(make)

    async def gathered(self) -> Race:
        """The next race that somebody else's rematch, or the want of anybody to race, has brought us to. Raises
        `Disconnected`."""
        race = await self._gathered.get()
        if race is None:
            self._gathered.put_nowait(None)
            raise self._gone()
        return race

    async def watch(self, race: str) -> Race:
        """Watch a race (or come back to one's own seat in it), by its name or its link."""
        return await self._enter(lambda r: c.Watch(r, without_address(race)))

    def link(self, race: Race) -> str:
        """The link that leads others to a race: its page on the server that we are connected to."""
        return link(self.url, race.id)

    async def races(self, order: c.Order = c.Order.NEWEST) -> Sequence[e.RaceRow]:
        """Open and running public races, 100 at most."""
        return (await self._answer(lambda r: c.GetRaces(r, order), e.Races)).rows

    async def follow(self) -> RaceList:
        """The newest public races, kept current from now on; `unfollow` ends that. Followed twice, it is one list."""
        races = self._list = self._list or RaceList(self._unfollow_this)
        r = self._following = self._asked.number()
        try:
            await self._request(r, c.Follow, e.Races)
        except RequestFailed:
            if self._list is races and not races.begun:
                self._list = None
            raise
        return races

    def unfollow(self) -> None:
        """Keep the list current no more: its iteration ends."""
        if self._list is not None:
            self._list.close()
            self._list = None
            self.send([c.Unfollow()])

    def _unfollow_this(self, races: RaceList) -> None:
        """Unless it is another list by now that is followed."""
        if races is self._list:
            self.unfollow()

    def _follow_again(self) -> None:
        """Follow the list on a new connection, unless that is being asked for."""
        if self._list is not None and self._following not in self._asked:
            self._following = self._asked.number()
            self.send([c.Follow(self._following)])

    def _follow_failed(self, error: e.Error) -> None:
        if error.retry_after:
            again = self._following
            self.later(
                error.retry_after / 1_000, lambda: self._follow_again() if again == self._following else None
            )
        elif self._list is not None:
            self._list.close()
            self._list = None

    async def renew_token(self) -> str:
        """Have another token, which is returned, prove this identity: for when the old one may have been seen. The old
        one is dead, and every other connection of ours is closed. Keep the new one.

        A connection that breaks meanwhile does no harm; cancelled, it may have been done or not: call it again."""
        self._next_token = self._next_token or secrets.token_urlsafe(TOKEN_BYTES)
        answer = await self._answer(lambda r: c.Renew(r, self._next_token), e.Renewed)
        self._welcome = replace(self._welcomed, token=answer.token)
        self._next_token = ""
        self.keep_token()
        return answer.token

    async def _answer(self, make: Make, kind: type[AnswerType]) -> AnswerType:
        return await self._request(self._asked.number(), make, kind)

    async def _enter(self, make: Make, repeatable: bool = True) -> Race:
        r = self._asked.number()
        try:
            await self._request(r, make, e.Entered, repeatable)
            self._races.handed_over(r)
            return self._found[r]
        except asyncio.CancelledError:
            self._races.abandoned(r)
            raise
        finally:
            self._found.pop(r, None)

    async def _request(
        self, r: int, make: Make, kind: type[AnswerType], repeatable: bool = True
    ) -> AnswerType:
        if self.failure is not None:
            raise self._gone()
        message = make(r)
        if message is not None and (fault := fault_in(message, self._lifeline.codec)) is not None:
            raise RequestFailed(fault.code, fault.text)
        coming = self._asked.begin(r, make, kind, repeatable)
        self._send_due()
        try:
            answer = await coming
        finally:
            self._asked.end(r)
            self._races.tidy()
        if not isinstance(answer, kind):
            text = f"the server answers {type(answer).__name__} where {kind.__name__} was asked for"
            raise RequestFailed("bad_answer", text)
        return answer

    def _send_due(self) -> None:
        if self.connected:
            self.send(self._asked.due())

    def _gone(self) -> Disconnected:
        """What is raised from now on, with the reason."""
        why = self.failure
        if isinstance(why, Disconnected):
            return Disconnected(str(why), code=why.code, close_code=why.close_code, facts=why.facts)
        code = why.code if isinstance(why, CellraceError) else "disconnected"
        facts = why.facts if isinstance(why, RequestFailed) else NO_FACTS
        error = Disconnected(f"the connection is gone: {why}", code=code, facts=facts)
        error.__cause__ = why
        return error

    # Implements race.Sender

    def send(self, messages: Iterable[msgspec.Struct], /) -> None:
        self._lifeline.send(messages)

    def later(self, seconds: float, call: Callable[[], None], /) -> None:
        """Call once after so many seconds, unless the connection is gone for good before."""

        def run() -> None:
            self._timers.discard(timer)
            call()

        timer = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(timer)

    def parted(self, race: Race, /) -> None:
        self._races.parted(race)
        self._send_due()  # which finds what was asked about it

    async def open(self, hello: c.Hello) -> None:
        """Connect and say hello; `connect` does it."""
        if (fault := fault_in(hello)) is not None:
            raise RequestFailed(fault.code, fault.text)
        self._welcome = await self._lifeline.open(replace(hello, instance=self._instance))

    def keep_token(self) -> None:
        """Keep who we are where that is wanted; `connect` does it. Raises `OSError`."""
        if self._keep is not None:
            self._keep.keep(self.url, self.token)

    async def close(self) -> None:
        """Hang up. Whoever waits gets `Disconnected`."""
        await self._lifeline.close()

    # What the lifeline tells and asks

    def _speaker(self) -> Speaker:
        return Speaker(
            self._received, self._broken, self._hello, self._other_hello, self._resumed, self._ended
        )

    def _broken(self) -> None:
        self._races.broken()
        self._tell_connection(False)
        self._asked.lost(lambda: RequestFailed("connection_lost", "the connection broke"))

    def _hello(self) -> c.Hello:
        known = self._welcomed
        return c.Hello(VERSION, known.name, known.token, known.kind, AGENT, self._instance)

    def _other_hello(self, hello: c.Hello, refusal: RequestFailed) -> c.Hello | None:
        if refusal.code == ErrorCode.REVOKED and self._next_token not in ("", hello.token):
            return replace(hello, token=self._next_token)  # we asked for that, and the answer was lost
        if refusal.code == ErrorCode.BAD_TOKEN and all(race.seat < 0 for race in self._races):
            return replace(self._hello(), token="")  # the server keeps no guest who has only watched
        return None

    def _resumed(self, welcome: e.Welcome) -> None:
        """Ask for every race again, and repeat what was asked and not answered."""
        self._welcome = welcome
        self._races.resume()
        self._follow_again()
        self._send_due()
        self._tell_connection(True)

    def _tell_connection(self, is_there: bool) -> None:
        if self._on_connection is not None:
            asyncio.get_running_loop().call_soon(self._on_connection, is_there)

    def _received(self, message: e.AnyServerMessage) -> None:
        match message:
            case e.Entered():
                self._entered(message)
            case e.Error():
                self._failed(message)
            case e.Races() | e.Top() | e.Runs() | e.Replay() | e.Renewed() | e.Dailies():
                self._answered(message.r, message)
            case e.Profile() | e.Ratings() | e.Exported() | e.Erased():
                self._answered(message.r, message)
            case e.Listing():
                if self._list is not None:
                    self._list.hear(message)
            case e.Notice():
                self._noticed(message)
            case e.Welcome():
                pass
            case _:
                self._happened(message)

    def _happened(self, message: e.AnyRaceMessage | e.Snapshot | e.Refused | e.Watching | e.Ghost) -> None:
        race = self._races.on(message.ch)
        if race is None:
            return
        if isinstance(message, e.Watching | e.Ghost):
            race.told(message)
        else:
            race.hear(message)

    def _entered(self, message: e.Entered) -> None:
        if message.name:
            self._welcome = replace(self._welcomed, name=message.name)
        race = self._races.entered(message)
        if race is None:
            return
        if message.r in self._asked:
            self._found[message.r] = race
        elif message.r == 0:
            self._gathered.put_nowait(race)
        self._answered(message.r, message)
        self._send_due()  # what had to wait for this channel

    def _answered(self, r: int, message: e.ServerMessage) -> None:
        if isinstance(message, e.Races) and r == self._following and self._list is not None:
            self._list.begin(message.rows)  # at once: changes may be behind it already
        self._asked.answered(r, message)

    def _failed(self, message: e.Error) -> None:
        if self._races.failed(message):
            self._send_due()
        elif message.r in self._asked:
            error = RequestFailed(message.code, message.text, message.retry_after, message.facts)
            self._asked.failed(message.r, error)
        elif message.r and message.r == self._following:
            self._follow_failed(message)

    def _noticed(self, message: e.Notice) -> None:
        self.notices.append(message)
        if self._on_notice is not None:
            # An error of the caller's goes to the event loop's handler, and not to whoever reads messages.
            asyncio.get_running_loop().call_soon(self._on_notice, message)
        if message.code == TAKEN_OVER:
            self._races.taken_over(message.ch)

    def _ended(self) -> None:
        """Tell everybody who waits."""
        for timer in self._timers:
            timer.cancel()
        for race in self._races:
            race.close(self._gone())
        self._gathered.put_nowait(None)
        if self._list is not None:
            self._list.close()
        self._asked.fail_all(self._gone)
