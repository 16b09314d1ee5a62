"""Hosts without a seat who do not come back, on real servers: whoever sits there can race all the same."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.e2e.conftest import Nodes, two_nodes
from tests.support.lines import DEAL
from tests.support.server_process import server_process
from tests.support.wire_client import JSON, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
HOST, HOST_AWAY = 8, 34
ONLY_HOST = False
SOON = ("--keep-seats-s", "2")


@pytest_asyncio.fixture
async def hurried(tmp_path: Path) -> AsyncIterator[Nodes]:
    """Two nodes on which nobody is waited for long."""
    async with two_nodes(tmp_path, *SOON) as both:
        yield both


async def opened(host: WireClient, seats: int = 3, public: bool = False) -> tuple[int, str]:
    """Channel and name of a race that somebody only hosts."""
    answer = await host.ask("create", str(DEAL), "classic", seats, False, public, 0, 600_000, ONLY_HOST)
    assert answer[0] == "in", answer
    assert answer[4] == -1
    return answer[2], answer[3]


async def sits(client: WireClient, what: str) -> int:
    """The channel of a race in which somebody sits down."""
    answer = await client.ask("join", what)
    assert answer[0] == "in", answer
    assert answer[4] >= 0
    return int(answer[2])


async def snapshot(client: WireClient, channel: int) -> Message:
    await client.say(["look", channel])
    return await client.hear_until("snap")


async def handed_on(client: WireClient) -> str:
    """Who hosts, once that is not who has opened the race."""
    first = ""
    while True:
        _, _, _, _, host, *away = await client.hear_until("hosts")
        first = first or host
        if host != first:
            assert away != [True]
            return str(host)


@pytest.mark.spec("4.2", "6.5")
async def test_the_host_of_a_killed_node_is_followed_by_who_sat_down_first(hurried: Nodes) -> None:
    here, there = hurried
    async with (
        asyncio.timeout(WITHIN),
        wire_client(there.url) as ada,
        wire_client(here.url, JSON, "Grace") as grace,
        wire_client(here.url) as alan,
    ):
        _, race = await opened(ada, seats=4)
        channels = {grace: await sits(grace, race), alan: await sits(alan, race)}
        assert (await snapshot(grace, channels[grace]))[HOST] == ada.player
        await there.stop(signal.SIGKILL)
        for client, channel in channels.items():
            assert await handed_on(client) == grace.player
            seen = await snapshot(client, channel)
            assert (seen[HOST], seen[HOST_AWAY]) == (grace.player, False)
        async with wire_client(here.url, name=None) as back:
            await back.hello(token=ada.token)
            ch = (await back.ask("resume", race, 1))[2]
            await back.say(["start", ch])
            assert (await back.hear_until("no"))[3] == "not_host"
            await grace.say(["start", channels[grace]])
            for client in (grace, alan, back):
                await client.hear_until("go")


@pytest.mark.spec("6.5")
async def test_a_host_is_there_while_either_node_has_them(nodes: Nodes) -> None:
    """Two tabs, of which the newer is closed; then a network that changes, and the other node."""
    here, there = nodes
    async with asyncio.timeout(WITHIN), wire_client(here.url) as grace:
        async with wire_client(here.url) as ada:
            _, race = await opened(ada)
            await sits(grace, race)
            async with wire_client(there.url, name=None) as tab:
                await tab.hello(token=ada.token)
                await tab.ask("watch", race)
                assert (await grace.hear_until("hosts"))[4:] == [ada.player, False]
            told = [(await grace.hear_until("hosts"))[4:] for _ in range(2)]
            assert told == [[ada.player, True], [ada.player, False]]
        assert (await grace.hear_until("hosts"))[4:] == [ada.player, True]
        async with wire_client(there.url, name=None) as back:
            await back.hello(token=ada.token)
            ch = (await back.ask("watch", race))[2]
            assert (await grace.hear_until("hosts"))[4:] == [ada.player, False]
            await back.say(["leave", ch])
            assert (await grace.hear_until("hosts"))[4:] == [grace.player, False]


@pytest.mark.spec("4.2")
async def test_who_is_led_by_a_deal_to_a_race_whose_host_is_away_can_play(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path / "data", *SOON) as server,
        wire_client(server.url) as grace,
        wire_client(server.url) as alan,
    ):
        async with wire_client(server.url) as ada:
            _, race = await opened(ada, public=True)
        while race in [row[0] for row in (await grace.ask("races"))[2]]:
            pass
        channels = {client: await sits(client, str(DEAL)) for client in (grace, alan)}
        assert [(await snapshot(client, ch))[3] for client, ch in channels.items()] == [race, race]
        while (await snapshot(grace, channels[grace]))[HOST] != grace.player:
            pass
        await grace.say(["start", channels[grace]])
        for client, channel in channels.items():
            await client.hear_until("go")
            await client.say(["m", channel, 1, "2a"])
            await client.hear_until("a")


@pytest.mark.spec("4.2", "6.5")
async def test_a_restart_finds_out_that_the_host_does_not_come_back(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with asyncio.timeout(WITHIN):
        async with (
            server_process(folder, *SOON) as server,
            wire_client(server.url) as ada,
            wire_client(server.url) as grace,
        ):
            _, race = await opened(ada)
            await sits(grace, race)
            await server.stop(signal.SIGKILL)
        async with server_process(folder, *SOON) as server, wire_client(server.url, name=None) as back:
            await back.hello(token=grace.token)
            answer = await back.ask("resume", race, 0)
            assert answer[0] == "in"
            assert await followed(back, answer[2], ada.player) == grace.player


async def followed(client: WireClient, channel: int, gone: str) -> str:
    """Who hosts after somebody who is gone, which a server that has just started may not know yet."""
    while (seen := await snapshot(client, channel))[HOST] == gone or seen[HOST_AWAY]:
        pass
    return str(seen[HOST])
