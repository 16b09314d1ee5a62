"""The library against a server that says exactly what a test has written down."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from cellrace_client import ActionRefused, CannotConnect, Disconnected, RequestFailed, connect
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON, MSGPACK, SERVER_CODECS
from cellrace_protocol.commands import Kind

pytestmark = pytest.mark.asyncio

WITHIN = 60
TOKEN = "secret"
BOARD = "///////|----|0000"


class Said:
    """One connection as the server sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.codec = SERVER_CODECS[str(socket.subprotocol)]

    async def say(self, *messages: msgspec.Struct) -> None:
        for message in messages:
            payload = self.codec.encode(message)
            await self.socket.send(payload if self.codec.binary else payload.decode())

    async def hear(self) -> c.ClientMessage:
        payload = await self.socket.recv()
        return self.codec.decode(payload)

    async def greet(self, token: str = TOKEN, races: Sequence[str] = ()) -> c.Hello:
        """Answer a hello."""
        hello = await self.hear()
        assert isinstance(hello, c.Hello)
        name = hello.name or "Me"
        await self.say(e.Welcome(1, "me", name, Kind.HUMAN, token, "scripted", 2_048, races=list(races)))
        return hello

    async def enter(self, seat: int = 0, n: int = 1, k: int = 5) -> c.ClientMessage:
        """Answer a request with a race that runs."""
        request = await self.hear()
        r: int = getattr(request, "r", 0)
        await self.say(e.Entered(r, 2, "race", seat, n), snapshot(k, seat, n))
        return request


def snapshot(k: int, seat: int = 0, n: int = 1) -> e.Snapshot:
    view = e.SeatView("me", "Me", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, BOARD)
    return e.Snapshot(
        2,
        k,
        "race",
        "running",
        0,
        0,
        -1,
        "me",
        "classic",
        False,
        True,
        0,
        1,
        "",
        "deal",
        BOARD,
        seat,
        n,
        [view],
    )


Script = Callable[[Said], Awaitable[None]]


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncGenerator[str]:
    """A server whose connections follow the scripts in order; each ends with its script. A script that fails is a test
    that fails."""
    left = list(scripts)
    failures: list[BaseException] = []

    async def handler(socket: ServerConnection) -> None:
        try:
            await left.pop(0)(Said(socket))
        except AssertionError as error:
            failures.append(error)

    names = [Subprotocol(MSGPACK), Subprotocol(JSON)]
    async with asyncio.timeout(WITHIN), serve(handler, "127.0.0.1", 0, subprotocols=names) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws"
    assert failures == []
    assert left == [], "every connection was made"


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_moves_are_answered_and_refused(codec: str) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        assert isinstance(await said.enter(), c.Join)
        assert [await said.hear() for _ in range(2)] == [c.Move(2, 1, "2a"), c.Move(2, 2, "11")]
        await said.say(
            e.Applied(2, 6, 5, 1, []), e.Refused(2, 2, "same_pile", "the same pile", 2), e.GaveUp(2, 7, 1, 0)
        )
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url, name="Ada", codec=codec) as client:
        race = await client.join("617")
        good, bad = asyncio.create_task(race.move("2a")), asyncio.create_task(race.move("11"))
        await good
        with pytest.raises(ActionRefused, match="same_pile") as refused:
            await bad
        assert refused.value.expected == 2
        assert (await race.until(lambda model: model.k == 7)).seats[0].gave_up


async def test_a_player_comes_back_with_the_token_and_sends_again_what_was_not_answered() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Applied(2, 6, 5, 1, []))
        assert [await said.hear() for _ in range(2)] == [c.Move(2, 2, "2b"), c.Move(2, 3, "2c")]
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        assert (await said.greet()).token == TOKEN
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        assert (resume.race, resume.after) == ("race", 6)
        await said.say(e.Entered(resume.r, 9, "race", 0, 3), e.Applied(9, 7, 5, 2, []))
        assert await said.hear() == c.Move(9, 3, "2c")
        await said.say(e.Applied(9, 8, 5, 3, []))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        race = await client.join("617")
        await race.move("2a")
        await asyncio.gather(race.move("2b"), race.move("2c"))
        assert race.model is not None
        assert race.model.k == 8


async def test_a_spectator_whom_nobody_remembers_says_hello_anew() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter(seat=-1, n=0)
        said.socket.transport.abort()

    async def forgetful(said: Said) -> None:
        hello = await said.hear()
        assert isinstance(hello, c.Hello)
        assert hello.token == TOKEN
        await said.say(e.Error("bad_token", "not known here"))
        await said.socket.wait_closed()

    async def second(said: Said) -> None:
        hello = await said.greet("another secret")
        assert (hello.token, hello.name) == ("", "Alan")
        assert isinstance(await said.enter(seat=-1, n=0, k=8), c.Resume)
        await said.socket.wait_closed()

    async with scripted(first, forgetful, second) as url, connect(url, name="Alan") as client:
        race = await client.watch("race")
        await race.until(lambda model: model.k == 8)
        assert client.token == "another secret"


async def test_a_player_whom_nobody_remembers_is_told() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        said.socket.transport.abort()

    async def forgetful(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("bad_token", "not known here"))
        await said.socket.wait_closed()

    async with scripted(first, forgetful) as url, connect(url) as client:
        race = await client.join("617")
        with pytest.raises(Disconnected):
            await race.until(lambda _: False)
        assert isinstance(client.failure, RequestFailed)
        with pytest.raises(Disconnected):
            await race.move("2a")
        with pytest.raises(Disconnected):
            await client.races()


async def test_a_request_is_asked_again_on_a_new_connection_unless_that_could_do_it_twice() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        assert {type(await said.hear()) for _ in range(2)} == {c.Create, c.GetRaces}
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        again = await said.hear()
        assert isinstance(again, c.GetRaces)
        await said.say(e.Races(again.r, []))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        creating, asking = asyncio.create_task(client.create()), asyncio.create_task(client.races())
        with pytest.raises(RequestFailed, match="connection_lost"):
            await creating
        assert await asking == []


async def test_a_message_out_of_step_asks_for_a_snapshot() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter(seat=-1, n=0)
        await said.say(e.GaveUp(2, 9, 1, 0))
        assert await said.hear() == c.Look(2)
        await said.say(snapshot(9, -1, 0), e.GaveUp(2, 10, 1, 0))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.watch("race")
        assert (await race.until(lambda model: model.k == 10)).seats[0].gave_up


async def test_what_came_too_fast_is_said_again_when_it_is_time() -> None:
    """Moves, what has no number, and the request for a snapshot; other requests fail with the time to wait."""

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Refused(2, 1, "slow_down", "too fast", 0, 20))
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Applied(2, 6, 5, 1, []), e.Outage(2, 9, 0, 1))
        assert await said.hear() == c.Look(2)
        await said.say(e.Refused(2, 0, "slow_down", "too fast", 0, 20))
        assert await said.hear() == c.Look(2)
        await said.say(snapshot(9, n=2))
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Error("slow_down", "too fast", asked.r, 40))
        await said.socket.wait_closed()

    async with asyncio.timeout(WITHIN), scripted(server) as url, connect(url) as client:
        race = await client.join("race")
        await race.move("2a")
        await race.until(lambda model: model.k == 9)
        with pytest.raises(RequestFailed) as failed:
            await client.races()
        assert (failed.value.code, failed.value.retry_after) == ("slow_down", 40)


async def test_a_renewed_token_survives_a_lost_answer() -> None:
    """The old one is dead by then: the client says hello with the one it has asked for."""
    asked: list[str] = []
    instances: list[str] = []

    async def first(said: Said) -> None:
        instances.append((await said.greet()).instance)
        renew = await said.hear()
        assert isinstance(renew, c.Renew)
        asked.append(renew.token)
        await said.socket.close()

    async def second(said: Said) -> None:
        assert await said.hear() == c.Hello(1, "Ada", TOKEN, Kind.HUMAN, "cellrace-python", *instances)
        await said.say(e.Error("revoked", "dead"))
        await said.socket.wait_closed()

    async def third(said: Said) -> None:
        hello = await said.greet(asked[0])
        assert hello.token == asked[0]
        again = await said.hear()
        assert isinstance(again, c.Renew)
        await said.say(e.Renewed(again.r, again.token))
        await said.socket.wait_closed()

    async with (
        asyncio.timeout(WITHIN),
        scripted(first, second, third) as url,
        connect(url, name="Ada") as client,
    ):
        assert await client.renew_token() == client.token == asked[0]
        assert len(asked[0]) >= 32


async def test_a_revoked_player_is_told() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.say(e.Notice("revoked", "gone"))
        await said.socket.close(4403)

    async def second(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("revoked", "dead"))
        await said.socket.wait_closed()

    async with asyncio.timeout(WITHIN), scripted(first, second) as url, connect(url, name="Ada") as client:
        with pytest.raises(Disconnected) as told:
            await client.races()
        failure = told.value.__cause__ or client.failure
        assert isinstance(failure, RequestFailed)
        assert failure.code == "revoked"
        assert [notice.code for notice in client.notices] == ["revoked"]


async def test_what_cannot_be_read_is_passed_over() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        request = await said.hear()
        assert isinstance(request, c.GetRaces)
        await said.socket.send(b"\xc1")
        await said.socket.send(b"\x92\xa6castle\x01")
        await said.say(e.Races(request.r, []))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        assert await client.races() == []


async def test_a_name_that_is_refused_and_a_server_that_is_not_there() -> None:
    async def server(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("bad_name", "no such names here"))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        with pytest.raises(RequestFailed, match="bad_name"):
            async with connect(url, name="Nobody"):
                pass
    with pytest.raises(CannotConnect):
        async with connect(url):
            pass
    with pytest.raises(CannotConnect):
        async with connect("http://127.0.0.1/"):
            pass


async def test_what_no_server_could_read_is_refused_before_it_is_sent() -> None:
    """The server's answer would not say what it answers, and the caller would wait for ever."""

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Applied(2, 6, 5, 1, []))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        with pytest.raises(RequestFailed, match="bad_field"):
            await client.create(seats=99)
        race = await client.join("617")
        for text in ("", "2", "123456789"):
            with pytest.raises(ActionRefused, match="unreadable"):
                await race.move(text)
        await race.move("2a")


async def test_wishes_and_new_requests_survive_a_lost_connection() -> None:
    """`ready` said while away is said again, and a race is created once there is somebody to create it."""

    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        asked = [await said.hear() for _ in range(2)]
        resume, create = sorted(asked, key=lambda message: isinstance(message, c.Create))
        assert isinstance(resume, c.Resume)
        assert isinstance(create, c.Create)
        await said.say(e.Entered(resume.r, 2, "race", 0, 1), snapshot(5))
        assert await said.hear() == c.Ready(2)
        await said.say(e.Entered(create.r, 3, "other", 0, 1))
        await said.socket.wait_closed()

    async with asyncio.timeout(WITHIN), scripted(first, second) as url, connect(url, name="Me") as client:
        race = await client.watch("race")
        while client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        race.ready()
        assert (await client.create()).id == "other"


async def test_a_condition_that_fails_is_its_callers_affair() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.hear()
        await said.say(e.Progress(2, 6, 0, 0, 1, 1))
        await said.socket.wait_closed()

    def broken(model: object) -> bool:
        if getattr(model, "k", 0) == 6:
            raise ZeroDivisionError
        return False

    async with asyncio.timeout(WITHIN), scripted(server) as url, connect(url) as client:
        race = await client.watch("race")
        waiting = asyncio.create_task(race.until(broken))
        fine = asyncio.create_task(race.until(lambda model: model.k == 6))
        race.ready()
        with pytest.raises(ZeroDivisionError):
            await waiting
        assert (await fine).k == 6


async def test_whoever_waits_for_a_race_that_is_over_is_told_when_the_client_closes() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(e.End(2, 6, 0, "all_done", [], "deal", ""))
        await said.socket.wait_closed()

    async with asyncio.timeout(WITHIN), scripted(server) as url:
        async with connect(url) as client:
            race = await client.watch("race")
            await race.until(lambda model: model.phase == "ended")
            waiting = asyncio.create_task(race.until(lambda _: False))
            await asyncio.sleep(0)
        with pytest.raises(Disconnected):
            await waiting


@pytest.mark.parametrize(
    "nonsense",
    [
        e.Done(2, 6, 0, 9, 1, 0, 0),
        e.Joined(2, 6, 0, -1, "x", "X", Kind.HUMAN),
        e.Progress(2, 6, 0, 7, 1, 1),
        e.Applied(2, 6, 0, 1, [16]),
        e.Go(2, 6, 0, "deal", "no board"),
    ],
    ids=lambda message: type(message).__name__,
)
async def test_a_server_that_talks_nonsense_is_asked_for_a_snapshot(nonsense: msgspec.Struct) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(nonsense)
        assert await said.hear() == c.Look(2)
        await said.say(snapshot(9))
        await said.socket.wait_closed()

    async with asyncio.timeout(WITHIN), scripted(server) as url, connect(url) as client:
        race = await client.watch("race")
        assert (await race.until(lambda model: model.k == 9)).k == 9


async def test_an_error_of_whoever_is_told_of_notices_does_not_end_the_client() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.say(e.Notice("announcement", "good evening"))
        await said.enter()
        await said.socket.wait_closed()

    def on_notice(notice: e.Notice) -> None:
        raise ValueError(notice.text)

    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))
    async with scripted(server) as url, connect(url, on_notice=on_notice) as client:
        await client.join("617")
        assert [notice.text for notice in client.notices] == ["good evening"]
    assert [str(error) for error in errors] == ["good evening"]
