"""Work on what is shared is done one after the other, and nothing else waits."""

import asyncio
import random

import pytest

from cellrace_server.services.turns import Turns

pytestmark = pytest.mark.asyncio


async def test_who_shares_something_has_its_turn_in_order_and_others_do_not_wait() -> None:
    turns = Turns()
    told: list[str] = []
    goes_on = asyncio.Event()

    async def work(name: str, things: str) -> None:
        async with turns.at(things):
            told.append(f"{name} begins")
            await goes_on.wait()
            told.append(f"{name} ends")

    async with asyncio.TaskGroup() as group:
        for name, things in (("one", "ab"), ("two", "ba"), ("three", "bc"), ("other", "de")):
            group.create_task(work(name, things))
        await asyncio.sleep(0)
        assert told == ["one begins", "other begins"]
        goes_on.set()
    begun = [word.split()[0] for word in told if word.endswith("begins")]
    assert begun == ["one", "other", "two", "three"]
    assert told.index("two ends") < told.index("three begins")
    assert len(turns) == 0


async def test_who_fails_or_is_cancelled_makes_way() -> None:
    turns = Turns()
    async with turns.at("a"):
        waiting = asyncio.create_task(turns.at("ab").__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with turns.at("b"):
            pass
    with pytest.raises(ZeroDivisionError):
        async with turns.at("ab"):
            raise ZeroDivisionError
    async with turns.at("ab"):
        assert len(turns) == 2
    assert len(turns) == 0


async def test_any_number_of_pairs_in_any_order_are_all_served() -> None:
    turns, busy, drawn = Turns(), set[int](), random.Random(617)

    async def work(pair: list[int]) -> None:
        async with turns.at(pair):
            assert not busy & set(pair)
            busy.update(pair)
            await asyncio.sleep(0)
            busy.difference_update(pair)

    async with asyncio.timeout(30):
        await asyncio.gather(*(work(drawn.sample(range(12), 2)) for _ in range(2_000)))
    assert len(turns) == 0
