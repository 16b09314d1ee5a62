"""Peers that stop in the middle of something are cut in time; those who do not are left alone."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from cellrace_protocol.codecs import MSGPACK
from cellrace_server.gateway.door import HouseRules
from cellrace_server.gateway.patience import Patience
from cellrace_server.gateway.server import TCP_USER_TIMEOUT_MS, Listening
from cellrace_server.gateway.wire import ODD_FRAMES_MOST
from tests.server.gateway.house import House, house
from tests.support import witness
from tests.support.waiting import eventually
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
IMPATIENCE = Patience(handshake_s=0.2, hello_s=0.2, ping_s=0.1, pong_s=0.2)
REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Protocol: cellrace.1.msgpack\r\n\r\n"
)
FIN, TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 0x80, 1, 2, 0, 8, 9, 10


def frame(first: int, payload: bytes = b"") -> bytes:
    """A client's frame, masked with zeroes."""
    assert len(payload) < 126
    return bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload


HELLO = frame(FIN | BINARY, witness.pack(["hello", 1, "Slow"]))


class RawPeer:
    """A peer that sends bytes and, unless told not to, answers pings."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.pongs = True
        self.pinged = 0

    async def handshake(self, hello: bool = True) -> None:
        self.writer.write(REQUEST + (HELLO if hello else b""))
        await self.reader.readuntil(b"\r\n\r\n")

    async def closed(self) -> int:
        """The close code with which it ends, 1006 where it is just cut. Pings are answered meanwhile."""
        try:
            while True:
                first, length = await self.reader.readexactly(2)
                if length == 126:
                    length = int.from_bytes(await self.reader.readexactly(2), "big")
                payload = await self.reader.readexactly(length)
                if first & 15 == CLOSE:
                    return int.from_bytes(payload[:2], "big")
                if first & 15 == PING:
                    self.pinged += 1
                    if self.pongs:
                        self.writer.write(frame(FIN | PONG, payload))
        except (asyncio.IncompleteReadError, ConnectionResetError):
            return 1006


@pytest.fixture(params=["fast", "library"])
def short(request: pytest.FixtureRequest) -> Listening:
    """Little patience, whoever reads."""
    return Listening(patience=IMPATIENCE, receive=request.param)


@asynccontextmanager
async def raw_peer(port: int) -> AsyncGenerator[RawPeer]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield RawPeer(reader, writer)
    finally:
        writer.transport.abort()


async def pinged_again(peer: RawPeer) -> None:
    seen = peer.pinged
    await eventually(lambda: peer.pinged > seen)


def open_sockets(server: House) -> int:
    return len(server.gateway.wires)


@pytest.mark.spec("1.11")
@pytest.mark.parametrize(
    "begun",
    [b"", b"G", b"GET /ws HTTP/1.1\r\nHost: x\r\n", b"GET /metrics HTTP/1.1\r\nHost: x\r\nX: ", REQUEST[:-1]],
)
async def test_half_a_request_is_cut(begun: bytes, short: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        peer.writer.write(begun)
        assert await peer.reader.read() == b""
        await eventually(lambda: open_sockets(server) == 0)


@pytest.mark.spec("1.11")
async def test_a_request_that_grows_byte_by_byte_is_cut_all_the_same(short: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        peer.writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")

        async def drip() -> None:
            while True:
                peer.writer.write(b"x")
                await asyncio.sleep(0.01)

        dripping = asyncio.create_task(drip())
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await peer.reader.readexactly(1)
        dripping.cancel()
        await eventually(lambda: open_sockets(server) == 0)


@pytest.mark.spec("1.7")
async def test_nothing_after_the_handshake_is_closed(short: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        await peer.handshake(hello=False)
        assert await peer.closed() == 4401
        await eventually(lambda: open_sockets(server) == 0)


@pytest.mark.spec("1.11")
@pytest.mark.parametrize(
    "begun",
    [
        b"\x82",
        b"\x82\xfe\x07",
        b"\x82\xfe\x07\xd0\0\0\0\0" + b"x" * 500,
        frame(BINARY, b"part"),
        frame(BINARY, b"part") + frame(CONTINUED, b"another"),
    ],
    ids=["one byte", "half a header", "half a frame", "a first part", "two parts"],
)
async def test_half_a_message_is_closed(begun: bytes, short: Listening) -> None:
    """Also where pings are answered between the parts."""
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        await peer.handshake()
        peer.pongs = begun[:1] == b"\x02"
        peer.writer.write(begun)
        assert await peer.closed() == 4408
        await eventually(lambda: open_sockets(server) == 0)


@pytest.mark.spec("1.11")
async def test_parts_without_end_are_cut_however_small(short: Listening) -> None:
    patient = Listening(receive=short.receive)  # it is their number that is too much, not their time
    async with asyncio.timeout(WITHIN), house(patient) as server, raw_peer(server.port) as peer:
        await peer.handshake()
        peer.writer.write(frame(BINARY) + frame(CONTINUED) * 2 * ODD_FRAMES_MOST)
        assert await peer.closed() == 1006


@pytest.mark.spec("1.8")
async def test_who_answers_no_pings_is_closed(short: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        await peer.handshake()
        peer.pongs = False
        assert await peer.closed() == 1011
        assert peer.pinged
        await eventually(lambda: open_sockets(server) == 0)


@pytest.mark.spec("1.11")
@pytest.mark.parametrize("waiting", [10, 100])
async def test_who_reads_nothing_is_cut_however_little_waits(waiting: int, short: Listening) -> None:
    """Less than is cut at once, and more than the library would still send pings behind."""
    async with asyncio.timeout(WITHIN), house(short) as server:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, ("127.0.0.1", server.port))
        await loop.sock_sendall(deaf, REQUEST + HELLO)
        await eventually(lambda: server.desk.counters.connections == 1)
        (wire,) = server.gateway.wires
        wire.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        wire.written += waiting << 10
        wire.transport.write(b"\x82\x7e\x03\xfc" * (waiting << 8))
        await eventually(lambda: open_sockets(server) == 0)
        deaf.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone has this option")
async def test_who_acknowledges_nothing_is_given_up_by_the_system(short: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(short) as server, wire_client(server.url):
        (wire,) = server.gateway.wires
        raw = wire.transport.get_extra_info("socket")
        assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == TCP_USER_TIMEOUT_MS


async def test_who_takes_time_between_whole_messages_is_left_alone(short: Listening) -> None:
    """Parts, pings and idling over many looks at it."""
    async with asyncio.timeout(WITHIN), house(short) as server, raw_peer(server.port) as peer:
        await peer.handshake()
        ending = asyncio.create_task(peer.closed())
        races = witness.pack(["races", 1])
        for _ in range(10):
            peer.writer.write(
                frame(BINARY, races[:3]) + frame(FIN | PING) + frame(FIN | CONTINUED, races[3:])
            )
            await pinged_again(peer)
        assert not ending.done()
        ending.cancel()
        assert server.desk.counters.connections == 1


async def test_an_address_has_so_many_handshakes_under_way_and_no_more() -> None:
    rules = HouseRules(per_address_most=3)
    patience = Patience(handshake_s=WITHIN)
    async with asyncio.timeout(WITHIN), house(Listening(rules=rules, patience=patience)) as server:
        idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        await eventually(lambda: open_sockets(server) == 3)
        async with raw_peer(server.port) as fourth:
            assert await fourth.closed() == 1006
        idle[0][1].transport.abort()
        await eventually(lambda: open_sockets(server) == 2)
        async with wire_client(server.url, MSGPACK):
            await eventually(lambda: open_sockets(server) == 3)
            async with raw_peer(server.port) as fourth:
                await fourth.handshake()
                assert open_sockets(server) == 4
        for _, writer in idle:
            writer.transport.abort()
