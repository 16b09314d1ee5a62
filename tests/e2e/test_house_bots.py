"""Bots of the house on a real server: whoever is alone is raced; the process lives and dies with the server."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from cellrace_client import connect
from cellrace_server.core import names
from tests.support.processes import alive
from tests.support.server_process import ServerProcess, server_process
from tests.support.waiting import eventually
from tests.support.wire_client import JSON, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 90
FAST = ("--house-bots", "2", "--house-bots-speed", "20000")
PRIVATE = ("", "classic", 2, False, False, 0)
PUBLIC = ("", "classic", 2, False, True, 0)


def house_of(server: ServerProcess) -> list[int]:
    """The process ids of this server's bots (not of others that run beside)."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            words = (entry / "cmdline").read_bytes().decode().split("\0")
            if "cellrace_client.bots.house" in words and server.url in words:
                found.append(int(entry.name))
    return [pid for pid in found if alive(pid)]


async def a_bot_beside(ada: WireClient, ch: int) -> str:
    """Wait for a bot on the other seat; its player id."""
    while True:
        await ada.say(["look", ch])
        seat = (await ada.hear_until("snap"))[19][1]
        if seat[0]:
            assert seat[2] == "bot"
            assert names.fault(seat[1]) is None
            return str(seat[0])
        await ada.hear_until("joined")


async def raced(ada: WireClient, ch: int) -> list[object]:
    """Let the bot win, give up, and return the standings: seats with their cards home."""
    await ada.say(["ready", ch])
    await ada.hear_until("go")
    assert (await ada.hear_until("done"))[4] == 1
    await ada.say(["giveup", ch, 1])
    end = await ada.hear_until("end")
    assert end[4] == "all_done"
    return [(place[1], place[2]) for place in end[5]]


@pytest.mark.spec("3.8")
async def test_whoever_is_alone_is_raced_to_the_end_and_may_ask_for_more(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *FAST) as server:
        async with wire_client(server.url, JSON, "Ada") as ada:
            _, _, ch, *_ = await ada.ask("create", *PUBLIC)
            bot = await a_bot_beside(ada, ch)
            assert await raced(ada, ch) == [(1, 52), (0, 0)]
            _, _, again, *_ = await ada.ask("rematch", ch)
            assert await a_bot_beside(ada, again) == bot
            assert await raced(ada, again) == [(1, 52), (0, 0)]
        assert "Traceback" not in server.log


@pytest.mark.spec("3.8")
async def test_who_looks_for_a_quick_match_gets_a_bot_when_asked_for(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *FAST) as server,
        wire_client(server.url, JSON, "Ada") as ada,
        wire_client(server.url, JSON, "Grace") as grace,
    ):
        _, _, ch, race, *_ = await ada.ask("quick", "pocket")
        await grace.ask("follow")
        (row,) = [row for row in (await grace.ask("races"))[2] if row[0] == race]
        assert row[11] == -1, "no bot comes unasked"
        again = await ada.ask("quick", "pocket", False, True, True)
        assert again[3] == race
        (row,) = [row for row in (await grace.ask("races"))[2] if row[0] == race]
        assert 0 <= row[11] <= 5_000
        await a_bot_beside(ada, ch)
        await ada.hear_until("go")
        await ada.say(["giveup", ch, 1])
        await ada.hear_until("end")


async def test_only_who_is_alone_and_wants_one_gets_a_bot(tmp_path: Path) -> None:
    """Not a private race, one for people only, a ranked one, nor one with two people in it; and one bot is enough."""
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *FAST) as server,
        wire_client(server.url, JSON, "Ada") as ada,
        wire_client(server.url, JSON, "Grace") as grace,
    ):
        lonely = await ada.ask("create", "", "classic", 4, False, True, 0)
        await grace.ask("create", *PRIVATE)
        await grace.ask("create", *PUBLIC, 600_000, True, False, False)
        await grace.ask("create", *PUBLIC, 600_000, True, True)
        shared = await grace.ask("create", *PUBLIC)
        await ada.ask("join", shared[3])
        joined = await ada.hear_until("joined")
        while joined[1] != lonely[2]:
            joined = await ada.hear_until("joined")
        rows = (await ada.ask("races"))[2]
        assert {row[0]: row[10] for row in rows if row[10]} == {lonely[3]: 1}
        assert all(row[11] == -1 for row in rows)


async def test_without_house_bots_one_is_told(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path) as server,
        wire_client(server.url, JSON, "Ada") as ada,
    ):
        await ada.ask("quick", "classic", False, True, True)
        notice = await ada.hear_until("notice")
        assert notice[1] == "no_house_bot"
        assert "no house bots" in notice[2]


async def test_bots_come_back_when_they_are_killed_and_end_with_the_server(tmp_path: Path) -> None:
    """As the same bots; also when the server itself is killed."""
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *FAST) as server:
        async with wire_client(server.url, JSON, "Ada") as ada:
            seen: list[str] = []
            for _ in range(2):
                await eventually(lambda: len(house_of(server)) == 1, 20)
                (bots,) = house_of(server)
                _, _, ch, *_ = await ada.ask("create", *PUBLIC)
                seen.append(await a_bot_beside(ada, ch))
                await ada.say(["leave", ch])
                os.kill(bots, signal.SIGKILL)
                await eventually(lambda bots=bots: house_of(server) not in ([], [bots]), 20)  # type: ignore[misc]
        tokens = (tmp_path / "house-bots.json").read_text()
        (bots,) = house_of(server)
        assert os.getsid(bots) != os.getsid(server.pid)
        await server.stop(signal.SIGKILL)
        await eventually(lambda: not alive(bots))
        assert (tmp_path / "house-bots.json").read_text() == tokens


@pytest.mark.parametrize("token", ["no such token", "x" * 200])
async def test_a_bot_whose_token_is_good_for_nothing_comes_as_somebody_new(
    tmp_path: Path, token: str
) -> None:
    (tmp_path / "house-bots.json").write_text(f'{{"0": ["{token}", "nosuchrace"]}}')
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--house-bots", "1", "--house-bots-speed", "20000") as server,
        wire_client(server.url, JSON, "Ada") as ada,
    ):
        _, _, ch, *_ = await ada.ask("create", *PUBLIC)
        assert await a_bot_beside(ada, ch)


@pytest.mark.spec("3.8")
async def test_a_bot_that_is_killed_after_a_race_comes_to_the_next(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--house-bots", "1", "--house-bots-speed", "20000") as server,
        wire_client(server.url, JSON, "Ada") as ada,
    ):
        _, _, ch, *_ = await ada.ask("create", *PUBLIC)
        bot = await a_bot_beside(ada, ch)
        await raced(ada, ch)
        os.kill(house_of(server)[0], signal.SIGKILL)
        _, _, again, *_ = await ada.ask("rematch", ch)
        assert await a_bot_beside(ada, again) == bot


@pytest.mark.spec("3.8")
@pytest.mark.parametrize("killed", ["bots", "server"])
async def test_a_bot_goes_on_with_its_race(tmp_path: Path, killed: str) -> None:
    """Where its board stands, when its process or the whole server was killed."""
    pace = ("--house-bots", "1", "--house-bots-speed", "4000")
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, *pace) as server,
        connect(server.url, name="Ada") as ada,
    ):
        race = await ada.create(countdown_ms=0)
        await race.until(lambda model: model.seats[1].kind == "bot" and model.seats[1].taken)
        race.ready()
        before = await race.until(lambda model: model.seats[1].moves > 5)
        assert before.seats[1].time < 0
        bot = before.seats[1].player
        if killed == "bots":
            os.kill(house_of(server)[0], signal.SIGKILL)
            await race.until(lambda model: model.seats[1].time >= 0)
        else:
            await server.stop(signal.SIGKILL)
            async with server_process(tmp_path, *pace, port=server.port):
                await race.until(lambda model: model.seats[1].time >= 0)
        assert race.model is not None
        seat = race.model.seats[1]
        assert (seat.player, seat.home) == (bot, 52)
        assert seat.moves < 4 * 52, "it has not begun anew again and again"


async def test_a_server_that_stops_ends_its_bots(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *FAST) as server:
        await eventually(lambda: len(house_of(server)) == 1, 20)
        (bots,) = house_of(server)
        assert await server.stop(within=5) == 0
        assert not alive(bots)
        assert "Traceback" not in server.log
