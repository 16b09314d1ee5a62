"""Choosing the deals of the day: the same on all nodes, solved, kept, announced the day before; midnight and its
company."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from cellrace_engine.solver import Verdict
from cellrace_server.core.dailies import DAILY_RULES, Daily, candidate
from cellrace_server.core.days import begins, day_number, day_text, parse_day
from cellrace_server.core.fair_deals import KNOWN_LOST
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.services.daily_deals import LOOK_EVERY_MS, DailyDeals
from tests.server.services.node import CountingChance
from tests.support.clock import ManualClock
from tests.support.memory_solver import MemorySolver
from tests.support.memory_store import Memory, MemoryDailies

pytestmark = pytest.mark.asyncio

CLASSIC, TWO_CELLS = DAILY_RULES
DAY_MS = 86_400_000


def first_ms(day: str) -> int:
    number = parse_day(day)
    assert number is not None
    return begins(number)


class Chooser:
    """One node's choosing."""

    def __init__(
        self, memory: Memory, clock: ManualClock, name: str = "a", solver: MemorySolver | None = None
    ) -> None:
        self.solver = solver or solves_all()
        self.dailies = MemoryDailies(memory)
        self.deals = DailyDeals(self.dailies, self.solver, clock, CountingChance(name))


class _All(dict[int, Verdict]):
    """Every deal is solved, but for those that are said not to be."""

    def __contains__(self, _number: object) -> bool:
        return True

    def __missing__(self, _number: int) -> Verdict:
        return Verdict.SOLVED


def solves_all(workers: int = 1) -> MemorySolver:
    return MemorySolver(workers, _All())


def solves_all_but(*lost: int) -> MemorySolver:
    return MemorySolver(1, _All(dict.fromkeys(lost, Verdict.LOST)))


@asynccontextmanager
async def choosing(*nodes: Chooser) -> AsyncGenerator[None]:
    tasks = [asyncio.create_task(node.deals.run()) for node in nodes]
    try:
        yield
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def of(node: Chooser, day: str) -> list[Daily | None]:
    number = parse_day(day)
    assert number is not None
    return [await node.deals.on(number, rules) for rules in DAILY_RULES]


@pytest.mark.parametrize(
    ("today", "tomorrow", "after"),
    [
        ("2028-02-28", "2028-02-29", "2028-03-01"),
        ("2027-02-28", "2027-03-01", "2027-03-02"),
        ("2026-12-31", "2027-01-01", "2027-01-02"),
    ],
)
async def test_tomorrow_is_promised_the_day_before_and_rolls_over_at_midnight(
    today: str, tomorrow: str, after: str
) -> None:
    clock = ManualClock(first_ms(tomorrow) - 5_000)
    node = Chooser(Memory(), clock)
    async with choosing(node):
        await clock.settle()
        promised = await of(node, tomorrow)
        assert all(daily is not None and daily.at < daily.begins for daily in promised)
        await clock.pass_time(4_999)
        assert await of(node, after) == [None, None]
        await clock.pass_time(1)
        assert await of(node, tomorrow) == promised
        assert None not in await of(node, after)
        assert None not in await of(node, today)


async def test_two_nodes_at_once_give_the_same_deals() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    nodes = Chooser(memory, clock, "a"), Chooser(memory, clock, "b")
    async with choosing(*nodes):
        await clock.settle()
        for day in ("2026-11-30", "2026-12-01"):
            assert await of(nodes[0], day) == await of(nodes[1], day)
            assert None not in await of(nodes[0], day)
    assert len(memory.dailies) == 4


async def test_nodes_whose_solvers_disagree_offer_the_same_deal() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    here = Chooser(memory, clock, "a")
    secret = await here.dailies.secret(b"s" * 32)
    there = Chooser(memory, clock, "b", solves_all_but(candidate(secret, "2026-11-30", CLASSIC, 0)))
    there.solver.hold()
    async with choosing(here, there):
        await clock.settle()
        there.solver.go_on()
        await clock.settle()
        assert await of(here, "2026-11-30") == await of(there, "2026-11-30")


async def test_what_is_lost_is_not_offered() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    secret = await MemoryDailies(memory).secret(b"s" * 32)
    lost = [candidate(secret, "2026-11-30", rules, 0) for rules in DAILY_RULES]
    node = Chooser(memory, clock, solver=solves_all_but(*lost))
    async with choosing(node):
        await clock.settle()
        numbers = [daily.number for daily in await of(node, "2026-11-30") if daily is not None]
    assert numbers == [candidate(secret, "2026-11-30", rules, 1) for rules in DAILY_RULES]


async def test_a_server_that_was_down_over_midnight_keeps_what_was_promised() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    node = Chooser(memory, clock)
    async with choosing(node):
        await clock.settle()
        promised = await of(node, "2026-12-01")
    clock.move(DAY_MS + 3_600_000)
    again = Chooser(memory, clock, "b")
    async with choosing(again):
        await clock.settle()
        assert await of(again, "2026-12-01") == promised
        assert None not in await of(again, "2026-12-02")


async def test_a_server_that_was_down_for_days_has_today_at_once_and_says_when_it_was_promised() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    async with choosing(Chooser(memory, clock)):
        await clock.settle()
    clock.move(5 * DAY_MS + 60_000)
    node = Chooser(memory, clock)
    async with choosing(node):
        await clock.settle()
        for daily in await of(node, "2026-12-05"):
            assert daily is not None
            assert daily.at == daily.begins + 60_000


async def test_without_solver_workers_only_four_cells_are_offered_and_none_that_is_known_lost() -> None:
    clock = ManualClock(first_ms("2026-11-30"))
    node = Chooser(Memory(), clock, solver=solves_all(0))
    async with choosing(node):
        await clock.settle()
        classic, two_cells = await of(node, "2026-11-30")
    assert classic is not None
    assert classic.number not in KNOWN_LOST
    assert two_cells is None
    assert node.solver.asked == []


async def test_another_node_with_workers_solves_for_those_without() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    without, with_workers = Chooser(memory, clock, "a", solves_all(0)), Chooser(memory, clock, "b")
    async with choosing(without, with_workers):
        await clock.settle()
        assert None not in await of(without, "2026-11-30")


async def test_a_solver_that_dies_and_a_store_that_is_away_only_put_it_off() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-11-30"))
    node = Chooser(memory, clock)
    node.solver.fail(2)
    async with choosing(node):
        await clock.settle()
        memory.fail(1)
        await clock.pass_time(10_000)
        assert None not in await of(node, "2026-12-01")


async def test_a_clock_set_back_finds_the_days_as_they_were() -> None:
    memory, clock = Memory(), ManualClock(first_ms("2026-12-01"))
    node = Chooser(memory, clock)
    async with choosing(node):
        await clock.settle()
        days = [await of(node, day) for day in ("2026-12-01", "2026-12-02")]
        clock.move(-DAY_MS - 1)
        again = Chooser(memory, clock, "b")
        async with choosing(again):
            await clock.settle()
            assert day_text(day_number(clock.now())) == "2026-11-29"
            assert None not in await of(again, "2026-11-29")
            assert [await of(again, day) for day in ("2026-12-01", "2026-12-02")] == days


async def test_the_solver_itself_solves_the_deal_of_two_cells() -> None:
    clock = ManualClock(first_ms("2026-11-30"))
    node = Chooser(Memory(), clock, solver=MemorySolver())
    number = parse_day("2026-11-30")
    assert number is not None
    await node.deals.choose(number)
    assert None not in await of(node, "2026-11-30")
    assert {code.cells for code in node.solver.asked} == {2, 4}


async def test_a_daily_that_cannot_be_read_ends_no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are chosen when it can be read again."""
    memory, clock = Memory(now=first_ms("2026-11-30") * 1_000), ManualClock(first_ms("2026-11-30"))
    chooser = Chooser(memory, clock)

    async def broken(*_: object) -> Daily | None:
        raise StoreCorrupt("a daily", "it is no daily")

    with monkeypatch.context() as patched:
        patched.setattr(chooser.dailies, "find", broken)
        choosing = asyncio.create_task(chooser.deals.run())
        await clock.settle()
        assert not choosing.done()
    await clock.pass_time(LOOK_EVERY_MS)
    assert not choosing.done()
    assert await chooser.deals.on(day_number(clock.now()), CLASSIC) is not None
    choosing.cancel()
