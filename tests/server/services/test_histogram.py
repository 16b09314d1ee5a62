"""Counting how often something took how long."""

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.services.histogram import Histogram

BOUNDS = st.lists(st.floats(0, 100), min_size=1, max_size=10, unique=True).map(sorted)


@given(BOUNDS, st.lists(st.floats(0, 200)))
def test_each_value_counts_in_every_bucket_that_it_is_not_above(
    bounds: list[float], values: list[float]
) -> None:
    histogram = Histogram(bounds)
    for value in values:
        histogram.observe(value)
    ordered = sorted(values)
    expected = [(bound, bisect_right(ordered, bound)) for bound in (*bounds, float("inf"))]
    assert list(histogram.cumulative()) == expected
    assert histogram.count == len(values)
    assert histogram.total == sum(values)
