"""What stays behind of many races by bots of the library in one process: nothing."""

import asyncio
import gc
import os
import tracemalloc
from pathlib import Path

import pytest

from cellrace_client import Client, Kind, Race, connect
from cellrace_client.connection import Connection
from cellrace_client.model import RaceModel
from cellrace_client.prediction import Prediction
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 120
HUNDRED, AT_ONCE = 100, 4
GROWTH_BYTES_MOST = 256 * 1024
"""Of the second hundred races over the first: caches of interpreter and libraries, not a race (some 20 KiB each)."""

OURS = (Client, Race, RaceModel, Connection, Prediction)


async def one_race(url: str) -> None:
    """Two bots connect, race a little, and go."""
    async with connect(url, kind=Kind.BOT) as ada, connect(url, kind=Kind.BOT) as grace:
        race = await ada.create("617", countdown_ms=0)
        other = await grace.join(race.id)
        for each in (race, other):
            each.ready()
        for each in (race, other):
            await each.until(lambda model: model.phase == "running")
            await each.move("2a")
            await each.undo()
            await each.give_up()
        for each in (race, other):
            model = await each.until(lambda model: model.phase == "ended")
            assert len(model.standings) == 2


async def a_hundred(url: str) -> None:
    for _ in range(HUNDRED // AT_ONCE):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(AT_ONCE):
                tasks.create_task(one_race(url))


def alive() -> dict[str, int]:
    """Objects of the library that there are."""
    gc.collect()
    found = dict.fromkeys((kind.__name__ for kind in OURS), 0)
    for thing in gc.get_objects():
        if type(thing) in OURS:
            found[type(thing).__name__] += 1
    return found


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - as cheap as it gets


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are counted in /proc")
async def test_two_hundred_races_leave_nothing_behind(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        await one_race(server.url)  # what is imported and cached once
        tasks, files = len(asyncio.all_tasks()), descriptors()
        await a_hundred(server.url)
        tracemalloc.start()
        try:
            gc.collect()
            before, _ = tracemalloc.get_traced_memory()
            await a_hundred(server.url)
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert len(asyncio.all_tasks()) == tasks
    assert descriptors() == files
    assert not any(alive().values()), alive()
    assert after - before < GROWTH_BYTES_MOST
