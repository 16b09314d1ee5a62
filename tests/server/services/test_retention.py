"""Which replays are dropped, and when: to the millisecond, on any number of nodes, and never one behind a row."""

import asyncio
import random
from collections.abc import Sequence

import pytest

from cellrace_server.core.boards import entries
from cellrace_server.core.days import DAY_MS
from cellrace_server.core.people import Player
from cellrace_server.core.runs import Run
from cellrace_server.ports.results import Results
from cellrace_server.services.retention import BATCH, EVERY_MS, PAUSE_MS, Retention
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory, MemoryRaceLog, MemoryResults

pytestmark = pytest.mark.asyncio

DAYS = 30
NOW = 100 * DAY_MS
OLD = NOW - DAYS * DAY_MS
"""The last instant that is long enough ago."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


def a_run(race: str, time: int, at: int, player: str = "anna", *, ranked: bool = False) -> Run:
    return Run(
        *(f"{race}-0", Player(player, player.title()), "FC1-C4-AAAAATJ", "classic", time, time, at, race),
        started=at - time,
        ranked=ranked,
    )


async def book(results: Results, *runs: Run) -> None:
    for run in runs:
        await results.book(run, entries(run), b"replay")


def keeper(memory: Memory, clock: ManualClock, days: int = DAYS, name: str = "a") -> Retention:
    return Retention(MemoryResults(memory), MemoryRaceLog(memory, name), clock, days)


async def swept(retention: Retention, clock: ManualClock) -> None:
    await clock.carry_out(retention.sweep())


async def test_a_replay_without_a_row_is_dropped_to_the_millisecond(
    memory: Memory, clock: ManualClock
) -> None:
    worse = [a_run(f"r{n}", 90, OLD + n, "anna") for n in (-1, 0, 1)]
    best = a_run("best", 80, OLD - 2)
    await book(MemoryResults(memory), *worse, best)
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["best-0", "r1-0"]
    assert len(memory.runs) == 4, "what was raced stays"
    clock.move(1)
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["best-0"]


async def test_any_row_keeps_a_replay_and_the_last_one_lost_lets_it_go(
    memory: Memory, clock: ManualClock
) -> None:
    """A slow run of long ago stands on the boards of its day still."""
    slow = a_run("slow", 90, OLD, ranked=True)
    fast = a_run("fast", 80, OLD - 20 * DAY_MS, ranked=True)
    await book(MemoryResults(memory), slow, fast)
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["fast-0", "slow-0"]
    faster_that_day = a_run("late", 70, OLD, ranked=True)
    await book(MemoryResults(memory), faster_that_day)
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["fast-0", "late-0"], "fast stands on its own day"


async def test_what_is_not_settled_is_left_alone(memory: Memory, clock: ManualClock) -> None:
    """It may not be booked everywhere yet."""
    log = MemoryRaceLog(memory, "a")
    worse, best = a_run("worse", 90, 0), a_run("best", 80, 1)
    await log.open("worse")
    await book(MemoryResults(memory), worse, best)
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["best-0", "worse-0"]
    await log.settle("worse")
    await swept(keeper(memory, clock), clock)
    assert sorted(memory.replays) == ["best-0"]


async def test_a_booking_that_ends_while_one_looks_is_seen(memory: Memory, clock: ManualClock) -> None:
    """Where a store does not book in one step, the race may be settled between the two questions."""

    class Late(MemoryResults):
        async def stands(self, run: Run, boards: Sequence[str], /) -> bool:
            stood = await super().stands(run, boards)
            await MemoryResults(memory).book(run, entries(run), b"replay")
            await MemoryRaceLog(memory, "b").settle(run.race)
            return stood

    run = a_run("race", 90, 0)
    await MemoryRaceLog(memory, "a").open("race")
    await MemoryResults(memory).book(run, (), b"replay")
    await swept(Retention(Late(memory), MemoryRaceLog(memory, "a"), clock, DAYS), clock)
    assert sorted(memory.replays) == ["race-0"]


async def test_by_default_nothing_is_ever_dropped(memory: Memory, clock: ManualClock) -> None:
    await book(MemoryResults(memory), a_run("worse", 90, 0), a_run("best", 80, 1))
    work = asyncio.create_task(keeper(memory, clock, days=0).run())
    await clock.pass_time(3 * EVERY_MS)
    assert not work.done()
    assert len(memory.replays) == 2
    work.cancel()


async def test_it_looks_every_hour_also_when_the_store_was_away(memory: Memory, clock: ManualClock) -> None:
    await book(MemoryResults(memory), a_run("worse", 90, 0), a_run("best", 80, 1))
    work = asyncio.create_task(keeper(memory, clock).run())
    await clock.pass_time(EVERY_MS - 1)
    memory.away = True
    await clock.pass_time(1)
    memory.mend()
    assert len(memory.replays) == 2
    await clock.pass_time(EVERY_MS)
    assert sorted(memory.replays) == ["best-0"]
    work.cancel()


async def test_a_clock_set_back_drops_nothing_early(memory: Memory) -> None:
    await book(MemoryResults(memory), a_run("worse", 90, OLD), a_run("best", 80, OLD))
    for instant in (0, DAYS * DAY_MS, NOW - 1):
        early = ManualClock(instant)
        await swept(keeper(memory, early), early)
        assert len(memory.replays) == 2


@pytest.mark.parametrize("seed", range(20))
async def test_two_nodes_that_book_and_sweep_leave_exactly_what_they_should(
    clock: ManualClock, seed: int
) -> None:
    """Every row has its replay at every moment; in the end nothing else is older than so many days."""
    chance, memory = random.Random(seed), Memory()
    nodes = [(MemoryResults(memory), keeper(memory, clock, name=name)) for name in "ab"]
    count = chance.choice((40, BATCH, 3 * BATCH))
    runs = [
        a_run(
            f"race{n}",
            chance.randrange(60, 70),
            OLD + chance.choice((0, 1, -1, chance.randrange(-20 * DAY_MS, DAY_MS))),
            f"p{chance.randrange(4)}",
            ranked=chance.random() < 0.3,
        )
        for n in range(count)
    ]

    def standing() -> set[str]:
        return {row[2] for rows in memory.rows.values() for row in rows.values()}

    async def books(results: Results, booked: Sequence[Run]) -> None:
        for run in booked:
            await results.book(run, entries(run), b"replay")
            assert standing() <= memory.replays.keys()
            await clock.wait_until(clock.now() + chance.randrange(4))

    halves = runs[: count // 2 + 5], runs[count // 2 - 5 :]
    work = [
        asyncio.create_task(books(results, half)) for (results, _), half in zip(nodes, halves, strict=True)
    ]
    work += [asyncio.create_task(retention.sweep()) for _, retention in nodes]
    await clock.run_until(lambda: all(task.done() for task in work))
    for task in work:
        task.result()
    before = clock.now()
    sweeps = [asyncio.create_task(retention.sweep()) for _, retention in nodes]
    await clock.run_until(lambda: all(task.done() for task in sweeps))
    for task in sweeps:
        task.result()
    assert clock.now() - before <= PAUSE_MS * (count // BATCH + 2)
    young = {run.id for run in runs if run.at > before - DAYS * DAY_MS}
    assert memory.replays.keys() == standing() | young
