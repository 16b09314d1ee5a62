"""The time-out of calls to the store."""

import asyncio

import pytest

from cellrace_server.adapters.redis.alarm import Alarm

pytestmark = pytest.mark.asyncio


async def for_ever() -> None:
    await asyncio.get_running_loop().create_future()


async def test_a_long_wait_ends_with_a_timeout() -> None:
    alarm = Alarm(0.02)
    for _ in range(3):
        with pytest.raises(TimeoutError), alarm:
            await for_ever()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_every_wait_has_the_whole_time() -> None:
    """Though the timer was armed by a wait long before."""
    loop = asyncio.get_running_loop()
    alarm = Alarm(0.2)
    begun = loop.time()
    while loop.time() < begun + 0.15:
        with alarm:
            await asyncio.sleep(0)
    last = loop.time()
    with pytest.raises(TimeoutError), alarm:
        await for_ever()
    assert loop.time() - last > 0.15


async def test_a_cancellation_stays_one() -> None:
    alarm = Alarm(10)

    async def wait() -> None:
        with alarm:
            await for_ever()

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    alarm.disarm()
    alarm.disarm()


async def test_an_outer_timeout_is_told_apart() -> None:
    alarm = Alarm(10)

    async def wait() -> None:
        try:
            with alarm:
                await for_ever()
        except TimeoutError:
            pytest.fail("it was not the alarm that rang")

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait(), 0.01)
    alarm.disarm()


async def test_other_errors_pass() -> None:
    alarm = Alarm(10)
    with pytest.raises(KeyError), alarm:
        raise KeyError
    alarm.disarm()
