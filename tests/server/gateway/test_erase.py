"""Erasing oneself beside other requests, on real sockets."""

import asyncio

import pytest

from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import house
from tests.support.lines import DEAL
from tests.support.waiting import eventually
from tests.support.wire_client import Message, WireClient, wire_client

pytestmark = [pytest.mark.asyncio, pytest.mark.spec("2.8")]

WITHIN = 60
CREATE = ["create", 12, str(DEAL), "classic", 2]


async def answers(client: WireClient, count: int) -> dict[int, Message]:
    """Answers by the number of their request."""
    found: dict[int, Message] = {}
    while len(found) < count:
        message = await client.hear()
        if message[0] in ("in", "erased"):
            found[message[1]] = message
        elif message[0] == "error":
            found[message[3]] = message
    return found


async def test_what_was_asked_before_may_have_taken_a_seat() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        await ada.say(CREATE, ["erase", 11, ada.token])
        found = await answers(ada, 2)
        assert found[12][0] == "in"
        assert found[11][:2] == ["error", "not_over"]
        assert found[12][3] in found[11][2]


async def test_what_is_asked_behind_it_waits_for_the_answer() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        await ada.say(["erase", 11, ada.token], CREATE, ["erase", 13, ada.token])
        found = await answers(ada, 3)
        assert found[11] == ["erased", 11]
        assert [found[number][1] for number in (12, 13)] == ["busy", "busy"]
        assert await ada.closed() == 4403
        assert server.node.memory.logs == {}


async def test_who_is_refused_may_ask_for_something_else_then() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        assert (await ada.ask("erase", "x" * 40))[1] == "bad_token"
        assert (await ada.ask("create", str(DEAL), "classic", 2))[0] == "in"


async def test_seats_that_the_asked_node_does_not_know_of_are_given_up() -> None:
    """As another node has it on which the player is erased."""
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
        wire_client(server.url) as grace,
    ):
        race = (await ada.ask("create", str(DEAL), "classic", 2))[3]
        await grace.ask("join", race)
        server.node.memory.erased.add(ada.player)
        await server.node.people.revoke(ada.player)
        assert (await grace.hear_until("left"))[4] == 0
        await eventually(lambda: not server.node.hall.holdings.seats(ada.player))
