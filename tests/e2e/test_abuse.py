"""What a hostile tester found once: floods, dead sockets, odd requests, two connections of one player."""

import asyncio
import contextlib
import socket

import pytest
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess
from tests.support.wire_client import JSON, MSGPACK, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
GROWTH_MOST = 16 << 20


@pytest.mark.spec("1.8")
async def test_pings_that_are_never_read_for_are_cut(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        deaf = await connect_socket(
            server.url, subprotocols=[Subprotocol(MSGPACK)], compression=None, ping_interval=None
        )
        deaf.transport.pause_reading()
        before = server.rss
        ping = bytes((0x89, 0xFD, 0, 0, 0, 0)) + b"x" * 125
        with contextlib.suppress(ConnectionClosed, OSError):
            while not deaf.transport.is_closing() and await server.gauge("cellrace_connections"):
                deaf.transport.write(ping * 2_000)
                await asyncio.sleep(0)
        assert server.rss - before < GROWTH_MOST
        deaf.transport.abort()


async def test_sockets_that_never_say_anything_do_not_hold_the_end_up(server: ServerProcess) -> None:
    """SIGTERM ends the server within five seconds, also with half a request under way."""
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(5)]
    idle[0].sendall(b"GET /ws HTTP/1.1\r\nHost: x\r\n")
    try:
        assert await server.get("/healthz")
        assert await server.stop(within=4.5) == 0
    finally:
        for connection in idle:
            connection.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET //[ HTTP/1.1\r\nHost: x", 400),
        ("GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\nOrigin: http://b", 400),
        ("GET /ws HTTP/1.1\r\nHost: x\r\nHost: y", 400),
        ("GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: http://[", 403),
        ("GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: file://x", 403),
        ("GET /ws HTTP/1.1\r\nOrigin: null", 403),
    ],
)
async def test_odd_requests_get_a_plain_answer(server: ServerProcess, head: str, status: int) -> None:
    upgrade = (
        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
        "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: cellrace.1.json\r\n\r\n"
    )
    async with asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write((head + upgrade).encode())
        answer = await reader.readline()
        writer.close()
    assert answer.split()[1] == str(status).encode()
    assert "Traceback" not in server.log


async def test_a_player_acts_on_the_connection_that_has_the_seat(server: ServerProcess) -> None:
    """Another connection of the same player, which only watches, is told so; it takes nothing from the first."""
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, MSGPACK, "Ada") as host,
        wire_client(server.url, MSGPACK, name=None) as watching,
        wire_client(server.url, JSON, name=None) as sitting,
    ):
        _, _, ch, race, *_ = await host.ask("create", str(DEAL), "classic", 2, False, True, 0)
        await watching.hello("Grace")
        await watching.ask("watch", race)
        await sitting.hello("Grace", token=watching.token)
        await sitting.ask("join", race)
        await watching.hear_until("joined")
        await watching.say(["ready", ch])
        assert (await watching.hear())[:4] == ["no", ch, 0, "not_seated"]
        await sitting.say(["ready", ch])
        assert (await sitting.hear_until("readied"))[4:] == [1, True]


@pytest.mark.spec("2.3")
async def test_an_identity_is_for_good_once_it_is_stored(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, MSGPACK, "Ada") as first:
        async with wire_client(server.url, MSGPACK, name=None) as second:
            await second.hello("Bob", token=first.token)
            await first.ask("create", str(DEAL))
            await second.ask("create", str(DEAL))
        async with wire_client(server.url, MSGPACK, name=None) as third:
            assert (await third.hello("Carl", token=first.token))[3] == "Ada"


@pytest.mark.spec("2.5")
async def test_what_is_sent_behind_a_hello_is_no_fault(server: ServerProcess) -> None:
    """Far more than is held back: what comes before the answer is held back or put off, and the connection lives."""
    async with asyncio.timeout(WITHIN), wire_client(server.url, MSGPACK, name=None) as eager:
        await eager.say(["hello", 1, "Ada", "x" * 40], *(["races", r] for r in range(1, 71)))
        told = [(await eager.hear())[:2] for _ in range(71)]
        assert [message[0] for message in told].count("welcome") == 1
        served = [message[0] for message in told].count("races")
        assert served >= 32
        assert served + told.count(["error", "busy"]) == 70
        assert (await eager.ask("races"))[0] == "races"
