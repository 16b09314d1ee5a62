"""The program of one worker: `python -m cellrace_server.adapters.solver.worker MEGABYTES`.

Reads jobs from standard input, solves one at a time and answers on standard output. It ends when its input does, in the
middle of a job too: that is what ties it to the server. It is kind to everybody else on the machine, and keeps to its
memory.
"""

import contextlib
import os
import queue
import sys
import threading
import time
from typing import BinaryIO

from cellrace_engine import Line, deal, format_move, parse_rules
from cellrace_engine.solver import Limits, solve
from cellrace_server.adapters.solver.messages import HEAD, Answer, Job, framed, read_job

NICE = 10
STATE_BYTES = 600
"""What the search keeps for a state, measured, with room to spare."""


def main(megabytes: int) -> int:
    """Work until the input ends."""
    _be_modest(megabytes)
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever prints must not get between the frames
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    while True:
        answer = _answer(jobs.get(), megabytes * (1 << 20) // 2 // STATE_BYTES)
        output.write(framed(answer))
        if answer.out_of_memory:
            return 1


def _be_modest(megabytes: int) -> None:
    """After everybody else, and within the memory given, where the system can see to that."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _listen(source: BinaryIO, jobs: "queue.SimpleQueue[Job]") -> None:
    """Take jobs; leave at once, whatever is under way, when nobody gives any more."""
    while True:
        head = source.read(HEAD.size)
        if len(head) < HEAD.size:
            os._exit(0)
        jobs.put(read_job(source.read(HEAD.unpack(head)[0])))


def _answer(job: Job, states: int) -> Answer:
    deadline = time.monotonic() + job.ms / 1_000
    rules = parse_rules(job.rules)
    position = deal(job.number, rules.cells)
    try:
        solution = solve(position, rules, Limits(job.nodes, states), lambda: time.monotonic() > deadline)
    except MemoryError:
        return Answer("", [], out_of_memory=True)
    line = Line.begin(rules, position)
    texts: list[str] = []
    for move in solution.line:
        texts.append(format_move(move, line.position, rules))
        line = line.play(move)
    return Answer(solution.verdict.value, texts)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
