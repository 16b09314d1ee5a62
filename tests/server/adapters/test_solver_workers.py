"""Solver workers as processes: when there are any, what becomes of them, and of the server's end."""

import asyncio
import os
import signal
import sys

import pytest

from cellrace_engine import CLASSIC, DealCode
from cellrace_engine.solver import Verdict
from cellrace_server.adapters.solver import Workers
from cellrace_server.ports.errors import SolverUnavailable
from cellrace_server.ports.solver import Effort
from tests.support.processes import alive
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

WITHIN = 40
EASY = DealCode(4, 617)
HARD = DealCode(4, 11_982)
ENDLESS = Effort(nodes=10**9, ms=10**6)


async def test_processes_come_with_the_first_need_and_no_more_than_wanted() -> None:
    async with asyncio.timeout(WITHIN), Workers(2) as workers:
        assert workers.pids == []
        await workers.solve(EASY, CLASSIC)
        (first,) = workers.pids
        await workers.solve(EASY, CLASSIC)
        assert workers.pids == [first]
        await asyncio.gather(*(workers.solve(EASY, CLASSIC) for _ in range(6)))
        pids = workers.pids
        assert len(pids) == 2
    assert not any(alive(pid) for pid in pids)


async def at_work(workers: Workers) -> "asyncio.Task[object]":
    """A job that will not end by itself."""
    job: asyncio.Task[object] = asyncio.create_task(workers.solve(HARD, CLASSIC, ENDLESS))
    await eventually(lambda: bool(workers.pids))
    return job


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
async def test_a_dead_worker_is_an_error_and_is_replaced(number: signal.Signals) -> None:
    async with asyncio.timeout(WITHIN), Workers(1) as workers:
        job = await at_work(workers)
        (pid,) = workers.pids
        os.kill(pid, number)
        with pytest.raises(SolverUnavailable, match="died"):
            await job
        assert (await workers.solve(EASY, CLASSIC)).verdict is Verdict.SOLVED
        assert workers.pids != [pid]


async def test_one_that_died_while_idle_is_not_asked() -> None:
    async with asyncio.timeout(WITHIN), Workers(1) as workers:
        await workers.solve(EASY, CLASSIC)
        (pid,) = workers.pids
        os.kill(pid, signal.SIGKILL)
        await eventually(lambda: pid not in workers.pids)
        assert (await workers.solve(EASY, CLASSIC)).verdict is Verdict.SOLVED


async def test_a_worker_that_hangs_is_replaced() -> None:
    async with asyncio.timeout(WITHIN), Workers(1, grace_s=0.2) as workers:
        job = await at_work(workers)
        (pid,) = workers.pids
        job.cancel()
        await eventually(lambda: not alive(pid))
        await eventually(job.done)
        stopped = asyncio.create_task(workers.solve(HARD, CLASSIC, Effort(10**9, 100)))
        await eventually(lambda: bool(workers.pids))
        os.kill(workers.pids[0], signal.SIGSTOP)
        with pytest.raises(SolverUnavailable, match="in time"):
            await stopped


async def test_a_worker_keeps_to_its_memory() -> None:
    """It keeps so many positions as it has room for, and stops."""
    async with asyncio.timeout(WITHIN), Workers(1, megabytes=64) as workers:
        answer = await workers.solve(HARD, CLASSIC, Effort(nodes=10**9, ms=8_000))
        assert answer.verdict is Verdict.UNKNOWN  # it has run out of states before


async def test_a_server_killed_leaves_no_worker() -> None:
    """At SIGKILL, in the middle of a search; and Ctrl-C of a terminal does not reach it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.solver_program"),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    async with asyncio.timeout(WITHIN):
        worker = int(await process.stdout.readline())
        assert alive(worker)
        assert os.getsid(worker) != os.getsid(process.pid)
        process.kill()
        await process.wait()
        await eventually(lambda: not alive(worker))
