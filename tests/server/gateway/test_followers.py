"""Those who follow the list of races: what they are sent, how often, and what it costs."""

import asyncio
from typing import cast

import msgspec
import pytest

from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_server.core.commands import GiveUp, Ready
from cellrace_server.core.options import Options
from cellrace_server.gateway.followers import AT_ONCE, Followers
from cellrace_server.gateway.sheet import FRESH_MS
from cellrace_server.services.listing import EVERY_MS
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.gateway.audience import CountingCodec, Listener
from tests.server.services.node import ADA, GRACE, PAIR, Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio


class Screen:
    """A node and its followers."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.node = Node(Memory(), self.clock)
        self.followers = Followers(self.node.listing, self.clock.now)
        self.node.listing.listen(self.followers)

    def follow(self, follower: Listener) -> list[e.RaceRow]:
        """The rows that a new follower is sent."""
        encoded = cast("msgspec.Raw", self.followers.follow(follower))
        return msgspec.msgpack.decode(encoded, type=list[e.RaceRow])

    async def opened(self, options: Options = PAIR) -> Room:
        room = await self.node.lobby.create(Visitor(ADA), Terms(options, 617))
        assert isinstance(room, Room)
        return room

    async def tick(self) -> None:
        await self.clock.pass_time(EVERY_MS)


@pytest.fixture
def screen() -> Screen:
    return Screen()


def told(follower: Listener) -> list[tuple[list[str], list[str]]]:
    """The races in each message heard: those with rows, those gone."""
    messages = follower.heard()
    assert all(isinstance(message, e.Listing) for message in messages)
    return [
        ([row.race for row in message.rows], message.gone)
        for message in messages
        if isinstance(message, e.Listing)
    ]


async def test_a_follower_has_the_list_and_is_told_of_changes(screen: Screen) -> None:
    async with running(screen.node):
        first = await screen.opened()
        screen.clock.move(250)
        follower = Listener("ada")
        (row,) = screen.follow(follower)
        assert (row.race, row.players, row.waiting_ms, row.age_ms) == (first.id, ["Ada"], 250, 250)
        await screen.tick()
        assert told(follower) == []
        second = await screen.opened()
        await screen.node.lobby.join(Visitor(GRACE), first.id)
        await screen.tick()
        assert [(set(rows), gone) for rows, gone in told(follower)] == [({first.id, second.id}, [])]
        await screen.node.hall.ask(first, Ready("ada"))
        await screen.node.hall.ask(first, Ready("grace"))
        await screen.node.hall.ask(first, GiveUp("ada", 1))
        await screen.tick()
        assert told(follower) == [([first.id], [])]
        await screen.node.hall.ask(first, GiveUp("grace", 1))
        await screen.tick()
        assert told(follower) == [([], [first.id])]
        screen.followers.leave(follower)
        screen.followers.leave(follower)
        await screen.opened()
        await screen.tick()
        assert told(follower) == []
        assert len(screen.followers) == 0


async def test_who_comes_later_is_shown_what_the_others_were(screen: Screen) -> None:
    """So that the same changes are right for all."""
    async with running(screen.node):
        early, late = Listener("early"), Listener("late")
        assert screen.follow(early) == []
        room = await screen.opened()
        assert screen.follow(late) == []
        await screen.tick()
        assert told(early) == told(late) == [([room.id], [])]


async def test_ten_thousand_followers_cost_one_encoding_a_codec_and_let_others_go_first(
    screen: Screen,
) -> None:
    codecs = [CountingCodec(MSGPACK), CountingCodec(JSON)]
    followers = [Listener(str(number), codecs[number % 2]) for number in range(10_000)]
    for follower in followers:
        screen.followers.follow(follower)
    for codec in codecs:
        codec.encoded = 0
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with running(screen.node):
        await screen.opened()
        other = asyncio.create_task(others())
        await screen.node.listing.tell()
        other.cancel()
    assert [codec.encoded for codec in codecs] == [1, 1]
    assert all(len(follower.writes) == 1 for follower in followers)
    assert turns >= 10_000 // AT_ONCE


async def test_nothing_is_told_of_what_spectators_do_not_know_yet(screen: Screen) -> None:
    """A race that is over is not even hinted at while spectators are late."""
    async with running(screen.node):
        room = await screen.opened(Options(seats=1, countdown_ms=0, delay_ms=5_000))
        follower = Listener("eve")
        screen.followers.follow(follower)
        await screen.node.hall.ask(room, Ready("ada"))
        await screen.tick()
        assert told(follower) == [([room.id], [])]
        await screen.node.hall.ask(room, GiveUp("ada", 1))
        for _ in range(3):
            await screen.tick()
        assert told(follower) == []
        for _ in range(3):
            await screen.tick()
        assert told(follower) == [([room.id], []), ([], [room.id])]


async def test_a_list_that_many_ask_for_is_encoded_once_for_each_codec_while_it_is_fresh(
    screen: Screen,
) -> None:
    async with running(screen.node):
        await screen.opened()
        packed, written = CountingCodec(MSGPACK), CountingCodec(JSON)
        for number in range(20):
            screen.followers.follow(Listener(f"p{number}", packed))
            screen.followers.follow(Listener(f"w{number}", written))
            screen.followers.newest.encoded(screen.node.listing.newest(), packed)
        assert (packed.encoded, written.encoded) == (2, 1)
        screen.clock.move(FRESH_MS)
        (row,) = screen.follow(Listener("late"))
        assert row.age_ms == FRESH_MS
        second = await screen.opened()
        rows = cast(
            "msgspec.Raw", screen.followers.newest.encoded(screen.node.listing.newest(), Listener("x").codec)
        )
        decoded = msgspec.msgpack.decode(rows, type=list[e.RaceRow])
        assert second.id in {row.race for row in decoded}, "a list that has changed is not the old one"
