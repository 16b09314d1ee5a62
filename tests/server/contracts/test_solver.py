"""What every solver promises."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import pytest
import pytest_asyncio

from cellrace_engine import CLASSIC, DealCode, Line, parse_move, parse_rules
from cellrace_engine.solver import Verdict
from cellrace_server.adapters.solver import Workers
from cellrace_server.ports.errors import SolverUnavailable
from cellrace_server.ports.solver import Effort, Solver
from tests.support.memory_solver import MemorySolver

pytestmark = pytest.mark.asyncio

WITHIN = 40
HARD = DealCode(4, 11_982)
"""Lost, and it takes long to see that."""


class Closable(Solver, Protocol):
    async def aclose(self) -> None: ...


def made(kind: str, workers: int) -> Closable:
    return MemorySolver(workers) if kind == "memory" else Workers(workers)


@pytest_asyncio.fixture(params=["memory", "processes"])
async def solver(request: pytest.FixtureRequest) -> AsyncIterator[Closable]:
    found = made(request.param, 1)
    yield found
    await found.aclose()


@pytest.mark.parametrize(
    ("code", "rules"), [(DealCode(4, 617), "classic"), (DealCode(2, 2), "pocket+cells=2")]
)
async def test_a_line_wins(solver: Solver, code: DealCode, rules: str) -> None:
    async with asyncio.timeout(WITHIN):
        found = await solver.solve(code, parse_rules(rules))
    assert found.verdict is Verdict.SOLVED
    line = Line.begin(parse_rules(rules), code.deal())
    for move in found.line:
        line = line.play(parse_move(move, line))
    assert line.won


async def test_effort_is_bounded_in_positions_and_in_time(solver: Solver) -> None:
    async with asyncio.timeout(WITHIN):
        few = await solver.solve(HARD, CLASSIC, Effort(nodes=300))
        short = await solver.solve(HARD, CLASSIC, Effort(ms=0))
    assert few == short == (Verdict.UNKNOWN, ())


async def test_a_lost_deal_is_said_to_be_lost(solver: Solver) -> None:
    async with asyncio.timeout(WITHIN):
        verdicts = [
            (await solver.solve(DealCode(1, number), parse_rules("classic+cells=1"), Effort(5_000))).verdict
            for number in range(1, 9)
        ]
    assert Verdict.LOST in verdicts


async def test_many_questions_are_answered_each(solver: Solver) -> None:
    async with asyncio.timeout(WITHIN):
        found = await asyncio.gather(
            *(solver.solve(DealCode(4, number), CLASSIC) for number in (1, 2, 3, 617))
        )
    assert [answer.verdict for answer in found] == [Verdict.SOLVED] * 4
    assert len({answer.line for answer in found}) == 4


async def test_cancelling_one_leaves_the_others(solver: Solver) -> None:
    async with asyncio.timeout(WITHIN):
        asked = asyncio.create_task(solver.solve(DealCode(4, 1), CLASSIC))
        waiting = asyncio.create_task(solver.solve(DealCode(4, 2), CLASSIC))
        await asyncio.sleep(0)
        asked.cancel()
        assert (await waiting).verdict is Verdict.SOLVED
        with pytest.raises(asyncio.CancelledError):
            await asked


async def test_who_waits_when_it_closes_is_told(solver: Closable) -> None:
    async with asyncio.timeout(WITHIN):
        asked = [asyncio.create_task(solver.solve(HARD, CLASSIC)) for _ in range(2)]
        await asyncio.sleep(0)
        await solver.aclose()
        await solver.aclose()
        for question in asked:
            with pytest.raises(SolverUnavailable):
                await question
        with pytest.raises(SolverUnavailable):
            await solver.solve(DealCode(4, 1), CLASSIC)


@pytest.mark.parametrize("kind", ["memory", "processes"])
async def test_without_workers_nothing_is_solved(kind: str) -> None:
    solver = made(kind, 0)
    with pytest.raises(SolverUnavailable):
        await solver.solve(DealCode(4, 617), CLASSIC)
    await solver.aclose()
