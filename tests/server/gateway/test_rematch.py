"""Meeting again, on real sockets: everybody is brought to the next race, and told so once."""

import asyncio

import pytest

from cellrace_server.core.listing import wants_a_bot
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import House, house
from tests.support.lines import DEAL
from tests.support.waiting import eventually
from tests.support.wire_client import Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
KNOWN = "k" * 40


def of(server: House, client: WireClient) -> Connection:
    """The server's side of a connection."""
    return next(
        connection
        for connection in server.gateway.connections
        if connection.known is not None and connection.known.player.id == client.player
    )


@pytest.mark.spec("4.7")
async def test_strangers_know_of_the_next_race_when_they_may_know_the_end_of_the_one_before() -> None:
    """Its score would tell the winner."""
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
        wire_client(server.url) as eve,
    ):
        create = (
            *("create", str(DEAL), "classic", 1, False, True, 0, 600_000),
            *(True, False, True, 5_000),
        )
        _, _, channel, *_ = await ada.ask(*create)
        await ada.say(["ready", channel])
        await server.node.clock.settle()
        await ada.hear_until("go")
        await ada.say(["giveup", channel, 1])
        await ada.hear_until("end")
        race = (await ada.ask("rematch", channel))[3]
        for name in ("watch", "resume"):
            assert (await eve.ask(name, race, *([0] if name == "resume" else [])))[:2] == [
                "error",
                "not_found",
            ]
        assert race not in {row[0] for row in (await eve.ask("races"))[2]}
        assert (await ada.ask("watch", race))[4] == 0
        server.node.clock.move(5_000)
        assert (await eve.ask("watch", race))[4] == -1


def brought(heard: list[Message]) -> list[Message]:
    """Race and seat of each `in`."""
    return [message[3:5] for message in heard if message[0] == "in"]


@pytest.mark.spec("4.7")
async def test_who_asked_and_is_there_is_not_brought_there_again() -> None:
    """That everybody meets again may be told by another node after the answer to the press here."""
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
        wire_client(server.url) as grace,
        wire_client(server.url) as alan,
    ):
        race = (await ada.ask("create", str(DEAL), "classic", 2))[3]
        await alan.ask("watch", race)
        for client, seated in ((ada, True), (grace, True), (grace, True), (alan, False)):
            of(server, client).gather("before", race, seated)
            await server.node.clock.settle()
        assert brought(await ada.silence()) == []
        assert brought(await grace.silence()) == [[race, 1]]
        assert brought(await alan.silence()) == []


@pytest.mark.spec("4.7")
async def test_who_asks_for_one_rematch_is_brought_to_another_all_the_same() -> None:
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
        wire_client(server.url) as grace,
    ):
        race = (await ada.ask("create", str(DEAL), "classic", 2))[3]
        connection = of(server, grace)
        connection.rematching.add("asked")
        connection.gather("asked", race, True)
        connection.gather("other", race, True)
        await server.node.clock.settle()
        assert brought(await grace.silence()) == [[race, 1]]


@pytest.mark.spec("4.7")
async def test_a_player_who_was_away_when_everybody_met_again_is_brought_when_back() -> None:
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
    ):
        async with wire_client(server.url) as grace:
            _, _, channel, race, *_ = await ada.ask("create", str(DEAL), "classic", 2, False, True, 0)
            there = (await grace.ask("join", race))[2]
            for client, ch in ((ada, channel), (grace, there)):
                await client.say(["ready", ch])
            for client, ch in ((ada, channel), (grace, there)):
                await server.node.clock.settle()
                await client.hear_until("go")
                await client.say(["giveup", ch, 1])
            known = (await grace.hear_until("end"))[2]
            await grace.say(["renew", 1, KNOWN])
            await grace.hear_until("renewed")
        await eventually(lambda: len(server.gateway.connections) == 1)
        following = (await ada.ask("rematch", channel))[3]
        async with wire_client(server.url, name=None) as again:
            await again.hello("", KNOWN)
            for expected in ([[race, 1], [following, 1]], [[race, 1]]):  # once: then there is a seat
                await again.say(["resume", 1, race, known])
                await server.node.clock.settle()
                assert brought(await again.silence()) == expected
        await eventually(lambda: len(server.gateway.connections) == 1)
        async with wire_client(server.url, name=None) as third:
            await third.hello("", KNOWN)
            await third.say(["resume", 1, race, known])
            await server.node.clock.settle()
            assert brought(await third.silence()) == [[race, 1], [following, 1]], (
                "a seat taken, and word of it lost"
            )


@pytest.mark.spec("4.7")
@pytest.mark.parametrize("kind", ["bot", "human"])
async def test_another_bot_may_come_to_the_rematch_of_who_raced_a_bot(kind: str) -> None:
    """The one that was raced may be racing somebody else by now. A seat meant for a person stays free for that one."""
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url) as ada,
        wire_client(server.url, name=None) as other,
    ):
        await other.say(["hello", 1, "Other", "", kind])
        await other.hear_until("welcome")
        create = ("create", str(DEAL), "classic", 2, False, True, 0)
        _, _, channel, race, *_ = await ada.ask(*create)
        there = (await other.ask("join", race))[2]
        for client, ch in ((ada, channel), (other, there)):
            await client.say(["ready", ch])
        for client, ch in ((ada, channel), (other, there)):
            await server.node.clock.settle()
            await client.hear_until("go")
            await client.say(["giveup", ch, 1])
        await ada.hear_until("end")
        await other.say(["part", there])
        await other.silence()
        following = (await ada.ask("rematch", channel))[3]
        race_again = server.node.hall.rooms[following].race
        assert race_again is not None
        assert wants_a_bot(race_again) == (kind == "bot")
