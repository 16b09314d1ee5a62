"""Races and lists that are used for the length of a block: at its end they are parted from, however it ends."""

import asyncio

import pytest

from cellrace_client import connect
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted, snapshot

pytestmark = pytest.mark.asyncio


async def parted(said: Said) -> None:
    await said.greet()
    await said.enter()
    assert await said.hear() == c.Part(2)
    await said.socket.wait_closed()


async def test_a_race_is_parted_from_at_the_end_of_its_block() -> None:
    async with scripted(parted) as url, connect(url, name="Me") as client:
        async with await client.join("617") as race:
            assert race.seat == 0
            assert not race.closed
        assert race.closed
        race.part()  # once more does no harm


async def test_an_error_goes_through_and_parts() -> None:
    async with scripted(parted) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        with pytest.raises(KeyError):
            async with race:
                raise KeyError
        assert race.closed


async def test_who_is_cancelled_in_a_block_parts_at_once() -> None:
    inside = asyncio.Event()

    async with scripted(parted) as url, connect(url, name="Me") as client:

        async def racing() -> None:
            async with await client.join("617") as race:
                inside.set()
                await race.until(lambda _: False)

        task = asyncio.create_task(racing())
        await inside.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()


@pytest.mark.parametrize("is_late", [False, True])
async def test_who_is_cancelled_before_the_race_is_there_parts_when_it_is(is_late: bool) -> None:
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def server(said: Said) -> None:
        await said.greet()
        join = await said.hear()
        assert isinstance(join, c.Join)
        asked.set()
        if is_late:
            await cancelled.wait()
        await said.say(e.Entered(join.r, 2, "race", 0, 1), snapshot(5))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url, name="Me") as client:
        task = asyncio.create_task(client.join("617"))
        await asked.wait()
        if is_late:
            task.cancel()
        else:
            task.get_loop().call_soon(task.cancel)
        await asyncio.wait([task])
        cancelled.set()
        if not task.cancelled():
            task.result().part()  # it was there first


async def test_a_race_that_somebody_else_has_stays_where_who_asked_for_it_again_is_cancelled() -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        asked.set()
        await go_on.wait()
        await said.say(e.Entered(watch.r, 2, "race", 0, 1), snapshot(5), e.GaveUp(2, 6, 1, 0))
        assert isinstance(await said.hear(), c.GetRaces), "nothing is parted from"
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        task = asyncio.create_task(client.watch("race"))
        await asked.wait()
        task.cancel()
        await asyncio.wait([task])
        go_on.set()
        await race.until(lambda model: model.seats[0].gave_up)
        assert not race.closed
        asking = asyncio.create_task(client.races())
        await asyncio.sleep(0)
        asking.cancel()


async def test_a_list_is_unfollowed_at_the_end_of_its_block() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        for _ in range(2):
            follow = await said.hear()
            assert isinstance(follow, c.Follow)
            await said.say(e.Races(follow.r, []))
            assert await said.hear() == c.Unfollow()
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url, name="Me") as client:
        async with await client.follow() as races:
            assert races.rows == {}
        assert [rows async for rows in races] in ([], [{}])
        async with await client.follow() as others:
            assert others is not races
            races.done()  # which is over, and no word of the other
            assert client.connected
