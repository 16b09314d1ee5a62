"""The faults that the twins in memory can be told to have."""

import asyncio

import pytest

from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.race_log import Append, Grown
from tests.support.memory_store import Memory, MemoryRaceLog
from tests.support.samples import moves

pytestmark = pytest.mark.asyncio

BATCH = [Append("race", 0, moves(2))]


async def test_a_store_that_is_away_does_nothing() -> None:
    memory = Memory(away=True)
    log = MemoryRaceLog(memory)
    with pytest.raises(StoreUnavailable):
        await log.append(BATCH)
    memory.away = False
    assert list(await log.read("race")) == []


async def test_a_mute_store_does_it_and_does_not_say() -> None:
    memory = Memory(mute=True)
    log = MemoryRaceLog(memory)
    with pytest.raises(StoreUnavailable):
        await log.append(BATCH)
    memory.mute = False
    assert list(await log.read("race")) == moves(2)
    assert list(await log.append(BATCH)) == [None]


async def test_as_many_calls_fail_as_were_told_to() -> None:
    memory = Memory()
    log = MemoryRaceLog(memory)
    memory.fail()
    memory.fail(carried_out=True)
    for written in (0, 2):
        with pytest.raises(StoreUnavailable):
            await log.append(BATCH)
        assert list(memory.logs.get("race", [])) == moves(written)
    assert list(await log.append(BATCH)) == [None]


async def test_held_calls_are_carried_out_in_order() -> None:
    memory = Memory()
    log = MemoryRaceLog(memory)
    memory.hold()
    calls = [asyncio.create_task(log.append([Append("race", n, moves(1, first=n + 1))])) for n in range(3)]
    await asyncio.sleep(0)
    assert memory.logs == {}
    assert not any(call.done() for call in calls)
    memory.go_on()
    assert await asyncio.gather(*calls) == [[None]] * 3
    assert memory.logs["race"] == moves(3)


async def test_subscriptions_can_be_reset() -> None:
    memory = Memory()
    growth = MemoryRaceLog(memory, "a").growth()
    assert await anext(growth) == Grown("", 0)
    await MemoryRaceLog(memory, "b").append(BATCH)
    memory.reset_subscriptions()
    assert await anext(growth) == Grown("", 0)
