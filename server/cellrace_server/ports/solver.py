"""Solving as the services see it: somebody else's work, with an answer in bounded time."""

from typing import NamedTuple, Protocol

from cellrace_engine import DealCode, Rules
from cellrace_engine.solver import Verdict


class Effort(NamedTuple):
    """What one deal may cost: positions opened, and milliseconds of work once it is begun. The answer is `UNKNOWN` when
    either is used up."""

    nodes: int = 300_000
    ms: int = 10_000


USUAL = Effort()


class Found(NamedTuple):
    """`line` are moves in notation (`26`, `3h`) from the deal to the win; empty unless the verdict is `SOLVED`."""

    verdict: Verdict
    line: tuple[str, ...] = ()


class Solver(Protocol):
    @property
    def workers(self) -> int:
        """How many deals are worked on at once; with 0 nothing is ever solved here."""
        ...

    async def solve(self, code: DealCode, rules: Rules, effort: Effort = USUAL, /) -> Found:
        """Whether the deal can be won under these rules, which must have its cells (not checked).

        Never on the caller's processor time; who comes first is served first. Raises `SolverUnavailable` when there are
        no workers, when the one at work died or hung, and when the solver is closed. Cancelled: the work is stopped.
        """
        ...
