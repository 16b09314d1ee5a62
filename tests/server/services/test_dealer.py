"""Deals drawn: from all that are known to be won, or from a stock of proven ones."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from cellrace_engine import CLASSIC, DealCode, parse_rules
from cellrace_engine.solver import Verdict, solve
from cellrace_server.core.commands import GiveUp
from cellrace_server.core.fair_deals import KNOWN_LOST
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.services.dealer import PATIENCE_MS, RETRY_AFTER_MS, STOCK, Dealer
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, CountingChance, Node, running, value
from tests.support.clock import ManualClock
from tests.support.memory_solver import MemorySolver
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

TWO = parse_rules("pocket+cells=2")
ONE = parse_rules("classic+cells=1")
VERDICTS = {number: (Verdict.SOLVED, Verdict.LOST, Verdict.UNKNOWN)[number % 3] for number in range(1, 2_000)}
"""Every third deal is won."""


@pytest.fixture
def solver() -> MemorySolver:
    return MemorySolver(verdicts=VERDICTS)


@pytest_asyncio.fixture
async def dealer(solver: MemorySolver, clock: ManualClock) -> AsyncIterator[Dealer]:
    dealer = Dealer(solver, clock, CountingChance("a"))
    yield dealer
    await dealer.aclose()


async def test_with_four_cells_nothing_is_solved(dealer: Dealer, solver: MemorySolver) -> None:
    numbers = [dealer.draw(CLASSIC) for _ in range(100)]
    assert not KNOWN_LOST & set(numbers)
    assert len(set(numbers)) == 100
    assert solver.asked == []


async def test_the_stock_is_filled_from_the_first_need_on_with_deals_that_are_won(
    dealer: Dealer, solver: MemorySolver, clock: ManualClock
) -> None:
    assert dealer.draw(TWO) is None
    assert solver.asked == []
    assert await clock.carry_out(dealer.restocked(TWO)) is None
    await clock.settle()
    asked = len(solver.asked)
    await clock.settle()
    assert len(solver.asked) == asked, "it is full"
    drawn = [dealer.draw(TWO) for _ in range(1 + STOCK)]
    assert [number and VERDICTS[number] for number in drawn] == [Verdict.SOLVED] * (1 + STOCK)
    assert dealer.draw(TWO) is None
    await clock.settle()
    more = [dealer.draw(TWO) for _ in range(STOCK)]
    assert None not in more
    assert len({*drawn, *more}) == 1 + 2 * STOCK, "no deal is drawn twice"


async def test_each_number_of_cells_has_a_stock_of_its_own_and_other_rules_share_it(
    dealer: Dealer, solver: MemorySolver, clock: ManualClock
) -> None:
    assert await clock.carry_out(dealer.restocked(TWO)) is None
    assert dealer.draw(ONE) is None
    assert dealer.draw(parse_rules("relaxed+cells=2")) is not None
    assert {code.cells for code in solver.asked} == {2}


async def test_an_empty_stock_is_waited_for_and_then_refused(
    dealer: Dealer, solver: MemorySolver, clock: ManualClock
) -> None:
    solver.hold()
    began = clock.now()
    refused = await clock.carry_out(dealer.restocked(TWO))
    assert isinstance(refused, Rejected)
    assert (refused.reason, refused.retry_after) == ("busy", RETRY_AFTER_MS)
    assert clock.now() - began == PATIENCE_MS
    solver.go_on()
    assert await clock.carry_out(dealer.restocked(TWO)) is None


async def test_who_waits_is_served_in_turn_and_nobody_draws_before_them(
    dealer: Dealer, solver: MemorySolver, clock: ManualClock
) -> None:
    solver.hold()
    people = [f"p{number}" for number in range(STOCK + 4)]
    waiting = [asyncio.create_task(dealer.restocked(TWO, who)) for who in people]
    await clock.settle()
    twice = await dealer.restocked(TWO, people[0])
    assert isinstance(twice, Rejected)
    assert "already" in twice.text
    solver.go_on()
    async with asyncio.timeout(10):
        assert await asyncio.gather(*waiting) == [None] * len(people)
    while dealer.draw(TWO, "a latecomer") is not None:
        pass
    drawn = [dealer.draw(TWO, who) for who in people]
    assert None not in drawn
    assert len(set(drawn)) == len(people)


async def test_a_worker_that_dies_costs_a_moment(
    dealer: Dealer, solver: MemorySolver, clock: ManualClock
) -> None:
    solver.fail(2)
    assert await clock.carry_out(dealer.restocked(TWO)) is None
    assert dealer.draw(TWO) is not None


async def test_without_workers_a_deal_must_be_named(clock: ManualClock) -> None:
    dealer = Dealer(MemorySolver(workers=0), clock, CountingChance("a"))
    assert dealer.draw(TWO) is None
    refused = await dealer.restocked(TWO)
    assert isinstance(refused, Rejected)
    assert (refused.reason, refused.retry_after) == ("bad_options", 0)
    assert "must be named" in refused.text
    assert dealer.draw(CLASSIC) is not None


def room_of(answer: Room | Rejected) -> Room:
    assert isinstance(answer, Room), answer
    return answer


async def test_created_quick_and_rematch_races_with_few_cells_can_be_won(
    node: Node, clock: ManualClock
) -> None:
    """A series too: its races are on deals of their own."""
    options = Options(rules=TWO, countdown_ms=0, best_of=3)
    async with running(node):
        created = room_of(await clock.carry_out(node.lobby.create(Visitor(ADA), Terms(options))))
        quick = room_of(await clock.carry_out(node.lobby.quick(Visitor(ADA), options)))
        assert room_of(await clock.carry_out(node.lobby.quick(Visitor(GRACE), options))) is quick
        await clock.settle()
        for player in (ADA, GRACE):
            await node.hall.ask(quick, GiveUp(player.id, 1))
        found = await clock.carry_out(node.lobby.rematch(Visitor(ADA), quick))
        assert isinstance(found, str)
        races = [value(room.race) for room in (created, quick, node.hall.rooms[found])]
        assert races[2].series.game == 2
        codes = [race.code for race in races]
        assert len(set(codes)) == 3
        assert all(solve(code.deal(), TWO).solved for code in codes)
        assert {code.cells for code in codes} == {2}


async def test_strangers_meet_though_no_deal_is_there_yet(memory: Memory, clock: ManualClock) -> None:
    """On two nodes: neither waits for a race of the other that is not made yet, and one race comes of it."""
    options = Options(rules=TWO, countdown_ms=0)
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        here.solver.hold()
        first = asyncio.create_task(here.lobby.quick(Visitor(ADA), options))
        await clock.settle()
        assert memory.names == {}
        second = room_of(await clock.carry_out(there.lobby.quick(Visitor(GRACE), options)))
        here.solver.go_on()
        await clock.run_until(first.done)
        assert room_of(first.result()).id == second.id
        assert len(memory.logs) == 1


async def test_a_race_that_cannot_be_dealt_leaves_nothing_behind(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    async with running(node):
        node.solver.hold()
        for call in (
            node.lobby.create(Visitor(ADA), Terms(Options(rules=ONE))),
            node.lobby.quick(Visitor(ADA), Options(rules=ONE)),
        ):
            answer = await clock.carry_out(call)
            assert isinstance(answer, Rejected)
            assert answer.reason == "busy"
        assert node.hall.rooms == {}
        assert (memory.logs, memory.names, memory.unsettled) == ({}, {}, set())
        node.solver.go_on()


async def test_a_deal_can_be_named_with_any_number_of_cells(node: Node) -> None:
    async with running(node):
        room = room_of(await node.lobby.create(Visitor(ADA), Terms(Options(rules=ONE), 617)))
        assert value(room.race).code == DealCode(1, 617)
        assert node.solver.asked == []


async def test_for_a_race_that_will_not_be_no_deal_is_drawn(node: Node, clock: ManualClock) -> None:
    async with running(node):
        for call in (
            node.lobby.create(Visitor(ADA), Terms(Options(rules=TWO, seats=0))),
            node.lobby.quick(Visitor(ADA), Options(rules=TWO, best_of=2)),
        ):
            answer = await clock.carry_out(call)
            assert isinstance(answer, Rejected)
            assert answer.reason == "bad_options"
        assert node.solver.asked == []
        assert node.memory.names == {}


async def test_a_deal_that_was_waited_for_in_vain_is_back_in_stock(
    solver: MemorySolver, clock: ManualClock
) -> None:
    """Two ask for a race of strangers at once: both wait for a deal, and one race needs one."""
    async with running(Node(Memory(), clock, solver=solver)) as node:
        options = Options(rules=ONE)
        asking = [asyncio.create_task(node.lobby.quick(Visitor(who), options)) for who in (ADA, GRACE)]
        await clock.run_until(lambda: all(task.done() for task in asking))
        first, second = [task.result() for task in asking]
        assert first is second
        await clock.settle()
        won = [code for code in solver.asked if VERDICTS[code.number] is Verdict.SOLVED]
        assert len(won) == 1 + STOCK, "of the race, and in stock"
        assert {node.dealer.draw(ONE) for _ in range(STOCK)} < {code.number for code in won}
