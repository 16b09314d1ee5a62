"""What nodes can rely on when they tell each other things: hardly anything, but that."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from cellrace_server.core.listing import Entry
from cellrace_server.ports.bulletin import Ask, Heard, Leave, Said, Word
from tests.server.contracts.conftest import Node, Nodes
from tests.support.waiting import until_answered

pytestmark = pytest.mark.asyncio

WITHIN = 60
START = Heard("", Ask())
ENTRY = Entry(
    "kbjueza", 4, 1_700_000_000_000, "lobby", "pocket+cells=2", 3, ("Ada", "Róbót"), 1, False, True, 17
)


def hearing(node: Node) -> "aclosing[AsyncGenerator[Heard]]":
    return aclosing(cast("AsyncGenerator[Heard]", node.bulletin.hear()))


async def test_others_hear_every_word_in_order_and_nobody_hears_himself(nodes: Nodes) -> None:
    here, there = nodes
    async with asyncio.timeout(WITHIN), hearing(here) as ours, hearing(there) as theirs:
        assert await anext(ours) == await anext(theirs) == START
        said: list[Said] = [
            Word({"kbjueza": ENTRY, "gone": None}, {"kbjueza": 3}, True),
            Word(),
            Ask(),
            Leave(),
        ]
        for word in said:
            await until_answered(here.bulletin.say, word)
        await until_answered(there.bulletin.say, Ask())
        assert [await anext(theirs) for _ in said] == [Heard("a", word) for word in said]
        assert await anext(ours) == Heard("b", Ask())


async def test_nothing_is_kept_for_who_comes_later(nodes: Nodes) -> None:
    here, there = nodes
    async with asyncio.timeout(WITHIN):
        await here.bulletin.say(Word({}, {"early": 1}))
        async with hearing(there) as theirs:
            assert await anext(theirs) == START
            await here.bulletin.say(Leave())
            assert await anext(theirs) == Heard("a", Leave())
