"""This node's clock, set by the store's once and then kept by its own."""

import asyncio
import logging
import time
from collections.abc import Callable

from cellrace_server.ports.clock import StoreTime
from cellrace_server.ports.errors import StoreUnavailable

SAMPLES = 5
MEASURE_EVERY_S = 30.0

SLEW_MOST_MS = 5
"""What one measurement may change: some 170 millionths, more than any quartz drifts."""

STEP_LEAST_MS = 1_000
"""A difference that no drift explains: somebody has set the store's clock. Races go on by the old one."""

logger = logging.getLogger(__name__)


class StoreClock:
    """Implements `ports.clock.Clock`: the monotonic clock plus the offset at which it agreed with the store's.

    The offset is the one measured with the shortest round trip of a few, exact to half of that. It follows drift, and
    never a clock that is set: durations are the monotonic clock's.
    """

    def __init__(self, store: StoreTime, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._store = store
        self._monotonic_ns = monotonic_ns
        self._offset_ns: int | None = None
        self._step_told = False

    def now(self) -> int:
        assert self._offset_ns is not None, "measure() comes first"
        return (self._monotonic_ns() + self._offset_ns) // 1_000_000

    async def wait_until(self, instant: int, /) -> None:
        while (left := instant - self.now()) > 0:  # noqa: ASYNC110 - it may wake early, the clock may be set
            await asyncio.sleep(left / 1_000)

    async def measure(self) -> None:
        """Set the clock, or follow the store's a little. Raises `StoreUnavailable`, and leaves it as it was."""
        best: tuple[int, int] | None = None
        for _ in range(SAMPLES):
            before = self._monotonic_ns()
            theirs = await self._store.store_time() * 1_000
            after = self._monotonic_ns()
            sample = (after - before, theirs - (before + after) // 2)
            best = sample if best is None else min(best, sample)
        assert best is not None, "at least one sample was taken"
        self._adopt(best[1])

    def _adopt(self, offset_ns: int) -> None:
        if self._offset_ns is None:
            self._offset_ns = offset_ns
            return
        difference = offset_ns - self._offset_ns
        if abs(difference) >= STEP_LEAST_MS * 1_000_000:
            if not self._step_told:
                logger.warning(
                    "the store's clock was set by %d ms: races go on by the old one", difference // 1_000_000
                )
            self._step_told = True
            return
        most = SLEW_MOST_MS * 1_000_000
        self._offset_ns += max(-most, min(most, difference))

    async def run(self) -> None:
        """Measure again now and then, until cancelled."""
        while True:
            await asyncio.sleep(MEASURE_EVERY_S)
            try:
                await self.measure()
            except StoreUnavailable:
                logger.debug("clock not measured: the store is away")
