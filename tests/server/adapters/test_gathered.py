"""Calls that are made together."""

import asyncio
from collections.abc import Sequence

import pytest

from cellrace_server.adapters.redis.gathered import MOST, Gathered
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable

pytestmark = pytest.mark.asyncio


class Store:
    """Doubles numbers, each call when it is let."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.free = asyncio.Event()
        self.corrupt = -1
        self.trouble: Exception | None = None

    async def double(self, numbers: Sequence[int]) -> Sequence[int]:
        self.calls.append(list(numbers))
        await self.free.wait()
        if self.trouble is not None:
            raise self.trouble
        if self.corrupt in numbers:
            raise StoreCorrupt("2", "no number")
        return [2 * number for number in numbers]


async def asked(gathered: Gathered[int, int], *things: Sequence[int]) -> list[asyncio.Task[Sequence[int]]]:
    """Once the first call has gone out."""
    tasks = [asyncio.create_task(gathered.ask(each)) for each in things]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_who_asks_at_once_is_asked_for_together_and_gets_their_own_answers() -> None:
    store = Store()
    gathered = Gathered(store.double)
    first = await asked(gathered, [1], [2, 3], [4])
    later = await asked(gathered, [5], [6])
    store.free.set()
    assert await asyncio.gather(*first, *later) == [[2], [4, 6], [8], [10], [12]]
    assert store.calls == [[1, 2, 3, 4], [5, 6]]
    assert await gathered.ask([7]) == [14], "and again, when all was quiet"


async def test_so_many_go_in_one_call_and_what_one_asks_stays_together() -> None:
    store = Store()
    gathered = Gathered(store.double)
    store.free.set()
    many = await asyncio.gather(*(gathered.ask([n, n]) for n in range(MOST)), gathered.ask([0] * (2 * MOST)))
    assert many[:-1] == [[2 * n, 2 * n] for n in range(MOST)]
    assert [len(call) for call in store.calls] == [MOST, MOST, 2 * MOST]


@pytest.mark.parametrize("trouble", [StoreUnavailable("away"), TypeError("nobody foresaw it")])
async def test_all_who_asked_together_are_told_of_trouble_and_nobody_later(trouble: Exception) -> None:
    store = Store()
    store.trouble = trouble
    gathered = Gathered(store.double)
    tasks = await asked(gathered, [1], [2])
    store.free.set()
    assert await asyncio.gather(*tasks, return_exceptions=True) == [trouble, trouble]
    store.trouble = None
    assert await gathered.ask([3]) == [6]


async def test_what_cannot_be_read_for_one_harms_nobody_else() -> None:
    store = Store()
    store.corrupt = 2
    gathered = Gathered(store.double)
    tasks = await asked(gathered, [1], [2], [3])
    store.free.set()
    one, two, three = await asyncio.gather(*tasks, return_exceptions=True)
    assert (one, type(two), three) == ([2], StoreCorrupt, [6])


async def test_who_does_not_wait_any_more_harms_nobody_else() -> None:
    store = Store()
    gathered = Gathered(store.double)
    one, two = await asked(gathered, [1], [2])
    one.cancel()
    store.free.set()
    assert await two == [4]
    assert one.cancelled()
