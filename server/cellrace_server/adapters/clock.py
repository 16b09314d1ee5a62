"""This node's clock, set by the store's."""

import asyncio
import logging
import time

from cellrace_server.ports.clock import StoreTime
from cellrace_server.ports.errors import StoreUnavailable

SAMPLES = 5
MEASURE_EVERY_S = 30.0
STEP_MOST_MS = 5
"""A new offset that differs by less than this from the one in use is taken for noise."""

logger = logging.getLogger(__name__)


class StoreClock:
    """Implements `ports.clock.Clock`: the monotonic clock plus the offset at which it agrees with the store's.

    The offset is the one measured with the shortest round trip of a few, exact to half of that.
    """

    def __init__(self, store: StoreTime) -> None:
        self._store = store
        self._offset_ns: int | None = None

    def now(self) -> int:
        assert self._offset_ns is not None, "measure() comes first"
        return (time.monotonic_ns() + self._offset_ns) // 1_000_000

    async def wait_until(self, instant: int, /) -> None:
        while (left := instant - self.now()) > 0:  # noqa: ASYNC110 - it may wake early, the clock may be set
            await asyncio.sleep(left / 1_000)

    async def measure(self) -> None:
        """Set the clock. Raises `StoreUnavailable`, and leaves it as it was."""
        best: tuple[int, int] | None = None
        for _ in range(SAMPLES):
            before = time.monotonic_ns()
            theirs = await self._store.store_time() * 1_000
            after = time.monotonic_ns()
            sample = (after - before, theirs - (before + after) // 2)
            best = sample if best is None else min(best, sample)
        assert best is not None, "at least one sample was taken"
        self._adopt(best[1])

    def _adopt(self, offset_ns: int) -> None:
        if self._offset_ns is None:
            self._offset_ns = offset_ns
        elif abs(offset_ns - self._offset_ns) > STEP_MOST_MS * 1_000_000:
            logger.warning("clock set by %d ms", (offset_ns - self._offset_ns) // 1_000_000)
            self._offset_ns = offset_ns

    async def run(self) -> None:
        """Measure again now and then, until cancelled."""
        while True:
            await asyncio.sleep(MEASURE_EVERY_S)
            try:
                await self.measure()
            except StoreUnavailable:
                logger.debug("clock not measured: the store is away")
