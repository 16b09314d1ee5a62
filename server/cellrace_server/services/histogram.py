"""Counting how often something took how long."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence


class Histogram:
    """`bounds` are the upper ends of the buckets, ascending, each end included; above the last there is one more."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.total = 0.0
        self._counts = [0] * (len(bounds) + 1)

    @property
    def count(self) -> int:
        """How often something was observed."""
        return sum(self._counts)

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulative(self) -> Iterator[tuple[float, int]]:
        """For each bound, and then for infinity, how many values were not above it."""
        below = 0
        for bound, count in zip((*self.bounds, float("inf")), self._counts, strict=True):
            below += count
            yield bound, below
