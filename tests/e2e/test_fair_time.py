"""What the network costs is given back to a winner, and nobody gains more by answering pings late."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess
from tests.support.wire_client import MSGPACK, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
COMPENSATION_MOST = 150


@asynccontextmanager
async def slow_way(server: ServerProcess, delay_s: float) -> AsyncGenerator[str]:
    """The URL of a proxy that passes bytes on at once to the client, and late to the server."""
    ways: list[asyncio.Task[None]] = []
    writers: list[asyncio.StreamWriter] = []

    async def passed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, late_s: float) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while data := await reader.read(4_096):
                loop.call_later(late_s, writer.write, data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", server.port)
        writers.extend((writer, there[1]))
        both = (passed_on(reader, there[1], delay_s), passed_on(there[0], writer, 0))
        ways.extend(asyncio.create_task(way) for way in both)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, family=socket.AF_INET)
    try:
        yield f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}/ws"
    finally:
        listening.close()
        for writer in writers:
            writer.transport.abort()
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)


async def won(client: WireClient) -> tuple[int, int, int]:
    """Win a race at once: time, compensation, error."""
    answer = await client.ask("create", str(DEAL), "classic", 1, False, True, 0)
    ch = answer[2]
    await client.say(["ready", ch])
    await client.hear_until("go")
    await client.play(ch, winning_line())
    *_, time, compensation, error = await client.hear_until("done")
    return time, compensation, error


async def compensated(server: ServerProcess, delay_s: float) -> tuple[int, int, int]:
    """Win races over a slow way until the server has measured it."""
    async with slow_way(server, delay_s) as url, wire_client(url, MSGPACK) as client:
        while not (result := await won(client))[1]:
            pass
        return result


@pytest.mark.spec("7.2")
async def test_delay_is_given_back_up_to_the_published_limit(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        some, too_much = await asyncio.gather(compensated(server, 0.08), compensated(server, 0.4))
        assert 80 <= some[1] <= COMPENSATION_MOST
        assert too_much[1:] == (COMPENSATION_MOST, 0)
        for _, compensation, error in (some, too_much):
            assert compensation + error <= COMPENSATION_MOST
        async with wire_client(server.url, name=None) as client:
            assert (await client.hello())[8] == COMPENSATION_MOST
