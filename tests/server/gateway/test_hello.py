"""What comes around a hello, on real sockets: held back, refused, too late."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from cellrace_protocol.codecs import JSON
from cellrace_server.core import names
from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import House, house
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
TOKEN, KNOWN = "x" * 40, "k" * 40


@asynccontextmanager
async def raw(server: House) -> AsyncGenerator[WireClient]:
    """A connection on which nothing was said yet."""
    async with connect(server.url, subprotocols=[Subprotocol(JSON)]) as socket:
        yield WireClient(socket)


@pytest.mark.spec("1.7")
@pytest.mark.spec("3.3")
async def test_a_request_before_hello_is_refused_by_its_own_number() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server) as client:
        await client.say(["races", 7])
        refused = await client.hear()
        assert (refused[:2], refused[3]) == (["error", "hello_first"], 7)


@pytest.mark.spec("2.5")
async def test_what_was_held_back_is_handled_after_a_refused_hello_as_at_any_time() -> None:
    """A second hello among it is said again."""
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server) as client:
        server.node.memory.hold()
        server.node.memory.fail()
        await client.say(["hello", 1, "Ada", TOKEN])
        await client.say(["races", 5])
        await client.say(["hello", 1, "Ada"])
        await client.say(["races", 8])
        await eventually(lambda: server.desk.counters.connections == 1)
        server.node.memory.go_on()
        heard = [await client.hear() for _ in range(4)]
        assert [message[:2] for message in heard[:2]] == [["error", "unavailable"], ["error", "hello_first"]]
        assert heard[1][3] == 5
        assert (heard[2][0], heard[3][:2]) == ("welcome", ["races", 8])


async def test_who_is_gone_before_the_welcome_follows_nothing() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server:
        server.node.memory.hold()
        async with raw(server) as client:
            await client.say(["hello", 1, "Ada", TOKEN])
            await client.say(["follow", 1])
            await eventually(lambda: server.node.memory.calls > 0)
        await eventually(lambda: len(server.gateway.connections) == 0)
        server.node.memory.go_on()
        await server.node.clock.settle()
        assert len(server.desk.followers) == 0


@pytest.mark.spec("2.3")
async def test_a_player_who_is_known_is_let_in_whatever_name_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server:
        async with wire_client(server.url, name="Ada") as ada:
            await ada.say(["renew", 1, KNOWN])
            await ada.hear_until("renewed")
        monkeypatch.setattr(server.node.people, "_blocked", frozenset({names.fold("Ada")}))
        async with raw(server) as client:
            await client.say(["hello", 1, "Ada", TOKEN])
            assert (await client.hear())[:2] == ["error", "bad_name"], "nobody's token"
            await client.say(["hello", 1, "Ada", KNOWN])
            heard = await client.hear()
            assert heard[0] == "welcome", heard


@pytest.mark.spec("2.5")
@pytest.mark.spec("3.3")
async def test_what_is_held_back_behind_a_refused_hello_is_no_fault_and_more_is_refused_by_its_number() -> (
    None
):
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server) as client:
        server.node.memory.hold()
        server.node.memory.fail()
        await client.say(["hello", 1, "Ada", TOKEN])
        for number in range(1, 35):
            await client.say(["races", number])
        assert [(await client.hear())[3] for _ in range(2)] == [33, 34]
        server.node.memory.go_on()
        heard = [await client.hear() for _ in range(33)]
        assert [message[1] for message in heard] == ["unavailable", *["hello_first"] * 32]
        await client.say(["hello", 1, "Ada"])
        assert (await client.hear())[0] == "welcome"
