"""A token that is changed is dead on every node, with every connection that came with it."""

import asyncio

import pytest

from cellrace_client import connect
from tests.e2e.conftest import Nodes
from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess
from tests.support.wire_client import JSON, MSGPACK, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40


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
