"""Spectators in ticks: in turns, each exactly what it lacks, and nothing for those who do not read."""

import asyncio

import pytest

from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON, MSGPACK, SERVER_CODECS
from cellrace_server.gateway.once import Once
from cellrace_server.gateway.ticks import AT_ONCE, Ticks
from tests.server.gateway.audience import Listener
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


def said(number: int) -> Once:
    return Once(lambda: e.Watching(0, number))


def numbers(listener: Listener) -> list[int]:
    messages = listener.heard()
    return [message.spectators for message in messages if isinstance(message, e.Watching)]


def entered(ticks: Ticks, name: str, subprotocol: str = MSGPACK) -> Listener:
    listener = Listener(name, SERVER_CODECS[subprotocol])
    ticks.enter(listener)
    return listener


async def test_a_tick_is_one_write_for_each() -> None:
    ticks = Ticks()
    ada, grace = entered(ticks, "ada"), entered(ticks, "grace", JSON)
    for number in (1, 2, 3):
        ticks.say(said(number))
    assert not ada.writes
    await eventually(lambda: bool(grace.writes))
    assert len(ada.writes) == len(grace.writes) == 1
    assert numbers(ada) == numbers(grace) == [1, 2, 3]


async def test_who_comes_in_the_middle_of_a_tick_gets_the_rest_of_it() -> None:
    ticks = Ticks()
    early = entered(ticks, "early")
    ticks.say(said(1))
    late, other = entered(ticks, "late"), entered(ticks, "other", JSON)
    ticks.say(said(2))
    ticks.flush()
    assert (numbers(early), numbers(late), numbers(other)) == ([1, 2], [2], [2])
    ticks.say(said(3))
    ticks.flush()
    assert (numbers(early), numbers(late), numbers(other)) == ([3], [3], [3])


async def test_who_goes_gets_what_was_said_and_nothing_after_it() -> None:
    ticks = Ticks()
    going, staying = entered(ticks, "going"), entered(ticks, "staying", JSON)
    ticks.say(said(1))
    ticks.leave(going)
    ticks.leave(going)
    ticks.say(said(2))
    ticks.flush()
    assert (numbers(going), numbers(staying)) == ([1], [1, 2])
    assert list(ticks.watchers) == [staying]
    again = entered(ticks, "again")
    ticks.say(said(3))
    ticks.flush()
    assert numbers(again) == [3]


async def test_a_crowd_is_told_in_turns() -> None:
    """Others come in between. Who goes or catches up meanwhile misses nothing and hears nothing twice."""
    ticks = Ticks()
    crowd = [entered(ticks, str(number)) for number in range(3 * AT_ONCE)]
    ticks.say(said(1))
    async with asyncio.timeout(5):
        while not crowd[0].writes:  # noqa: ASYNC110 - every step of the loop counts
            await asyncio.sleep(0)
    assert [bool(watcher.writes) for watcher in crowd].index(False) == AT_ONCE
    ticks.leave(crowd[-1])
    ticks.up_to_date(crowd[-2])
    ticks.say(said(2))
    await eventually(lambda: bool(crowd[-3].writes))
    ticks.flush()
    assert [numbers(watcher) for watcher in crowd[:-2]] == [[1, 2]] * (3 * AT_ONCE - 2)
    assert [numbers(watcher) for watcher in crowd[-2:]] == [[2], [1]]


async def test_what_was_said_can_be_taken_back() -> None:
    ticks = Ticks()
    ada = entered(ticks, "ada")
    ticks.say(said(1))
    ticks.forget()
    ticks.say(said(2))
    ticks.flush()
    assert numbers(ada) == [2]


async def test_who_does_not_read_is_behind_until_brought_up_to_date() -> None:
    ticks = Ticks()
    slow, quick = entered(ticks, "slow"), entered(ticks, "quick")
    slow.reads = False
    ticks.say(said(1))
    assert not ticks.is_behind(slow)
    ticks.flush()
    assert ticks.is_behind(slow)
    slow.reads = True
    ticks.say(said(2))
    ticks.flush()
    assert (numbers(slow), numbers(quick)) == ([], [1, 2])
    ticks.up_to_date(slow)
    ticks.say(said(3))
    ticks.flush()
    assert (numbers(slow), numbers(quick)) == ([3], [3])


async def test_nobody_is_told_without_a_timer() -> None:
    ticks = Ticks()
    ticks.say(said(1))
    ticks.flush()
    listener = entered(ticks, "late")
    ticks.flush()
    assert not listener.writes
