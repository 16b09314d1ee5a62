"""What a host can do with a running server, through the program and the socket that are there for it."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cellrace_client import connect
from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process
from tests.support.valkey import plain_valkey
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40


class Said(NamedTuple):
    """What the program printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.out)
        return answer


async def program(*arguments: str) -> Said:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_server.admin", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Said(process.returncode, out.decode(), err.decode())


async def admin(server: ServerProcess, *arguments: str) -> Said:
    return await program("--data-dir", str(server.data_dir), *arguments)


async def running(client: WireClient, seats: int = 1) -> tuple[int, str]:
    """Channel and race of a race that runs for one and is open for more."""
    _, _, channel, race, *_ = await client.ask("create", str(DEAL), "classic", seats, False, True, 0)
    await client.say(["ready", channel])
    if seats == 1:
        await client.hear_until("go")
    return channel, race


async def test_races_are_listed_and_inspected(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name="Ada") as ada,
        wire_client(server.url, name="Grace") as grace,
    ):
        channel, race = await running(ada)
        _, open_race = await running(grace, 2)
        await grace.ask("watch", race)
        await ada.say(["m", channel, 1, "2a"])
        await ada.hear_until("a")
        table = await admin(server, "list")
        assert table.status == 0
        assert table.out.splitlines()[0].split() == ["RACE", "PHASE", "AGE", "PLAYERS", "SPECTATORS", "RULES"]
        assert [line.split()[:2] for line in table.out.splitlines()[1:3]] == [
            [race, "running"],
            [open_race, "lobby"],
        ]
        (first, second) = (await admin(server, "--json", "list")).json["rows"]
        assert (first["players"], first["spectators"], first["seats"]) == (["Ada"], 1, 1)
        assert (second["players"], second["spectators"], second["phase"]) == (["Grace"], 0, "lobby")
        seen = (await admin(server, "--json", "inspect", open_race)).json
        assert seen["deal"] == "FC1-C4-AAAAATJ", "the host may see what players may not yet"
        assert (seen["phase"], seen["host"], seen["players"][0]["name"]) == ("lobby", grace.player, "Grace")
        seen = (await admin(server, "--json", "inspect", race)).json
        (seat,) = seen["players"]
        assert (seat["player"], seat["moves"], seat["actions"], seat["away"]) == (ada.player, 1, 1, False)
        assert "deal:         FC1-C4-AAAAATJ" in (await admin(server, "inspect", race)).out


async def test_a_race_is_closed_and_its_players_are_told(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name="Ada") as ada,
        wire_client(server.url, name="Grace") as grace,
    ):
        channel, race = await running(ada)
        await grace.ask("watch", race)
        done = await admin(server, "close", race, "--reason", "tea is ready")
        assert done == Said(0, f"race {race} is closed\n", "")
        for client in (ada, grace):
            assert (await client.hear_until("notice"))[1:] == ["closed", "tea is ready", channel]
            assert (await client.hear_until("end"))[4] == "closed"
        again = await admin(server, "close", race)
        assert again.status == 65
        assert "race_over" in again.err
        assert (await admin(server, "close", "nosuchrace")).status == 66


async def test_connections_are_listed_and_sent_away(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name=None) as ada,
        wire_client(server.url, name="Grace") as grace,
        wire_client(server.url, name=None),
    ):
        await ada.say(["hello", 1, "Ada", "", "bot", "evil\x1b[31m agent"])
        await ada.hear_until("welcome")
        rows = (await admin(server, "--json", "connections")).json["rows"]
        assert sorted(row["name"] for row in rows) == ["", "Ada", "Grace"]
        mine = next(row for row in rows if row["name"] == "Ada")
        assert (mine["kind"], mine["address"], mine["races"]) == ("bot", "127.0.0.1", 0)
        assert "\x1b" not in (await admin(server, "connections")).out
        assert (await admin(server, "disconnect", "nobody")).status == 66
        assert (await admin(server, "disconnect", mine["connection"])).out == "1 connection is closed\n"
        assert (await ada.hear_until("notice"))[1] == "sent_away"
        assert await ada.closed() == 4410
        assert (await admin(server, "disconnect", "GRACE", "--reason", "bye")).status == 0
        assert (await grace.hear_until("notice"))[1:3] == ["sent_away", "bye"]
        assert await grace.closed() == 4410


@pytest.mark.spec("6.3")
async def test_everybody_hears_an_announcement(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        assert (await admin(server, "announce", "tea", "is ready")).out == "2 connections are told\n"
        assert await ada.hear() == ["notice", "announcement", "tea is ready", 0]
        await eventually(lambda: [notice.text for notice in grace.notices] == ["tea is ready"])
        for text in (" ", "x" * 1_001):
            assert (await admin(server, "announce", text)).status == 64


@pytest.mark.spec("6.3")
async def test_a_drained_server_ends_with_its_last_race(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, name="Ada") as ada:
        channel, race = await running(ada)
        async with wire_client(server.url, name="Grace") as grace:
            await server.dailies_chosen()
            attempt = await grace.ask("play_daily", "classic")
            await grace.hear_until("go")
            assert (await admin(server, "--json", "drain")).json["count"] == 2
            assert (await grace.hear())[:2] == ["notice", "last_races"]
            for name, *fields in (("create",), ("quick",), ("join", str(DEAL)), ("join", race)):
                refused = await grace.ask(name, *fields)
                assert (refused[1], refused[4]) == ("draining", 2_000)
            assert (await grace.ask("watch", race))[0] == "in"
            led = await grace.ask("play_daily", "classic")
            assert (led[0], led[3]) == ("in", attempt[3]), "that leads back to a race that runs"
            assert (await grace.ask("play_daily", "pocket+cells=2"))[1] == "draining"
            await grace.say(["giveup", attempt[2], 1])
            await grace.hear_until("end")
        assert (await server.get("/readyz")).status == 503
        assert (await server.get("/healthz")).status == 200
        async with wire_client(server.url, name=None) as new:
            await new.say(["hello", 1, "New"])
            assert (await new.hear())[:2] == ["error", "draining"]
            assert await new.closed() == 1001
        await ada.socket.close()
        assert (await admin(server, "inspect", race.upper())).status == 0
        assert (await admin(server, "--json", "drain")).json["count"] == 1, "who is offline may come back"
        async with wire_client(server.url, name=None) as back:
            await back.hello(token=ada.token)
            entered = await back.ask("join", race.upper())
            assert entered[0] == "in", "who races may come back"
            channel = entered[2]
            await back.hear_until("here")
            await back.say(["m", channel, 1, "2a"])
            await back.hear_until("a")
            assert server.process.returncode is None
            await back.say(["giveup", channel, 2])
            await back.hear_until("end")
            assert await back.closed() == 1001
        assert await server.process.wait() == 0
        assert "Traceback" not in server.log
        assert not (server.data_dir / "admin.sock").exists()


async def test_a_drain_waits_no_longer_than_it_is_told(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, name="Ada") as ada:
        _, race = await running(ada)
        assert (await admin(server, "drain")).status == 0
        assert (await admin(server, "drain", "--deadline", "0.1")).status == 0
        assert (await ada.hear_until("notice"))[1] == "last_races"
        assert (await ada.hear_until("notice"))[1] == "draining"
        assert await ada.closed() == 1001
        assert await server.process.wait() == 0
        async with server_process(server.data_dir) as again, wire_client(again.url, name=None) as back:
            await back.hello(token=ada.token)
            assert (await back.ask("resume", race, 0))[4] == 0, "the race goes on"


@pytest.mark.spec("2.6")
async def test_a_revoked_player_is_out_on_all_nodes(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    with plain_valkey(tmp_path / "store") as (address, _):
        shared = ("--redis", f"redis://{address}")
        async with (
            asyncio.timeout(WITHIN),
            server_process(tmp_path / "a", *shared) as here,
            server_process(tmp_path / "b", *shared) as there,
            wire_client(here.url, name="Ada") as ada,
            wire_client(there.url, name=None) as phone,
            wire_client(there.url, name="Guest") as guest,
        ):
            await ada.ask("create", str(DEAL))
            await phone.hello(token=ada.token)
            assert (await admin(here, "revoke", "nobody")).status == 66
            assert (await admin(here, "revoke", "ADA")).out == f"player {ada.player} is revoked\n"
            for client in (ada, phone):
                assert (await client.hear_until("notice"))[1] == "revoked"
                assert await client.closed() == 4403
            assert (await admin(here, "revoke", guest.player)).status == 0
            assert (await guest.hear_until("notice"))[1] == "revoked", "a guest of another node"
            for node in (here, there):
                async with wire_client(node.url, name=None) as again:
                    for token in (ada.token, guest.token):
                        await again.say(["hello", 1, "", token])
                        assert (await again.hear())[:2] == ["error", "revoked"]


async def test_nodes_that_share_a_data_directory_have_sockets_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    with plain_valkey(tmp_path / "store") as (address, _):
        shared = ("--redis", f"redis://{address}")
        async with asyncio.timeout(WITHIN), server_process(tmp_path / "x", *shared) as first:
            async with server_process(tmp_path / "x", *shared) as second:
                several = await admin(second, "list")
                assert several.status == 64
                named = [word for word in several.err.split() if word.endswith(".sock")]
                assert len(named) == 2
                async with wire_client(second.url, name="Ada"):
                    counts = [
                        (await program("--socket", name, "--json", "connections")).json for name in named
                    ]
                    assert sorted(len(answer["rows"]) for answer in counts) == [0, 1]
                second.process.kill()
                await second.process.wait()
            assert (await admin(first, "list")).status == 0
            wanted = str(tmp_path / "x" / "admin.sock")
            with pytest.raises(AssertionError, match="another server listens there"):
                await ServerProcess.start(tmp_path / "y", 0, *shared, "--admin-socket", wanted)


async def test_after_a_kill_the_socket_is_replaced(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN):
        async with server_process(tmp_path) as killed:
            killed.process.kill()
            await killed.process.wait()
            gone = await admin(killed, "list")
            assert gone.status == 69
            assert "no server listens there" in gone.err
        async with server_process(tmp_path) as server:
            assert (await admin(server, "list")).status == 0


async def test_a_server_without_a_socket_has_none(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path, "--admin-socket", "") as server:
        assert not (server.data_dir / "admin.sock").exists()
        assert (await admin(server, "list")).status == 69


async def test_wrong_use_is_told(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        for arguments in (("teleport",), (), ("drain", "--deadline", "-1"), ("close",)):
            assert (await admin(server, *arguments)).status == 64, arguments
        reader, writer = await asyncio.open_unix_connection(str(server.data_dir / "admin.sock"))
        for line in (
            *(b"rubbish", b'{"do":"explode"}', b'{"do":"list","race":"x"}', b"\xff"),
            *(b"[" * 50_000, b'{"do":' * 5_000, b'{"do":"close","race":' + b"[" * 5_000),
        ):
            writer.write(line + b"\n")
            assert json.loads(await reader.readline())["code"] == "bad_command"
        writer.write(b"x" * 200_000)
        assert await reader.read() == b""
        writer.close()
        assert (await admin(server, "list")).status == 0


async def test_the_store_away_is_told(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, name="Ada") as ada:
        _, race = await running(ada)
        (valkey,) = server.valkeys
        os.kill(valkey, signal.SIGSTOP)
        try:
            assert (await admin(server, "inspect", race)).status == 0
            assert (await admin(server, "inspect", "another")).status == 75
            assert (await admin(server, "revoke", ada.player)).status == 75
        finally:
            os.kill(valkey, signal.SIGCONT)
        while (await admin(server, "revoke", ada.player)).status:
            pass
        assert await ada.closed() == 4403
