"""What a search may use, and what comes out of it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from cellrace_engine.moves import Move


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one search may use.

    `nodes` bounds the positions that are opened, `states` those that are kept at any time, which is what
    fills the memory (about 500 bytes each); neither is exceeded. There is no clock in here: time is the
    caller's, through `stop`.
    """

    nodes: int = 300_000
    states: int = 400_000


# Asked now and then in the middle of a search: true ends it.
Stop = Callable[[], bool]

DEFAULT = Limits()


def lasting(stop: Stop | None) -> Stop | None:
    """Return the same question whose answer stays true from the first time on."""
    if stop is None:
        return None
    stopped = False

    def asked() -> bool:
        nonlocal stopped
        stopped = stopped or stop()
        return stopped

    return asked


class Verdict(StrEnum):
    """What a search can say."""

    SOLVED = "solved"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of a search.

    `line` wins when the verdict is `SOLVED` and is empty otherwise. `LOST` is proved: every position that can
    be reached was seen. `nodes` and `states` tell what the search took.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    states: int

    @property
    def solved(self) -> bool:
        """Whether `line` wins."""
        return self.verdict is Verdict.SOLVED

    @property
    def proved_lost(self) -> bool:
        """Whether no sequence of legal moves wins."""
        return self.verdict is Verdict.LOST
