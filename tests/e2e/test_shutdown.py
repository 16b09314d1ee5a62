"""The server is told to stop, or killed: what it says, what it stores, what it leaves behind."""

import asyncio
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from cellrace_client import Race, connect
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.core.facts import Moved, Undone
from tests.support import witness
from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process, valkeys_in
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
STOP_MOST_S = 5


class DeafClient:
    """A WebSocket by hand, with a receive buffer that is full at once and never read again."""

    def __init__(self, server: ServerProcess) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        self.socket.settimeout(WITHIN)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Sec-WebSocket-Protocol: cellrace.1.msgpack\r\n\r\n"
        )
        while b"\r\n\r\n" not in self.socket.recv(1):
            if self.socket.recv(1024).endswith(b"\r\n\r\n"):
                break

    def say(self, *message: object) -> None:
        payload = witness.pack(list(message))
        self.socket.sendall(bytes((0x82, 0x80 | len(payload), 0, 0, 0, 0)) + payload)


async def running(race: Race) -> Race:
    race.ready()
    await race.until(lambda model: model.phase == "running")
    return race


async def readiness(server: ServerProcess) -> list[int]:
    """What `/readyz` answers until nobody listens any more; each answer once."""
    seen: list[int] = []
    while True:
        try:
            status = (await server.get("/readyz")).status
        except OSError:
            return seen
        if status and status not in seen:
            seen.append(status)


async def moves_in(data_dir: Path, race: str) -> int:
    async with EmbeddedValkey(data_dir) as valkey, RedisStore(valkey.url, shared=False) as store:
        return sum(isinstance(fact, Moved | Undone) for fact in await store.log.read(race))


async def heard_until_closed(raw: WireClient) -> tuple[list[object], int]:
    """The notices before the end, and the close code."""
    notice = await raw.hear_until("notice")
    return notice[1:2], await raw.closed()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_tells_stores_and_ends_in_time(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM (and Ctrl-C): `/readyz` turns 503, clients are told, everything is stored, exit 0 within 5 s even with a
    client that never reads; no process is left."""
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server:
        deaf = await asyncio.to_thread(DeafClient, server)
        async with connect(server.url, name="Ada", reconnect_s=0) as ada, wire_client(server.url) as raw:
            race = await running(await ada.create(str(DEAL), seats=1, countdown_ms=0))
            await raw.ask("watch", race.id)
            deaf.say("hello", 1)
            deaf.say("watch", 1, race.id)
            acknowledged = 0
            for _ in range(20):
                for _ in range(20):
                    deaf.say("look", 0)
                await race.move("2a")
                await race.undo()
                acknowledged += 2
            assert await server.gauge("cellrace_connections") == 3
            watching = asyncio.create_task(readiness(server))
            told = asyncio.create_task(heard_until_closed(raw))
            loop = asyncio.get_running_loop()
            before = loop.time()
            assert await server.stop(number) == 0
            assert loop.time() - before < STOP_MOST_S
            assert (await watching)[-1] == 503
            assert await told == (["draining"], 1001)
            assert [notice.code for notice in ada.notices] == ["draining"]
        assert valkeys_in(tmp_path) == []
        deaf.socket.close()
        assert "Traceback" not in server.log
    assert await moves_in(tmp_path, race.id) == acknowledged


async def test_moves_under_way_at_the_signal_are_stored_if_acknowledged(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server, wire_client(server.url) as raw:
        _, _, ch, race, *_ = await raw.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await raw.say(["ready", ch])
        await raw.hear_until("go")
        server.process.send_signal(signal.SIGTERM)
        acknowledged = 0
        n = 0
        while True:
            n += 1
            with suppress(ConnectionClosed):  # what was said before that is still to be heard
                await raw.say(["m", ch, n, "2a"] if n % 2 else ["u", ch, n])
            message = await raw.hear()
            if message[0] == "notice":
                break
            assert message[0] == "a"
            acknowledged = message[4]
        assert await raw.closed() == 1001
        assert await server.stop() == 0
    assert await moves_in(tmp_path, race) >= acknowledged


async def test_a_server_killed_leaves_no_store_behind(tmp_path: Path) -> None:
    """SIGKILL of the server leaves no orphan Valkey."""
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server:
        assert len(server.valkeys) == 1
        assert await server.stop(signal.SIGKILL) == -signal.SIGKILL
        await eventually(lambda: not valkeys_in(tmp_path))


async def test_an_idle_server_ends_at_once(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        assert (await server.get("/healthz")).status == 200
        assert await server.name() == "cellrace"
        assert await server.stop(within=STOP_MOST_S) == 0
    assert valkeys_in(tmp_path) == []


async def test_a_second_server_on_the_same_data_says_so(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        with pytest.raises(AssertionError, match=f"process {server.pid}"):
            await ServerProcess.start(tmp_path)
        assert (await server.get("/readyz")).status == 200


async def test_a_store_that_goes_while_nobody_plays_is_noticed(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server:
        assert (await server.get("/readyz")).status == 200
        (valkey,) = server.valkeys
        os.kill(valkey, signal.SIGSTOP)
        try:
            while (await server.get("/readyz")).status != 503:
                pass
        finally:
            os.kill(valkey, signal.SIGCONT)
        while (await server.get("/readyz")).status != 200:
            pass


async def test_the_store_away_is_not_ready_and_comes_back(tmp_path: Path) -> None:
    """Moves are answered `unavailable` with a retry time, `/readyz` says 503, and afterwards all is well."""
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server, wire_client(server.url) as raw:
        _, _, ch, *_ = await raw.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await raw.say(["ready", ch])
        await raw.hear_until("go")
        (valkey,) = server.valkeys
        os.kill(valkey, signal.SIGSTOP)
        try:
            await raw.say(["m", ch, 1, "2a"])
            while (await server.get("/readyz")).status != 503:
                pass
            await raw.say(["m", ch, 2, "2b"])
            refused = await raw.hear()
            assert (refused[:4], refused[6]) == (["no", ch, 2, "unavailable"], 500)
            assert (await raw.ask("top", str(DEAL)))[:2] == ["error", "unavailable"]
        finally:
            os.kill(valkey, signal.SIGCONT)
        assert (await raw.hear_until("a"))[4] == 1
        assert (await raw.hear_until("outage"))[4] > 0
        while (await server.get("/readyz")).status != 200:
            pass
        await raw.say(["m", ch, 2, "2b"])
        assert (await raw.hear_until("a"))[4] == 2
