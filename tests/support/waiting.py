"""Waiting for a condition, with a deadline: the only waiting there is in tests."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from cellrace_server.ports.errors import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

LOOK_AGAIN = 0.01


async def eventually(condition: Callable[[], bool], within: float = 10) -> None:
    """Return soon after `condition()` is true; the event loop has run at least once. Raises `TimeoutError` after
    `within` seconds."""
    async with asyncio.timeout(within):
        await asyncio.sleep(LOOK_AGAIN)
        while not condition():  # noqa: ASYNC110  # nothing tells us
            await asyncio.sleep(LOOK_AGAIN)


async def eventually_answers(
    condition: Callable[[], Awaitable[bool]], within: float = 10, every: float = LOOK_AGAIN
) -> None:
    """The same for a condition that has to be asked for, `every` so many seconds."""
    async with asyncio.timeout(within):
        while not await condition():  # noqa: ASYNC110  # nothing tells us
            await asyncio.sleep(every)


async def until_answered(call: Callable[P, Awaitable[T]], *arguments: P.args, **named: P.kwargs) -> T:
    """The same call to the store again, as every caller may, until there is an answer. Raises `TimeoutError` after
    20 seconds."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await call(*arguments, **named)
            except StoreUnavailable:
                await asyncio.sleep(LOOK_AGAIN)
