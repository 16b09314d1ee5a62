"""What the network is known to cost, and that late answers gain no more than the published limit."""

from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.gateway.round_trips import WINDOW_MS, FairTime, RoundTrips

MOST = 150


def measured(*trips: int, every_ms: int = 5_000) -> FairTime:
    round_trips = RoundTrips(MOST)
    for number, trip in enumerate(trips):
        round_trips.add(number * every_ms, trip)
    return round_trips.fair


def test_nothing_is_given_back_before_anything_is_known() -> None:
    assert RoundTrips(MOST).fair == (0, 0)


def test_the_shortest_round_trip_counts_and_half_the_spread_is_the_error() -> None:
    assert measured(40) == (40, 0)
    assert measured(60, 40, 53) == (40, 10)
    assert measured(40, 41) == (40, 1)


def test_what_is_older_than_a_minute_is_forgotten() -> None:
    trips = [10, *[50] * (WINDOW_MS // 5_000)]
    assert measured(*trips[:-1]) == (10, 20)
    assert measured(*trips) == (50, 0)


def test_one_late_pong_gains_no_time() -> None:
    assert measured(40, 40, 400, 40).compensation == 40


@given(st.lists(st.integers(0, 5_000), min_size=1, max_size=30))
def test_nothing_gains_more_than_the_limit(trips: list[int]) -> None:
    """Time and error bar together: who delays pongs cannot even share a place from further away."""
    fair = measured(*trips)
    assert 0 <= fair.compensation <= min(trips[-12:])
    assert fair.error >= 0
    assert fair.compensation + fair.error <= MOST
