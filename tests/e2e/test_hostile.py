"""Rubbish, oversized frames, wrong handshakes: a clear error or close code, and nobody else is disturbed."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from cellrace_client import Race, connect
from tests.protocol.test_codecs import HOSTILE, HOSTILE_TEXTS
from tests.support import witness
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import JSON, MSGPACK, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
MIB = 1 << 20
GROWTH_MOST = 4 * MIB


@asynccontextmanager
async def racing(server: ServerProcess) -> AsyncGenerator[Race]:
    """Somebody else's race goes on meanwhile: it must win its every move, on one connection."""
    async with connect(server.url, name="Undisturbed", reconnect_s=0) as client:
        race = await client.create(str(DEAL), seats=1, countdown_ms=0)
        race.ready()
        await race.until(lambda model: model.phase == "running")
        over = asyncio.Event()

        async def play() -> None:
            while not over.is_set():
                await race.move("2a")
                await race.undo()
            for move in winning_line():
                await race.move(move)

        playing = asyncio.create_task(play())
        yield race
        over.set()
        await playing
        assert (await race.until(lambda model: model.phase == "ended")).standings[0].home == 52


async def test_each_fault_is_told_and_the_connection_lives(server: ServerProcess) -> None:
    """Rubbish bytes, text frames on the binary subprotocol, unknown names, hello twice: a clear error each."""
    async with asyncio.timeout(WITHIN), racing(server), wire_client(server.url) as raw:
        for payload, code in (
            (b"\xc1\x00\xff", "bad_frame"),
            (b"", "bad_frame"),
            ('["hello",1]', "bad_frame"),
            (HOSTILE["array of four thousand million"], None),
            (HOSTILE["a thousand arrays"], None),
            (HOSTILE["an unknown name"], "unknown_message"),
            (HOSTILE["a text for a number"], "bad_field"),
        ):
            await raw.socket.send(payload)
            answer = await raw.hear()
            assert answer[0] == "error"
            assert code in (None, answer[1])
            assert answer[2]
        await raw.say(["hello", 1])
        assert (await raw.hear())[:2] == ["error", "hello_twice"]
        assert await raw.ask("races")


async def test_text_is_read_as_carefully_as_bytes(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, JSON) as raw:
        for case in ("no JSON", "a thousand arrays", "an object", "not a number"):
            await raw.socket.send(HOSTILE_TEXTS[case])
            assert (await raw.hear())[0] == "error"
        await raw.socket.send(b'["races",1]')
        assert (await raw.hear())[:2] == ["error", "bad_frame"]
        assert (await raw.ask("races"))[0] == "races"


async def test_many_faults_end_the_connection_as_hostile(server: ServerProcess) -> None:
    """After 32 unreadable messages the server closes with 4400."""
    async with asyncio.timeout(WITHIN), racing(server), wire_client(server.url) as raw:
        for _ in range(40):
            await raw.socket.send(b"\xc1")
        assert await raw.closed() == 4400


@pytest.mark.spec("1.4")
async def test_a_frame_of_a_mebibyte_closes_the_connection(server: ServerProcess) -> None:
    """A 1 MiB frame: close code 1009, on either subprotocol."""
    async with asyncio.timeout(WITHIN), racing(server):
        for subprotocol, payload in ((MSGPACK, b"x" * MIB), (JSON, "x" * MIB)):
            async with wire_client(server.url, subprotocol) as raw:
                with contextlib.suppress(ConnectionClosed):
                    await raw.socket.send(payload)
                assert await raw.closed() == 1009


@pytest.mark.parametrize("offered", [[], ["cellrace.2.msgpack"], ["chat", "soap"]])
async def test_without_a_known_subprotocol_there_is_no_connection(
    server: ServerProcess, offered: list[str]
) -> None:
    """No subprotocol, a wrong one: HTTP 400 with the list."""
    async with asyncio.timeout(WITHIN):
        with pytest.raises(InvalidStatus) as refused:
            await connect_socket(server.url, subprotocols=[Subprotocol(name) for name in offered] or None)
        assert refused.value.response.status_code == 400
        assert b"cellrace.1.msgpack" in refused.value.response.body


async def test_the_first_known_subprotocol_is_taken(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        for offered, taken in ((["soap", JSON, MSGPACK], JSON), ([MSGPACK, JSON], MSGPACK)):
            names = [Subprotocol(name) for name in offered]
            async with connect_socket(server.url, subprotocols=names) as socket:
                assert socket.subprotocol == taken


@pytest.mark.spec("1.7", "2.1")
async def test_a_missing_hello(server: ServerProcess) -> None:
    """What comes before hello is refused; no hello within 5 seconds: close code 4401."""
    async with asyncio.timeout(WITHIN), wire_client(server.url, name=None) as raw:
        for message in (["races", 1], ["m", 0, 1, "2a"], ["create", 1]):
            await raw.say(message)
            assert (await raw.hear())[:2] == ["error", "hello_first"]
        for hello, code in (
            (["hello", 2], "bad_version"),
            (["hello", 1, "", "no such token"], "bad_token"),
            (["hello", 1, "a\nb"], "bad_name"),
            (["hello", 1, "x" * 65], "bad_field"),
        ):
            await raw.say(hello)
            assert (await raw.hear())[:2] == ["error", code]
        assert await raw.closed() == 4401


async def test_what_follows_a_hello_waits_for_its_answer(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as known:
        await known.ask("join", str(DEAL))
        async with wire_client(server.url, name=None) as raw:
            await raw.say(["hello", 1, "", known.token], ["races", 7])
            assert [(await raw.hear())[0], (await raw.hear())[:2]] == ["welcome", ["races", 7]]


async def rubbish_connection(server: ServerProcess, number: int) -> None:
    """One hostile connection, of one of five kinds."""
    if number % 5 == 0:  # no WebSocket at all
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"\x16\x03\x01" + bytes(range(256)) * 4)
        await reader.read()
        writer.close()
        return
    async with wire_client(server.url, name=None if number % 5 == 1 else "Eve") as raw:
        if number % 5 == 2:
            await raw.ask("create", "", "classic", 2)
        for payload in (b"\xc1" * 100, b"\xdd\xff\xff\xff\xff", b"\x91" * 2_000):
            await raw.socket.send(payload)
            assert (await raw.hear_until("error"))[1] in ("bad_frame", "bad_field", "unknown_message")
        if number % 5 == 3:
            raw.socket.transport.abort()
        elif number % 5 == 4:
            await raw.say(["hello", 1]) if number % 2 else await raw.socket.send(b"z" * 10_000)


async def test_memory_is_flat_after_500_hostile_connections(tmp_path: Path) -> None:
    """The server's memory and the other connections are unaffected."""
    async with asyncio.timeout(2 * WITHIN), server_process(tmp_path / "data", development=False) as server:
        await hostile_connections(server, 500)
        before = server.rss
        async with racing(server):
            await hostile_connections(server, 500)
        assert server.rss - before < GROWTH_MOST
        assert "Traceback" not in server.log


async def hostile_connections(server: ServerProcess, count: int) -> None:
    gate = asyncio.Semaphore(20)

    async def one(number: int) -> None:
        async with gate:
            await rubbish_connection(server, number)

    await asyncio.gather(*(one(number) for number in range(count)))


async def test_nothing_is_left_of_connections_that_are_cut(server: ServerProcess) -> None:
    """Also of those cut while the answer to their join was on its way."""
    async with asyncio.timeout(WITHIN):
        clients: list[WireClient] = []
        for _ in range(30):
            async with wire_client(server.url) as raw:
                clients.append(raw)
                await raw.say(["create", 1, "", "classic", 1])
                raw.socket.transport.abort()
        assert len(clients) == 30
        while await server.gauge("cellrace_connections") or await server.gauge("cellrace_channels"):
            pass


@pytest.mark.spec("1.8")
async def test_a_receiver_that_does_not_read_is_cut_and_others_are_not(server: ServerProcess) -> None:
    """What one does never waits for another (invariant 6)."""
    async with asyncio.timeout(WITHIN), racing(server) as race, wire_client(server.url) as raw:
        watching = (await raw.ask("watch", race.id))[2]
        raw.socket.transport.pause_reading()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await raw.socket.send(witness.pack(["look", watching]))
        while await server.gauge("cellrace_connections") != 1:
            pass
    assert "a peer that does not read was cut" in server.log
