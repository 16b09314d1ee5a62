"""Servers that are wrong or mean: one line and an exit status, no storm, and nothing that a terminal would obey."""

import asyncio
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from cellrace_client import CannotConnect, Disconnected, RequestFailed, connect
from cellrace_client.cli.online import status_of
from cellrace_client.harmless import harmless
from cellrace_client.standings import results
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from tests.client.test_client import Said, scripted
from tests.client.test_standings import FIRST, ended

pytestmark = pytest.mark.asyncio


async def test_a_token_that_no_hello_mends_is_not_tried_for_ever() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        said.socket.transport.abort()

    async def refusing(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("bad_token", "nobody knows it"))
        await said.socket.wait_closed()

    async with scripted(first, refusing, refusing) as url, connect(url) as client:
        with pytest.raises(Disconnected, match="bad_token"):
            await client.gathered()


async def test_an_answer_of_another_kind_is_no_crash() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Renewed(asked.r, "x" * 32))
        asked = await said.hear()
        assert isinstance(asked, c.GetExport)
        await said.say(e.Exported(asked.r, 0, 1, "no document"))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        with pytest.raises(RequestFailed, match="Renewed where Races was asked for") as refused:
            await client.races()
        assert status_of(refused.value) == 65
        with pytest.raises(RequestFailed, match="what is no JSON"):
            await client.players.export()


async def test_a_server_that_says_twice_when_to_come_again_is_heard() -> None:
    def busy(_: ServerConnection, __: Request) -> Response:
        headers = Headers([("Retry-After", "1"), ("Retry-After", "2"), ("Content-Length", "0")])
        return Response(HTTPStatus.SERVICE_UNAVAILABLE, "busy", headers, b"")

    async with serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0, process_request=busy) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(CannotConnect, match="503") as refused:
            async with connect(f"ws://127.0.0.1:{port}/ws"):
                pass
        assert refused.value.retry_after_s == 1


async def test_standings_of_seats_that_there_are_not_are_passed_over() -> None:
    rows = results(ended(FIRST, e.Place(2, 9, 52, 80, 67_320, 0, 4)))
    assert [row.name for row in rows if row.place] == ["Ada"]


async def test_nothing_is_left_that_a_terminal_would_obey() -> None:
    mean = "\x1b]0;mine\x07\x1b[31m\x9b2J\r\nAda\t"
    meant = "\ufffd]0;mine\ufffd\ufffd[31m\ufffd2J Ada\t"
    row = e.BoardRow(1, "p", mean, 1_000, 60, 0, "run-0")
    top = harmless(e.Top(1, "", "classic", Kind.HUMAN, [row]))
    assert top.rows[0].name == meant
    assert harmless(e.Notice("announcement", mean, facts={mean: mean})) == e.Notice(
        "announcement", meant, facts={meant: meant}
    )
    usual = e.Notice("announcement", "it’s a deal: 7♦")
    assert harmless(usual) is usual

    async def server(said: Said) -> None:
        await said.greet()
        await said.say(e.Notice("announcement", mean))
        await said.socket.wait_closed()

    heard: asyncio.Future[e.Notice] = asyncio.get_running_loop().create_future()
    async with scripted(server) as url, connect(url, on_notice=heard.set_result):
        assert (await heard).text == meant
