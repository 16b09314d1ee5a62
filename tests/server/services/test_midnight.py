"""Midnight, on two nodes whose clocks differ a little; leap days, the end of a year, a clock set back."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from cellrace_server.core.dailies import COUNTDOWN_MS
from cellrace_server.core.days import DAY_MS, day_number, day_text
from cellrace_server.core.evolve import fold
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.streaks import Streak
from cellrace_server.services.daily_attempts import Stage, Today
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, Node, running, value
from tests.server.services.test_daily_attempts import CLASSIC, begun, chosen, quick_node, today, won
from tests.server.services.test_daily_deals import Chooser, choosing, first_ms
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

SKEW_MS = 40


class Behind(ManualClock):
    """A clock that is late by some milliseconds, moved by another."""

    def __init__(self, clock: ManualClock, ms: int) -> None:
        super().__init__()
        self._clock = clock
        self._ms = ms

    def now(self) -> int:
        return self._clock.now() - self._ms

    async def wait_until(self, instant: int, /) -> None:
        await self._clock.wait_until(instant + self._ms)

    async def settle(self) -> None:
        await self._clock.settle()


@asynccontextmanager
async def deals_of(*nodes: Node) -> AsyncGenerator[None]:
    """The deals of these nodes are chosen as midnight comes."""
    tasks = [asyncio.create_task(node.daily_deals.run()) for node in nodes]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def rows(node: Node) -> list[Today]:
    return await node.daily.today(ADA.id, day_number(node.clock.now()))


@pytest.mark.parametrize("day", ["2026-12-01", "2027-01-01", "2028-02-29", "2028-03-01", "2100-03-01"])
async def test_two_nodes_go_over_midnight_with_the_same_deals(day: str) -> None:
    """And neither reveals one before its own day is over."""
    memory, clock = Memory(), ManualClock(first_ms(day) - 200)
    here = Chooser(memory, clock, "a")
    late = Chooser(memory, Behind(clock, SKEW_MS), "b")
    nodes = quick_node(memory, clock, "c"), quick_node(memory, Behind(clock, SKEW_MS), "d")
    async with choosing(here, late):
        await clock.settle()
        for _ in range(40):
            await clock.pass_time(10)
            for node in nodes:
                found = await rows(node)
                number = day_number(node.clock.now())
                assert [(row.daily.day, row.daily.rules) for row in found] == [
                    (day_text(number), rules) for rules in ("classic", "pocket+cells=2")
                ]
                for row in found:
                    assert row.last is None or row.last.ends <= node.clock.now()
                    assert row.daily.at < row.daily.begins or row.daily.day < day
                    assert row.daily is not row.next
        dailies = list(memory.dailies.values())
        assert len(dailies) == 6, "of the day before, of the day, and of the next"
        assert await here.dailies.find(day, "classic") == await late.dailies.find(day, "classic")


@pytest.mark.parametrize(
    "before_ms", [1, SKEW_MS - 1, SKEW_MS + 1, COUNTDOWN_MS, COUNTDOWN_MS + SKEW_MS + 1, 9_000]
)
async def test_asked_for_on_two_nodes_around_midnight_each_day_has_one_attempt(
    memory: Memory, before_ms: int
) -> None:
    """What has begun has begun on its day; what would have begun after it is not spent."""
    midnight = first_ms("2028-03-01")
    clock = ManualClock(midnight - 60_000)
    here = await chosen(quick_node(memory, clock, "a"))
    late = await chosen(quick_node(memory, Behind(clock, SKEW_MS), "b"))
    async with running(here), running(late):
        clock.move(midnight - before_ms - clock.now())
        async with deals_of(here, late):
            asked: list[Room | Rejected] = []
            for step in range(8):
                asked += [
                    await clock.carry_out(node.daily.play(Visitor(player, f"{step}"), CLASSIC))
                    for node, player in itertools.product((here, late), (ADA, GRACE))
                ]
                await clock.pass_time(max(1, before_ms // 4))
            await clock.pass_time(2 * COUNTDOWN_MS)
            assert all(isinstance(room, Room) for room in asked)
    races = [value(fold(log)) for log in memory.logs.values()]
    started = [race for race in races if race.start]
    for race in started:
        assert day_text(day_number(race.start)) == race.options.daily
    counts = Counter((race.host, race.options.daily) for race in started)
    assert set(counts.values()) == {1}
    assert {day for _, day in counts} <= {"2028-02-29", "2028-03-01"}
    assert {race.end_reason for race in races if not race.start} <= {"day_over"}


@pytest.mark.parametrize(
    ("first", "days"),
    [("2028-02-27", 4), ("2027-02-27", 3), ("2026-12-30", 4)],
)
async def test_a_streak_goes_on_over_leap_days_and_the_end_of_a_year(
    memory: Memory, first: str, days: int
) -> None:
    """Finished each time a minute before midnight or after it, on the other node in turn."""
    clock = ManualClock(first_ms(first) + DAY_MS - 60_000)
    here, there = quick_node(memory, clock, "a"), quick_node(memory, clock, "b")
    async with running(here), running(there):
        for count in range(1, days + 1):
            node = (here, there)[count % 2]
            room = await begun(await chosen(node))
            if count % 3 == 0:
                await clock.pass_time(90_000)  # finished on the next day, and begun on this one
            await won(node, room)
            assert (await today(await chosen(node))).streak == Streak(count, count)
            clock.move(first_ms(first) + (count + 1) * DAY_MS - 60_000 - clock.now())
            await clock.settle()
        assert (await today(await chosen(here))).streak == Streak(days, days), "today is not over yet"
        clock.move(DAY_MS)
        assert (await today(await chosen(here))).streak == Streak(0, days)


async def test_a_server_started_on_a_clock_set_back_gives_no_second_attempt(memory: Memory) -> None:
    noon = first_ms("2026-11-30") + DAY_MS // 2
    clock = ManualClock(noon)
    first = quick_node(memory, clock, "a")
    async with running(await chosen(first)):
        await won(first, await begun(first))
        spent = await today(first)
    set_back = ManualClock(noon - DAY_MS)
    again = quick_node(memory, set_back, "b")
    async with running(await chosen(again)):
        earlier = await today(again)
        assert (earlier.daily.day, earlier.attempt.stage) == ("2026-11-29", Stage.OPEN)
        assert earlier.next == spent.daily, "what was promised stands"
        assert earlier.streak == Streak(0, 1), "a day to come does not count yet"
        await won(again, await begun(again))
        assert (await today(again)).streak == Streak(1, 2)
        set_back.move(DAY_MS)
        await set_back.settle()
        row = await today(await chosen(again))
        assert (row.daily, row.attempt) == (spent.daily, spent.attempt)
        assert row.streak == Streak(2, 2)
        assert value((await begun(again)).race).options.practice
