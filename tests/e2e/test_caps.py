"""What one player, and one race, may have at most: each refusal names the number."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
HOSTED = (str(DEAL), "classic", 2, False, False, 0, 600_000, False)


@pytest.mark.spec("3.7")
async def test_open_races_and_seats_of_one_player(tmp_path: Path) -> None:
    flags = ("--open-races-most", "1", "--seats-most", "2")
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *flags) as server,
        wire_client(server.url, name="Ada") as ada,
        wire_client(server.url, name="Grace") as grace,
        wire_client(server.url, name="Alan") as alan,
    ):
        assert (await ada.ask("create", *HOSTED))[0] == "in"
        refused = await ada.ask("create", *HOSTED)
        assert refused[:2] == ["error", "too_many_races"]
        assert refused[2].startswith("1 open race")
        for seats in (2, 1):
            _, _, channel, race, *_ = await grace.ask("create", str(DEAL), "classic", 3, False, False, 0)
            assert (await ada.ask("join", race))[0] == "in"
            assert (await grace.ask("create", *HOSTED))[:2] == ["error", "too_many_races"]
            if seats == 2:
                await grace.say(["start", channel])
                await grace.hear_until("go")
        _, _, _, race, *_ = await alan.ask("create", str(DEAL))
        refused = await ada.ask("join", race)
        assert refused[:2] == ["error", "too_many_seats"]
        assert refused[2].startswith("2 seats")
        assert (await ada.ask("watch", race))[0] == "in"


@pytest.mark.spec("3.7")
async def test_spectators_of_a_race(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--spectators-most", "1") as server,
        wire_client(server.url) as host,
        wire_client(server.url) as first,
        wire_client(server.url) as second,
    ):
        _, _, _, race, *_ = await host.ask("create", str(DEAL))
        channel = (await first.ask("watch", race))[2]
        assert (await first.ask("watch", race))[0] == "in", "who watches already may ask again"
        refused = await second.ask("watch", race)
        assert refused[:2] == ["error", "full"]
        assert refused[2].startswith("1 spectator")
        assert (await second.ask("join", race))[0] == "in", "players are no spectators"
        await first.say(["part", channel])
        async with wire_client(server.url) as third:
            while (await third.ask("watch", race))[0] != "in":
                pass


@pytest.mark.spec("3.7")
async def test_channels_of_a_connection(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as watcher, AsyncExitStack() as stack:
        await server.dailies_chosen()
        hosts = [await stack.enter_async_context(wire_client(server.url, name=f"Host {n}")) for n in range(9)]
        for number in range(64):
            _, _, _, race, *_ = await hosts[number // 8].ask("create", *HOSTED)
            assert (await watcher.ask("watch", race))[0] == "in"
        _, _, _, race, *_ = await hosts[8].ask("create", *HOSTED)
        refused = await watcher.ask("watch", race)
        assert refused[:2] == ["error", "busy"]
        assert refused[2].startswith("64 races")
        queue = await hosts[8].ask("quick")
        for name, *fields in (
            *(("create", *HOSTED), ("join", race), ("join", "619"), ("quick",), ("play_daily", "classic")),
            ("race_ghosts", ["x-0"]),
        ):
            assert (await watcher.ask(name, *fields))[:2] == ["error", "busy"], name
        (row,) = [row for row in (await hosts[8].ask("races"))[2] if row[0] == queue[3]]
        assert len([name for name in row[4] if name]) == 1, "nobody was brought in who cannot enter"
        await watcher.say(["daily", 1])
        rows = (await watcher.hear_until("dailies"))[4]
        assert [row[3] for row in rows] == ["open", "open"], "the attempt is not spent"


@pytest.mark.spec("4.2")
async def test_a_race_that_nobody_starts_is_closed(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--lobby-idle-s", "1") as server,
        wire_client(server.url) as host,
    ):
        for name, fields in (("create", HOSTED), ("join", (str(DEAL),)), ("quick", ())):
            channel = (await host.ask(name, *fields))[2]
            end = await host.hear_until("end")
            assert (end[1], end[4]) == (channel, "lobby_idle")
