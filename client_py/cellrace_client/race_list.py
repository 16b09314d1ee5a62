"""The list of races as the server keeps it current."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Self

from cellrace_client.iteration import Iteration
from cellrace_protocol import events as e


class RaceList:
    """Public races that are open or running, by name: `rows` is the list as it stands.

    Iterate it (in one place) to be told of changes: it yields `rows` at once, and then after each change; several may
    have been put together. Cancelling an `anext`, as a timeout does, misses nothing. The iteration ends with the
    client, or when the list is not followed any more: by `unfollow`, or when the server refuses it on a new connection.

    `async with await client.follow() as races` unfollows it at the end of the block, without waiting for anything."""

    def __init__(self, unfollow: "Callable[[RaceList], None] | None" = None) -> None:
        self._unfollow = unfollow
        self._rows: dict[str, e.RaceRow] = {}
        self._changed = asyncio.Event()
        self._closed = False
        self.begun = False
        """There is a list."""

    @property
    def rows(self) -> Mapping[str, e.RaceRow]:
        """What was said last. `waiting_ms` and `age_ms` are as of then."""
        return self._rows

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.done()

    def __aiter__(self) -> AsyncIterator[Mapping[str, e.RaceRow]]:
        self._changed.clear()
        return Iteration(self._next, self._rows)

    async def _next(self) -> Mapping[str, e.RaceRow] | None:
        if not self._closed:
            await self._changed.wait()
        self._changed.clear()
        return None if self._closed else self._rows

    def done(self) -> None:
        """Be kept current no more: the iteration ends. Harmless when repeated."""
        if self._unfollow is not None:
            self._unfollow(self)

    # What the client tells

    def begin(self, rows: list[e.RaceRow]) -> None:
        """The whole list, first and on every new connection."""
        self._rows = {row.race: row for row in rows}
        self.begun = True
        self._changed.set()

    def hear(self, news: e.Listing) -> None:
        """What has changed in it."""
        for race in news.gone:
            self._rows.pop(race, None)
        self._rows.update((row.race, row) for row in news.rows)
        self._changed.set()

    def close(self) -> None:
        """Nothing more will be heard."""
        self._closed = True
        self._changed.set()
