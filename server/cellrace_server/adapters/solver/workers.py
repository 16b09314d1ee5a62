"""Worker processes: started when they are first needed, watched, replaced when they die, ended with the server."""

import asyncio
import logging
from collections import deque
from types import TracebackType
from typing import Self

from cellrace_engine import DealCode, Rules, rules_text
from cellrace_engine.solver import Verdict
from cellrace_server.adapters import tied
from cellrace_server.adapters.solver.messages import FRAME_MOST, HEAD, Answer, Job, framed, read_answer
from cellrace_server.ports.errors import SolverUnavailable
from cellrace_server.ports.solver import USUAL, Effort, Found

WORKER = "cellrace_server.adapters.solver.worker"
MEGABYTES = 512
"""What one worker may take; the search itself is kept to half of it."""

GRACE_S = 5.0
"""A worker that is so much later than its time allows hangs, and is replaced. Covers its start."""

logger = logging.getLogger(__name__)


class Workers:
    """Implements `ports.solver.Solver` with up to `workers` processes. `aclose` when nobody uses it any more."""

    def __init__(self, workers: int = 1, *, megabytes: int = MEGABYTES, grace_s: float = GRACE_S) -> None:
        self.workers = workers
        self._megabytes = megabytes
        self._grace_s = grace_s
        self._turn = asyncio.Semaphore(workers)
        self._idle: deque[_Worker] = deque()
        self._all: set[_Worker] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The processes there are now."""
        return [worker.pid for worker in self._all if worker.runs]

    async def solve(self, code: DealCode, rules: Rules, effort: Effort = USUAL, /) -> Found:
        if not self.workers:
            raise SolverUnavailable("there are no solver workers here")
        job = Job(code.number, rules_text(rules), effort.nodes, effort.ms)
        async with self._turn:
            worker = await self._worker()
            try:
                answer = await worker.ask(job, effort.ms / 1_000 + self._grace_s)
            except SolverUnavailable as error:
                if not self._closed:
                    logger.warning("a solver worker is replaced: %s", error.why)
                raise
            else:
                self._idle.append(worker)
            finally:
                if worker not in self._idle:  # it failed, or nobody waits for it any more
                    self._dismiss(worker)
        return Found(Verdict(answer.verdict), tuple(answer.line))

    async def aclose(self) -> None:
        """End all workers at once; whoever waits gets `SolverUnavailable`. Harmless when repeated."""
        self._closed = True
        self._idle.clear()
        for worker in list(self._all):
            self._dismiss(worker)
        if self._leaving:
            await asyncio.wait(self._leaving)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _worker(self) -> "_Worker":
        while self._idle:
            worker = self._idle.popleft()
            if worker.runs:
                return worker
            self._dismiss(worker)
        if self._closed:
            raise SolverUnavailable("the server is going down")
        try:
            worker = _Worker(await tied.start_module(WORKER, str(self._megabytes)))
        except OSError as error:
            raise SolverUnavailable(f"a worker cannot be started: {error.strerror}") from error
        self._all.add(worker)
        if self._closed:  # while it was being started
            self._dismiss(worker)
        return worker

    def _dismiss(self, worker: "_Worker") -> None:
        """It is gone soon; `aclose` waits for that."""
        worker.kill()
        self._all.discard(worker)
        leaving = asyncio.create_task(worker.gone())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)


class _Worker:
    """One process, and one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def runs(self) -> bool:
        """It has not ended yet, as far as is known."""
        return self._process.returncode is None

    async def ask(self, job: Job, within_s: float) -> Answer:
        """The worker's answer. Raises `SolverUnavailable`, and then, or cancelled, it must not be asked again."""
        try:
            async with asyncio.timeout(within_s):
                answer = await self._exchange(job)
        except TimeoutError:
            raise SolverUnavailable("the worker does not answer in time") from None
        except (asyncio.IncompleteReadError, OSError, ValueError):
            raise SolverUnavailable("the worker died") from None
        if answer.out_of_memory:
            raise SolverUnavailable("the worker has used up its memory")
        return answer

    def kill(self) -> None:
        tied.kill(self._process)

    async def gone(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()

    async def _exchange(self, job: Job) -> Answer:
        """Raises `IncompleteReadError`, `OSError` when it is gone, `ValueError` for what is no answer."""
        pipes = self._process
        assert pipes.stdin is not None, "it is a pipe"
        assert pipes.stdout is not None, "it is a pipe"
        pipes.stdin.write(framed(job))
        (length,) = HEAD.unpack(await pipes.stdout.readexactly(HEAD.size))
        if length > FRAME_MOST:
            raise ValueError(f"a frame of {length} bytes")
        return read_answer(await pipes.stdout.readexactly(length))
