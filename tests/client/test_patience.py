"""For how long one comes back to a network that is away, in time that is hurried along."""

import asyncio
import inspect

from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from cellrace_client import connect
from cellrace_client.client import RECONNECT_S
from cellrace_client.sync import connect as connect_sync
from cellrace_protocol import events as e
from cellrace_protocol.codecs import MSGPACK
from tests.client.test_client import Said
from tests.support.hurried_time import hurried

LONG_S = 180.0
"""What a router needs to start again, and more."""


async def away_for(seconds: float) -> tuple[int, int, str]:
    """A race with a move under way when the server goes, to come back after so many seconds: the moves on the board
    and under way at the end, and what became of the move."""
    loop = asyncio.get_running_loop()

    async def first(socket: ServerConnection) -> None:
        said = Said(socket)
        await said.greet()
        await said.enter()
        await said.hear()
        socket.transport.abort()

    async def then(socket: ServerConnection) -> None:
        said = Said(socket)
        await said.greet()
        resume = await said.hear()
        await said.say(e.Entered(getattr(resume, "r", 0), 2, "race", 0, 1))
        await said.hear()
        await said.say(e.Refused(2, 1, "empty_source", "no card there", 1))
        await socket.wait_closed()

    names = [Subprotocol(MSGPACK)]
    server = await serve(first, "127.0.0.1", 0, subprotocols=names)
    port = next(iter(server.sockets)).getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}/ws", name="Me") as client:
        race = await client.join("617")
        await race.until(lambda model: model.phase == "running")
        moving = race.begin("2a")
        while client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
        server.close()
        await server.wait_closed()
        began = loop.time()
        await asyncio.sleep(seconds)
        again = await serve(then, "127.0.0.1", port, subprotocols=names)
        failure = (await asyncio.gather(moving, return_exceptions=True))[0]
        assert loop.time() - began < seconds + 60
        again.close()
        return (race.line.moves if race.line else 0), race.under_way, type(failure).__name__


def test_the_network_may_be_away_for_minutes() -> None:
    assert hurried(away_for(LONG_S)) == (0, 0, "ActionRefused"), "the server has said no: it was asked"


def test_who_was_away_for_too_long_has_nothing_under_way() -> None:
    assert hurried(away_for(RECONNECT_S + 60)) == (0, 0, "Disconnected")


def test_whoever_says_nothing_is_as_patient() -> None:
    assert RECONNECT_S >= LONG_S
    assert inspect.signature(connect_sync).parameters["reconnect_s"].default == RECONNECT_S
