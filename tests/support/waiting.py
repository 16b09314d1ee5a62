"""Waiting for a condition, with a deadline: the only waiting there is in tests."""

import asyncio
from collections.abc import Callable

LOOK_AGAIN = 0.01


async def eventually(condition: Callable[[], bool], within: float = 10) -> None:
    """Return as soon as `condition()` is true. Raises `TimeoutError` after `within` seconds."""
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110  # nothing tells us
            await asyncio.sleep(LOOK_AGAIN)
