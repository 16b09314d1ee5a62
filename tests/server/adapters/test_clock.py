"""Race time does not follow the store's wall clock when that is set."""

import pytest

from cellrace_server.adapters.clock import SLEW_MOST_MS, StoreClock

pytestmark = pytest.mark.asyncio


class SetClock:
    """A store whose clock is ahead of the true one by `ahead_us`."""

    def __init__(self) -> None:
        self.ahead_us = 0
        self.true_us = 1_700_000_000_000_000

    async def store_time(self) -> int:
        return self.true_us + self.ahead_us

    def monotonic_ns(self) -> int:
        return self.true_us * 1_000


async def measured() -> tuple[SetClock, StoreClock]:
    store = SetClock()
    clock = StoreClock(store, monotonic_ns=store.monotonic_ns)
    await clock.measure()
    return store, clock


async def test_it_agrees_with_the_store() -> None:
    store, clock = await measured()
    assert clock.now() == store.true_us // 1_000


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_that_is_set_by_an_hour_changes_no_duration(hours: int) -> None:
    store, clock = await measured()
    before = clock.now()
    store.ahead_us = hours * 3_600_000_000
    for _ in range(10):
        store.true_us += 30_000_000
        await clock.measure()
    assert clock.now() - before == 300_000


@pytest.mark.parametrize("milliseconds", [-40, 40])
async def test_drift_is_made_good_little_by_little(milliseconds: int) -> None:
    store, clock = await measured()
    store.ahead_us = milliseconds * 1_000
    gaps: list[int] = []
    for _ in range(20):
        await clock.measure()
        gaps.append(abs(clock.now() - (store.true_us + store.ahead_us) // 1_000))
    assert gaps[0] >= abs(milliseconds) - SLEW_MOST_MS
    assert gaps[-1] <= 1
