"""Waiting for a condition, with a deadline: the only waiting there is in tests."""

import asyncio
from collections.abc import Callable

LOOK_AGAIN = 0.01


async def eventually(condition: Callable[[], bool], within: float = 10) -> None:
    """Return soon after `condition()` is true; the event loop has run at least once. Raises `TimeoutError` after
    `within` seconds."""
    async with asyncio.timeout(within):
        await asyncio.sleep(LOOK_AGAIN)
        while not condition():  # noqa: ASYNC110  # nothing tells us
            await asyncio.sleep(LOOK_AGAIN)
