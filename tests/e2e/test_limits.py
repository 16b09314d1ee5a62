"""How much may be asked how often: told in the welcome, refused with a time that is right, on a real server."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process
from tests.support.waiting import eventually
from tests.support.wire_client import JSON, MSGPACK, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
STRICT = ("--limits-exempt",)
"""Clients of this machine are under limits too."""


async def handshake(server: ServerProcess, **headers: str) -> tuple[int, str]:
    """The status of one, and the seconds to wait that come with it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        async with connect_socket(
            server.url, subprotocols=[Subprotocol(MSGPACK)], additional_headers=named
        ) as socket:
            await socket.close()
            return 101, ""
    except InvalidStatus as refused:
        return refused.response.status_code, refused.response.headers.get("Retry-After", "")


async def running(client: WireClient) -> int:
    """The channel of a race alone that runs."""
    channel = int((await client.ask("create", str(DEAL), "classic", 1, False, False, 0))[2])
    await client.say(["ready", channel])
    await client.hear_until("go")
    return channel


async def wait_as_told(ms: int) -> None:
    loop = asyncio.get_running_loop()
    due = loop.time() + ms / 1_000
    await eventually(lambda: loop.time() >= due)


@pytest.mark.spec("1.10")
async def test_the_welcome_says_what_may_be_asked(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(
            tmp_path, *STRICT, "--connection-joins", "7/70", "--address-messages", "off"
        ) as server,
        wire_client(server.url, JSON, name=None) as client,
    ):
        limits = (await client.hello("Ada"))[9]
        assert ["joins", "connection", 7, 70] in limits
        assert ["messages", "connection", 1_000, 30_000] in limits
        assert ["connections", "address", 500, 1_200] in limits
        assert "messages" not in [name for name, scope, *_ in limits if scope == "address"]


@pytest.mark.parametrize("arguments", [(), (*STRICT, "--limits", "off")])
async def test_who_is_exempt_has_no_limits(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--connection-queries", "1/1", *arguments) as server,
        wire_client(server.url, name=None) as client,
    ):
        assert (await client.hello("Ada"))[9] == []
        for _ in range(20):
            assert (await client.ask("races"))[0] == "races"


@pytest.mark.spec("1.10", "8.1")
async def test_a_request_too_many_is_refused_and_works_when_it_is_time(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(
            tmp_path, *STRICT, "--connection-queries", "2/600", "--connection-creations", "1/600"
        ) as server,
        wire_client(server.url) as client,
    ):
        for request in (["races"], ["create", str(DEAL)], ["join", str(DEAL), "relaxed"], ["quick"]):
            refused: Message = []
            while refused[:2] != ["error", "slow_down"]:
                refused = await client.ask(*request)
            assert 0 < refused[4] <= 100
            await wait_as_told(refused[4])
            assert (await client.ask(*request))[0] in ("races", "in")


@pytest.mark.spec("1.10", "5.4")
async def test_moves_too_fast_are_refused_by_their_number(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *STRICT, "--connection-messages", "20/1") as server,
        wire_client(server.url) as client,
    ):
        channel = await running(client)
        await client.say(*(["m", channel, n, "2a" if n == 1 else "a2"] for n in range(1, 41)))
        refused = await client.hear_until("no")
        while refused[3] != "slow_down":
            refused = await client.hear_until("no")
        assert refused[:2] == ["no", channel]
        assert refused[2] > 1
        assert "20 at once" in refused[4]
        assert 0 < refused[6] <= 60_000


async def test_two_hundred_moves_at_once_are_not_too_fast(tmp_path: Path) -> None:
    """What may wait for the store is another matter (`busy`)."""
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *STRICT) as server,
        wire_client(server.url) as client,
    ):
        channel = await running(client)
        moves = [["m", channel, n, "2a"] if n % 2 else ["u", channel, n] for n in range(1, 201)]
        await client.say(*moves)
        answers = [await client.hear() for _ in moves]
        assert {answer[0] for answer in answers} <= {"a", "no"}
        assert {answer[3] for answer in answers if answer[0] == "no"} <= {"busy", "out_of_order"}


@pytest.mark.spec("1.10")
async def test_who_never_waits_is_closed(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *STRICT, "--connection-messages", "5/1") as server,
        wire_client(server.url) as offender,
        wire_client(server.url) as other,
    ):
        await offender.say(*(["races", r] for r in range(1, 520)))
        assert await offender.closed() == 4429
        assert (await other.ask("races"))[0] == "races"
        assert "cellrace_limited_total" in (await server.get("/metrics")).body


@pytest.mark.spec("1.3")
async def test_an_address_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *STRICT, "--connections-per-address", "2") as server,
        wire_client(server.url),
    ):
        async with wire_client(server.url):
            status, retry = await handshake(server)
            assert status == 429
            assert int(retry) > 0
            assert (await server.get("/healthz")).status == 200
        while await server.gauge("cellrace_connections") != 1:
            pass
        assert await handshake(server) == (101, "")


@pytest.mark.spec("1.3")
async def test_an_address_comes_so_often_and_no_oftener(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *STRICT, "--address-connections", "3/60") as server,
    ):
        assert [(await handshake(server))[0] for _ in range(3)] == [101, 101, 101]
        assert await handshake(server) == (429, "1")
        page = await server.get("/version")
        assert page.status == 429
        assert "Retry-After: 1" in page.headers
        assert (await server.get("/readyz")).status == 200


async def test_behind_a_trusted_proxy_each_client_counts_for_itself(tmp_path: Path) -> None:
    flags = (*STRICT, "--address-connections", "1/1", "--trusted-proxies", "127.0.0.0/8")
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *flags) as server:
        for client, status in (
            ("203.0.113.1", 101),
            ("203.0.113.1", 429),
            ("203.0.113.2", 101),
            ("203.0.113.1, 203.0.113.3", 101),
            ("9.9.9.9, 203.0.113.3, 127.0.0.7", 429),
            ("2001:db8::1", 101),
            ("2001:db8::ffff", 429),
        ):
            assert (await handshake(server, X_Forwarded_For=client))[0] == status, client
        assert "no trusted proxy" not in server.log


async def test_who_is_no_trusted_proxy_is_not_believed_and_the_host_is_told(tmp_path: Path) -> None:
    flags = (*STRICT, "--address-connections", "1/1")
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *flags) as server:
        assert (await handshake(server, X_Forwarded_For="203.0.113.1"))[0] == 101
        assert (await handshake(server, X_Forwarded_For="203.0.113.2"))[0] == 429
        await eventually(lambda: server.log.count("127.0.0.1 sends X-Forwarded-For") == 1)


@pytest.mark.spec("1.3")
async def test_a_full_house_says_when_to_come_again(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--connections-most", "1") as server,
        wire_client(server.url),
    ):
        assert await handshake(server) == (503, "10")


@pytest.mark.spec("1.10")
async def test_what_is_answered_with_more_than_it_costs_to_ask_has_credits_of_its_own(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(
            tmp_path, *STRICT, "--connection-queries", "3/60", "--connection-joins", "2/60"
        ) as server,
        wire_client(server.url, JSON, "Ada") as ada,
    ):
        channel = await running(ada)
        for _ in range(2):
            await ada.say(["look", channel])
            assert (await ada.hear())[0] == "snap"
        await ada.say(["look", channel])
        refused = await ada.hear()
        assert refused[:4] == ["no", channel, 0, "slow_down"]
        await wait_as_told(int(refused[-1]))
        await ada.say(["look", channel])
        assert (await ada.hear())[0] == "snap"
        assert [(await ada.ask("follow"))[0] for _ in range(4)] == ["races", "races", "races", "error"]
