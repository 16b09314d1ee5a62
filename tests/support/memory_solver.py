"""The solver's port without processes: it solves in the event loop, few positions, and fails on demand."""

import asyncio

from cellrace_engine import DealCode, Line, Rules, format_move
from cellrace_engine.solver import Limits, Verdict, solve
from cellrace_server.ports.errors import SolverUnavailable
from cellrace_server.ports.solver import USUAL, Effort, Found


class MemorySolver:
    """Implements `ports.solver.Solver`. `verdicts` are answers by deal number, taken for the truth; what is not among
    them is solved. `fail(2)` lets the next two questions meet a worker that dies; while `hold()` holds, nobody is
    answered. `asked` is every deal so far."""

    def __init__(self, workers: int = 1, verdicts: dict[int, Verdict] | None = None) -> None:
        self.workers = workers
        self.asked: list[DealCode] = []
        self.closed = False
        self._verdicts = verdicts or {}
        self._failures = 0
        self._turn = asyncio.Semaphore(workers)
        self._open = asyncio.Event()
        self._open.set()

    def fail(self, questions: int = 1) -> None:
        self._failures += questions

    def hold(self) -> None:
        self._open.clear()

    def go_on(self) -> None:
        self._open.set()

    async def solve(self, code: DealCode, rules: Rules, effort: Effort = USUAL, /) -> Found:
        if not self.workers:
            raise SolverUnavailable("there are no solver workers here")
        async with self._turn:
            self.asked.append(code)
            await asyncio.sleep(0)
            await self._open.wait()
            if self.closed:
                raise SolverUnavailable("the server is going down")
            if self._failures:
                self._failures -= 1
                raise SolverUnavailable("the worker died")
            return self._found(code, rules, effort)

    async def aclose(self) -> None:
        self.closed = True
        self.go_on()

    def _found(self, code: DealCode, rules: Rules, effort: Effort) -> Found:
        if code.number in self._verdicts:
            return Found(self._verdicts[code.number])
        solution = solve(code.deal(), rules, Limits(effort.nodes), lambda: effort.ms == 0)
        line = Line.begin(rules, code.deal())
        texts: list[str] = []
        for move in solution.line:
            texts.append(format_move(move, line.position, rules))
            line = line.play(move)
        return Found(solution.verdict, tuple(texts))
