"""Iterating what comes, also for those who look only now and then."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Iteration(AsyncIterator[Item], Generic[Item]):
    """Iterates what is `first`, and then what `take` returns, until that is `None`. An `anext` that is cancelled loses
    nothing where a cancelled `take` does not, and the next one goes on; a generator would be at its end."""

    def __init__(self, take: Callable[[], Awaitable[Item | None]], *first: Item) -> None:
        self._take = take
        self._first = list(first)

    async def __anext__(self) -> Item:
        item = self._first.pop(0) if self._first else await self._take()
        if item is None:
            raise StopAsyncIteration
        return item
