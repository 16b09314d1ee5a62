"""Work on things that others work on too, one after the other, in the order in which it was asked for."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Hashable
from contextlib import asynccontextmanager


class Turns:
    """Nothing is kept of things that nobody works on. Whoever waits has its turn on all of its things at once, and only
    those wait for it that came later: nobody waits for each other."""

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Event] = {}

    def __len__(self) -> int:
        """Of how many things it is somebody's turn."""
        return len(self._last)

    @asynccontextmanager
    async def at(self, things: Collection[Hashable]) -> AsyncGenerator[None]:
        """One's turn at these things, when everybody has done who asked for one of them before. Who is cancelled while
        waiting makes way: then those behind no longer wait for those before."""
        before = [self._last[thing] for thing in things if thing in self._last]
        done = asyncio.Event()
        self._last.update(dict.fromkeys(things, done))
        try:
            for other in before:
                await other.wait()
            yield
        finally:
            done.set()
            for thing in things:
                if self._last.get(thing) is done:
                    del self._last[thing]
