"""Calls that come at the same time, made as one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from cellrace_server.ports.errors import StoreCorrupt

Asked = TypeVar("Asked")
Found = TypeVar("Found")

MOST = 100
"""Things in one call; of what one asks for, all are in the same."""


class _Waiting(Generic[Asked, Found]):
    """One who has asked."""

    __slots__ = ("answer", "things")

    def __init__(self, things: Sequence[Asked]) -> None:
        self.things = things
        self.answer: asyncio.Future[Sequence[Found]] = asyncio.get_running_loop().create_future()


class Gathered(Generic[Asked, Found]):
    """`call` takes any number of things and answers each, in order. While one call is under way, what is asked
    meanwhile waits, and goes out together in the next: of many who come at once each pays for a part of a round trip
    only, and one alone waits for nobody."""

    def __init__(self, call: Callable[[Sequence[Asked]], Awaitable[Sequence[Found]]]) -> None:
        self._call = call
        self._waiting: list[_Waiting[Asked, Found]] = []
        self._work: asyncio.Task[None] | None = None

    async def ask(self, things: Sequence[Asked]) -> Sequence[Found]:
        """The answers to `things`, in order. Raises what the call raises: all who were asked for together, but for
        `StoreCorrupt`, which only those get whose own things it is about. Cancelled, the call may be made all the
        same."""
        mine = _Waiting[Asked, Found](things)
        self._waiting.append(mine)
        if self._work is None:
            self._work = asyncio.create_task(self._run(), name="gathered calls")
        return await mine.answer

    async def _run(self) -> None:
        taken: list[_Waiting[Asked, Found]] = []
        try:
            while self._waiting:
                taken = self._taken()
                await self._serve(taken)
        finally:
            self._work = None
            for left in (*taken, *self._waiting):
                left.answer.cancel()
            self._waiting.clear()

    def _taken(self) -> list[_Waiting[Asked, Found]]:
        """Those whose turn it is: one at least."""
        count = size = 0
        for each in self._waiting:
            size += len(each.things)
            if count and size > MOST:
                break
            count += 1
        taken = self._waiting[:count]
        del self._waiting[:count]
        return taken

    async def _serve(self, taken: Sequence[_Waiting[Asked, Found]]) -> None:
        """What cannot be read for one is no fault of the others: they are asked for again, each alone."""
        try:
            found = await self._call([thing for each in taken for thing in each.things])
        except Exception as error:  # noqa: BLE001 - handed on to who asked
            if isinstance(error, StoreCorrupt) and len(taken) > 1:
                for each in taken:
                    await self._serve([each])
            else:
                _refuse(taken, error)
        else:
            position = 0
            for each in taken:
                start, position = position, position + len(each.things)
                if not each.answer.done():
                    each.answer.set_result(found[start:position])


def _refuse(taken: Sequence[_Waiting[Asked, Found]], error: Exception) -> None:
    for each in taken:
        if not each.answer.done():
            each.answer.set_exception(error)
