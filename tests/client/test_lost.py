"""Commands that go on until something is over say so when they are cut off instead."""

import asyncio
import sys

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from cellrace_client.cli import EXIT_TRY_AGAIN, EXIT_UNAVAILABLE
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, Script, scripted

pytestmark = pytest.mark.asyncio

WITHIN = 60
FOR_GOOD = 1007
"""A close that nobody comes back after."""


async def watched(said: Said) -> None:
    await said.greet()
    await said.enter(seat=-1)
    await said.socket.close(FOR_GOOD)


async def listed(said: Said) -> None:
    await said.greet()
    follow = await said.hear()
    assert isinstance(follow, c.Follow)
    await said.say(e.Races(follow.r, []))
    await said.socket.close(FOR_GOOD)


async def seated(said: Said) -> None:
    await said.greet()
    await said.enter()
    await said.socket.close(FOR_GOOD)


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("watch race", watched),
        ("watch --lines race", watched),
        ("races --follow", listed),
        ("bot race", seated),
    ],
)
async def test_who_is_cut_off_for_good_has_no_result(line: str, script: Script) -> None:
    async with scripted(script) as url:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", *line.split(), "--url", url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(WITHIN):
            _, said = await process.communicate()
        assert process.returncode == EXIT_UNAVAILABLE
        assert said.decode().splitlines()[-1].startswith("cellrace: the ")
        assert "Traceback" not in said.decode()


@pytest.mark.parametrize("line", ["quick", "watch race", "races --json", "top 617", "daily --json"])
async def test_a_server_that_is_full_may_be_tried_again(line: str) -> None:
    def full(connection: ServerConnection, _: Request) -> Response:
        answer = connection.respond(503, "full\n")
        answer.headers["Retry-After"] = "600"
        return answer

    async def never(_: ServerConnection) -> None:
        raise AssertionError

    async with serve(never, "127.0.0.1", 0, process_request=full) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", *line.split(), "--url", f"ws://127.0.0.1:{port}/ws"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(WITHIN):
            out, said = await process.communicate()
    assert process.returncode == EXIT_TRY_AGAIN
    assert out == b""
    assert len(said.decode().splitlines()) == 1
