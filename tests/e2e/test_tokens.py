"""A token that is changed is dead on every node, with every connection that came with it."""

import asyncio
from pathlib import Path

import pytest

from cellrace_client import connect
from cellrace_protocol.api import ROOT
from tests.e2e.conftest import Nodes
from tests.e2e.test_admin import admin
from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import JSON, MSGPACK, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40
OWN, WRONG, REFUSED, UNKNOWN, BROKEN, ASKED = (
    f"a-token-for-a-test-that-is-{what}"
    for what in ("ones-own", "wrong", "refused", "unknown", "broken", "asked-with")
)
SHORT = "a-token-that-is-short"


@pytest.mark.spec("2.6")
async def test_the_old_token_is_dead_everywhere(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        wire_client(here.url, name="Ada") as ada,
        wire_client(here.url, JSON, name=None) as phone,
        wire_client(there.url, name=None) as thief,
        wire_client(there.url, name="Grace") as grace,
    ):
        _, _, channel, race, *_ = await ada.ask("create", str(DEAL))
        for other in (phone, thief):
            await other.hello(token=ada.token)
        old = ada.token
        await ada.say(["renew", 1])
        renewed = await ada.hear_until("renewed")
        for other in (phone, thief):
            assert (await other.hear_until("notice"))[1] == "revoked"
            assert await other.closed() == 4403
        for node in nodes:
            async with wire_client(node.url, name=None) as late:
                await late.say(["hello", 1, "", old])
                assert (await late.hear())[:2] == ["error", "revoked"]
                assert (await late.hello(token=renewed[2]))[2] == ada.player
                assert (await late.ask("resume", race, 0))[0] == "in"
        await ada.say(["look", channel])
        assert (await grace.ask("join", race))[0] == "in", "nobody else is disturbed"
        assert old not in here.log + there.log
        assert renewed[2] not in here.log + there.log


@pytest.mark.spec("2.6")
async def test_a_token_of_ones_own_may_be_asked_for_again(server: ServerProcess) -> None:
    token = "an-example-that-is-not-random-at-all"
    async with asyncio.timeout(WITHIN), wire_client(server.url, MSGPACK, "Ada") as ada:
        for r in (1, 2):
            await ada.say(["renew", r, token])
            assert await ada.hear() == ["renewed", r, token]
        async with wire_client(server.url, name="Grace") as grace:
            await grace.say(["renew", 1, token])
            assert (await grace.hear())[:2] == ["error", "bad_token"]
            await grace.say(["renew", 2, "short"])
            assert (await grace.hear())[:2] == ["error", "bad_token"]
            assert (await grace.ask("races"))[0] == "races"


async def test_the_library_goes_on_with_the_new_token(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as client:
        old = client.token
        race = await client.create(str(DEAL), seats=1, countdown_ms=0)
        assert await client.renew_token() == client.token != old
        race.ready()
        await race.until(lambda model: model.phase == "running")
        await race.move("2a")
        async with connect(server.url, token=client.token) as again:
            assert again.player == client.player


@pytest.mark.spec("2.6")
@pytest.mark.parametrize("style", ["text", "json"])
async def test_no_token_is_in_the_log_or_the_data(tmp_path: Path, style: str) -> None:
    """Neither one that is in use, nor one that was changed, revoked or refused, nor one that was put where none
    belongs; and that at the level at which most is said."""
    flags = ("--log-level", "debug", "--log-format", style)
    async with asyncio.timeout(WITHIN), server_process(tmp_path, *flags) as server:
        async with wire_client(server.url, name="Ada") as ada, wire_client(server.url, JSON, None) as phone:
            _, _, channel, *_ = await ada.ask("create", str(DEAL), "classic", 1, False, True, 0)
            await ada.say(["ready", channel])
            await ada.hear_until("go")
            first = ada.token
            await phone.hello(token=first)
            await ada.say(["renew", 1])
            second = (await ada.hear_until("renewed"))[2]
            await ada.say(["renew", 2, OWN], ["erase", 3, WRONG])
            assert (await ada.hear_until("renewed"))[2] == OWN
            await ada.say(["giveup", channel, 1])
            await ada.hear_until("end")
            await phone.closed()
            async with wire_client(server.url, JSON, None) as stranger:
                for token in (first, second, REFUSED + "x" * 100, SHORT):
                    await stranger.say(["hello", 1, "", token])
                    assert (await stranger.hear())[0] == "error"
                await stranger.socket.send(f'["hello",1,"","{BROKEN}"')
                await stranger.hear()
                await stranger.hello(token=UNKNOWN)
            assert (await admin(server, "revoke", ada.player)).status == 0
            await ada.closed()
        for path in ("/", "/ws", f"{ROOT}/races", f"{ROOT}/players/Ada", "/nothing"):
            await server.get(
                f"{path}?token={ASKED}", Authorization=f"Bearer {ASKED}", Cookie=f"token={ASKED}"
            )
        await server.get(f"/{ASKED}")
        assert ada.player in server.log, "it says who was revoked"
        assert await server.stop() == 0
    tokens = [first, second, OWN, WRONG, REFUSED, SHORT, UNKNOWN, BROKEN, ASKED]
    assert where_found(tokens, tmp_path) == []


def where_found(words: list[str], folder: Path) -> list[tuple[str, Path]]:
    """The words that are in files, and the files: log and store."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 1
    return [(word, file) for file in files for word in words if word.encode() in file.read_bytes()]
