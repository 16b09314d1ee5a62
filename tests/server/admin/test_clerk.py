"""The host's commands where something is in the way; what they do otherwise is tried on real servers."""

import asyncio

import pytest

from cellrace_server.admin import messages as m
from cellrace_server.admin.clerk import Clerk
from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import House, house
from tests.support.lines import DEAL
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
KNOWN, NEWER = "k" * 40, "n" * 40


def clerk(server: House) -> Clerk:
    return Clerk(server.desk, server.gateway, lambda: None)


async def opened(client: WireClient) -> tuple[int, str]:
    """A race, and the channel of it."""
    created = await client.ask("create", str(DEAL), "classic", 2, False)
    return created[2], created[3]


async def test_nobody_is_told_that_a_race_is_closed_while_it_cannot_be() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        channel, race = await opened(ada)
        server.node.memory.fail(1_000)
        await ada.say(["ready", channel])
        await eventually(lambda: server.node.hall.committer.away)
        answer = await clerk(server).carry_out(m.Close(race, "enough"))
        assert isinstance(answer, m.Failed)
        assert (answer.code, "try again" in answer.text) == ("unavailable", True)
        server.node.memory.mend()
        server.node.clock.move(60_000)
        await eventually(lambda: not server.node.hall.committer.away)
        answer = await clerk(server).carry_out(m.Close(race, "enough"))
        assert isinstance(answer, m.Done)
        heard = await ada.hear_until("notice")
        assert heard[1:3] == ["closed", "enough"]


async def test_a_connection_that_took_another_token_meanwhile_is_not_closed_for_the_old_one() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        await ada.say(["renew", 1, KNOWN])
        await ada.hear_until("renewed")
        (connection,) = server.gateway.connections
        valid = connection.known
        assert valid is not None
        connection.known = valid._replace(token=NEWER)
        server.node.memory.hold_answers()
        looking = asyncio.create_task(server.gateway.connections.recheck(valid.player.id))
        await server.node.clock.settle()
        connection.known = valid
        server.node.memory.go_on()
        await looking
        assert (await ada.ask("races"))[0] == "races", "it is as open as before"


async def test_a_connection_whose_token_proves_nothing_any_more_is_closed() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        await ada.say(["renew", 1, KNOWN])
        await ada.hear_until("renewed")
        (connection,) = server.gateway.connections
        assert connection.known is not None
        connection.known = connection.known._replace(token=NEWER)
        await server.gateway.connections.recheck(connection.known.player.id)
        assert (await ada.hear_until("notice"))[1] == "revoked"
