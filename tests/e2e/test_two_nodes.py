"""Two servers on one store: it does not matter which of them one is connected to."""

import asyncio
import signal
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.e2e.conftest import Nodes
from tests.support.lines import DEAL
from tests.support.waiting import eventually_answers
from tests.support.wire_client import JSON, MSGPACK, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 40


def entered(answer: Message) -> tuple[Any, ...]:
    """Channel, race and seat of an `in`."""
    assert answer[0] == "in", answer
    return answer[2], answer[3], answer[4]


async def test_who_lost_the_way_is_told_of_a_private_race_by_either_node(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        wire_client(here.url, MSGPACK, "Ada") as ada,
        wire_client(here.url, MSGPACK, "Grace") as grace,
    ):
        token = ada.token
        ch, race, _ = entered(await ada.ask("create", str(DEAL), "classic", 2, False, False, 0))
        other = entered(await grace.ask("join", race))[0]
        await ada.say(["ready", ch])
        await grace.say(["ready", other])
        await ada.hear_until("go")
        for node in (here, there):

            async def is_told(url: str = node.url) -> bool:
                async with wire_client(url, MSGPACK, None) as again:
                    told = (await again.hello("", token))[10]
                    assert told in ([], [race])
                    return told == [race] and entered(await again.ask("watch", race))[1:] == (race, 0)

            await eventually_answers(is_told, every=0.2)  # nodes tell each other once a second
        async with wire_client(there.url, MSGPACK, "Eve") as eve:
            assert (await eve.ask("races"))[2] == []


async def test_ten_press_rematch_at_once_and_all_are_in_one_race(nodes: Nodes) -> None:
    """Players and spectators of both nodes, each brought there once."""
    async with asyncio.timeout(WITHIN), AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(wire_client(nodes[n % 2].url, MSGPACK, f"P{n}"))
            for n in range(12)
        ]
        players, watchers = clients[:10], clients[10:]
        host, *guests = players
        ch, race, _ = entered(await host.ask("create", str(DEAL), "classic", 10, False, True, 0))
        channels = [ch, *[entered(await guest.ask("join", race))[0] for guest in guests]]
        for watcher in watchers:
            entered(await watcher.ask("watch", race))
        for player, channel in zip(players, channels, strict=True):
            await player.say(["ready", channel])
        for player, channel in zip(players, channels, strict=True):
            await player.hear_until("go")
            await player.say(["giveup", channel, 1])
        for client in clients:
            await client.hear_until("end")
        for player, channel in zip(players, channels, strict=True):
            await player.say(["rematch", 7, channel])
        answers = [await client.hear_until("in") for client in clients]
        assert len({answer[3] for answer in answers}) == 1
        assert answers[0][3] != race
        assert {answer[4] for answer in answers[:10]} == set(range(10))
        assert [answer[4] for answer in answers[10:]] == [-1, -1]
        for client, first in zip(clients, answers, strict=True):
            told = [first, *[message for message in await client.silence() if message[0] == "in"]]
            # Who was brought there before the server came to the press is answered all the same.
            asked = [message[1] for message in told]
            assert asked in ([[7], [0, 7]] if client in players else [[0]])
            assert all(message[2:5] == first[2:5] for message in told)
            while await seats_taken(client, first[2]) < 10:  # the other node's are heard of a moment later
                pass


async def test_who_looks_at_a_result_by_both_nodes_is_brought_to_the_rematch_by_one(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        wire_client(here.url, MSGPACK, None) as laptop,
        wire_client(there.url, MSGPACK, None) as phone,
        wire_client(here.url, MSGPACK, "Grace") as grace,
    ):
        await laptop.hello("Ada", instance="laptop")
        ch, race, _ = entered(await laptop.ask("create", str(DEAL), "classic", 2, False, False, 0))
        other = entered(await grace.ask("join", race))[0]
        await laptop.say(["ready", ch])
        await grace.say(["ready", other])
        for client, channel in ((laptop, ch), (grace, other)):
            await client.hear_until("go")
            await client.say(["giveup", channel, 1])
        await laptop.hear_until("end")
        await phone.hello(token=laptop.token, instance="phone")
        entered(await phone.ask("watch", race))
        await grace.ask("rematch", other)
        heard: list[Any] = []

        async def is_brought() -> bool:
            for client in (laptop, phone):
                heard.extend(message[0] for message in await client.silence())
            return heard.count("rematched") == 2 and "in" in heard

        await eventually_answers(is_brought)
        await is_brought()
        assert (heard.count("in"), "notice" in heard) == (1, False)


async def seats_taken(client: WireClient, channel: int) -> int:
    await client.say(["look", channel])
    snapshot = await client.hear_until("snap")
    return sum(bool(seat[0]) for seat in snapshot[19])


async def test_quick_match_across_nodes_and_a_take_over(nodes: Nodes) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(nodes[0].url) as ada,
        wire_client(nodes[1].url) as grace,
        wire_client(nodes[1].url, name=None) as phone,
    ):
        first, second = await asyncio.gather(ada.ask("quick"), grace.ask("quick"))
        assert first[3] == second[3]
        assert {first[4], second[4]} == {0, 1}
        await phone.hello(token=ada.token)
        again = await phone.ask("watch", first[3])
        assert again[4] == first[4]
        assert (await ada.hear_until("notice"))[1] == "taken_over"
        assert (await grace.hear_until("here"))[4] == first[4]
        await phone.hear_until("go")
        await phone.say(["giveup", again[2], 1])
        assert (await grace.hear_until("gaveup"))[4] == first[4]
        assert not [message for message in await ada.silence() if message[0] != "here"]


@pytest.mark.spec("3.6")
async def test_the_list_is_that_of_all_nodes_and_says_nothing_of_a_dead_one(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        wire_client(here.url, JSON) as ada,
        wire_client(here.url) as watcher,
        wire_client(there.url) as grace,
    ):
        assert (await ada.ask("follow"))[2] == []
        _, _, ch, race, *_ = await grace.ask("create", "", "classic", 2, False, True, 0)
        (row,) = (await ada.hear_until("listing"))[1]
        assert (row[:4], len(row[4])) == ([race, "lobby", "classic", 2], 1)
        assert [row[0] for row in (await watcher.ask("races"))[2]] == [race]
        entered(await watcher.ask("watch", race))
        assert (await grace.hear_until("watching"))[1:] == [ch, 1]
        (row,) = (await ada.hear_until("listing"))[1]
        assert (row[0], row[9]) == (race, 1)
        await there.stop(signal.SIGKILL)
        # This node has the race as well, for its spectator: it stays on the list.
        assert [row[0] for row in (await watcher.ask("races"))[2]] == [race]


@pytest.mark.spec("4.8")
async def test_spectators_are_counted_over_nodes_and_those_of_a_dead_one_are_not(nodes: Nodes) -> None:
    here, there = nodes
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        ada = await stack.enter_async_context(wire_client(here.url))
        crowd = [await stack.enter_async_context(wire_client(nodes[n % 2].url)) for n in range(5)]
        _, _, ch, race, *_ = await ada.ask("create", "", "classic", 2, False, False, 0)
        for watcher in crowd:
            entered(await watcher.ask("watch", race))
        for client in (ada, *crowd):
            while (await client.hear_until("watching"))[2] != 5:
                pass
        await ada.say(["look", ch])
        assert (await ada.hear_until("snap"))[30] == 5
        await crowd[1].socket.close()
        assert (await ada.hear_until("watching"))[1:] == [ch, 4]
        await there.stop(signal.SIGKILL)
        assert (await ada.hear_until("watching"))[1:] == [ch, 3]


@pytest.mark.spec("6.4")
async def test_players_of_a_dead_node_are_away_some_seconds_later(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        wire_client(here.url) as ada,
        wire_client(there.url) as grace,
        wire_client(here.url) as alan,
    ):
        _, race, _ = entered(await ada.ask("create", str(DEAL), "classic", 3, False, True, 0))
        _, _, seat = entered(await grace.ask("join", race))
        _, alone, _ = entered(await grace.ask("create", str(DEAL), "classic", 2, False, True, 0))
        await there.stop(signal.SIGKILL)
        assert (await ada.hear_until("away"))[4] == seat
        ch, _, _ = entered(await alan.ask("join", alone))
        await alan.say(["look", ch])
        seats = (await alan.hear_until("snap"))[19]
        assert [seat[11] for seat in seats] == [True, False]
