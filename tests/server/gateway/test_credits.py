"""Token buckets: never more than said, always as soon as said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.gateway.credits import (
    OFFENCES_AT_ONCE,
    PURSE,
    Allowance,
    Bucket,
    Endpoint,
    Limits,
    Purse,
    Rate,
    Shortage,
)
from cellrace_server.settings import Settings

DEFAULTS = Settings().rates
RATES = st.builds(Rate, st.integers(1, 200), st.integers(1, 6_000))
GAPS = st.lists(st.floats(0, 30, allow_nan=False), min_size=1, max_size=100)


class Hand:
    """A clock that is moved by hand."""

    def __init__(self, now: float = 12_345.678) -> None:
        self.now = now
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.now


def allowance(
    hand: Hand, own: Rate | None, shared: Rate | None = None, kind: Endpoint = Endpoint.MESSAGES
) -> Allowance:
    mine = {kind: own} if own is not None else {}
    ours = {kind: shared} if shared is not None else {}
    return Allowance(Limits(mine, ours), Purse(ours), hand)


@given(RATES, GAPS)
def test_no_more_than_capacity_and_refill_can_be_taken(rate: Rate, gaps: list[float]) -> None:
    bucket, now, taken = Bucket(rate), 1_000.0, 0
    for gap in gaps:
        now += gap
        while not bucket.wait(now):
            bucket.take(now)
            taken += 1
    assert taken <= rate.capacity + (now - 1_000) * rate.per_minute / 60 + 1


@given(RATES, GAPS)
def test_waiting_as_told_is_enough(rate: Rate, gaps: list[float]) -> None:
    hand = Hand()
    mine = allowance(hand, rate)
    for gap in gaps:
        hand.now += gap
        while (short := mine.message()) is None:
            pass
        assert short.retry_after > 0
        hand.now += short.retry_after / 1_000
        assert mine.message() is None


@given(RATES, RATES)
def test_waiting_as_told_is_enough_where_two_limits_hold(own: Rate, shared: Rate) -> None:
    hand = Hand()
    mine = allowance(hand, own, shared, Endpoint.CREATIONS)
    for _ in range(30):
        while (short := mine.request(Endpoint.CREATIONS)) is None:
            pass
        hand.now += short.retry_after / 1_000
        assert mine.request(Endpoint.CREATIONS) is None


@given(RATES, GAPS)
def test_who_keeps_to_what_is_published_is_never_refused(rate: Rate, gaps: list[float]) -> None:
    """Paying ahead takes nothing from anybody: a bucket kept by the client has never more than the server's."""
    hand = Hand()
    mine, published = allowance(hand, rate), Bucket(rate)
    for gap in gaps:
        hand.now += gap
        for _ in range(published.available(hand.now)):
            published.take(hand.now)
            assert mine.message() is None


def test_what_is_refused_takes_nothing() -> None:
    hand = Hand()
    ours = {Endpoint.QUERIES: Rate(1, 60)}
    shared = Purse(ours)
    limits = Limits({Endpoint.QUERIES: Rate(5, 60)}, ours)
    first, second = Allowance(limits, shared, hand), Allowance(limits, shared, hand)
    assert first.request(Endpoint.QUERIES) is None
    for _ in range(20):
        assert second.request(Endpoint.QUERIES) == Shortage(
            Endpoint.QUERIES, "one address", Rate(1, 60), 1_000
        )
    hand.now += 1
    assert second.request(Endpoint.QUERIES) is None


def test_the_text_names_the_numbers() -> None:
    text = Shortage(Endpoint.CREATIONS, "one connection", Rate(30, 60), 1_000).text
    assert text == "too many creations: 30 at once and then 60 a minute are the most of one connection"


def test_most_messages_need_no_clock() -> None:
    hand = Hand()
    mine = allowance(hand, Rate(1_000, 30_000), Rate(20_000, 300_000))
    for _ in range(10 * PURSE):
        assert mine.message() is None
    assert hand.looks == 10


def test_without_limits_nothing_is_refused() -> None:
    hand = Hand()
    mine = allowance(hand, None)
    for _ in range(100_000):
        assert mine.message() is None
    assert mine.request(Endpoint.HELLOS) is None


def test_two_hundred_moves_at_once_pass_and_one_every_few_milliseconds() -> None:
    hand = Hand()
    mine = Allowance(DEFAULTS, Purse(DEFAULTS.per_address), hand)
    assert all(mine.message() is None for _ in range(200))
    for _ in range(60_000):
        hand.now += 0.003
        assert mine.message() is None


def test_a_club_behind_one_address_moves_as_it_likes() -> None:
    """Three hundred players come at once, sit down, and move three times a second for ten minutes."""
    hand = Hand()
    shared = Purse(DEFAULTS.per_address)
    club = [Allowance(DEFAULTS, shared, hand) for _ in range(300)]
    for player in club:
        assert player.request(Endpoint.HELLOS) is None
        assert player.request(Endpoint.JOINS) is None
    for _ in range(3 * 600):
        hand.now += 1 / 3
        for player in club:
            assert player.message() is None


def test_who_never_waits_is_an_offender_and_who_waits_is_not() -> None:
    hand = Hand()
    stubborn = allowance(hand, Rate(1, 1))
    refused = 0
    while not stubborn.offence():
        refused += 1
    assert refused == OFFENCES_AT_ONCE
    patient = allowance(hand, Rate(1, 1))
    for _ in range(5_000):
        hand.now += 0.2
        assert not patient.offence()


@pytest.mark.parametrize(("text", "rate"), [("off", None), ("100/60", Rate(100, 60))])
def test_rates_are_written_as_capacity_and_refill(text: str, rate: Rate | None) -> None:
    assert Rate.parse(text) == rate


@pytest.mark.parametrize("text", ["", "100", "/", "0/60", "1/0", "1/-1", "a/b", "1/2/3"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="100/60"):
        Rate.parse(text)


def test_a_purse_is_full_again_in_time() -> None:
    purse = Purse({Endpoint.JOINS: Rate(10, 60)})
    assert purse.full(0)
    bucket = purse.bucket(Endpoint.JOINS)
    assert bucket is not None
    bucket.take(0, 10)
    assert not purse.full(9.9)
    assert purse.full(10)


def test_what_connections_have_paid_ahead_is_not_missed_by_others_of_the_address() -> None:
    """Most of what is published can be used, however many connections it is spread over."""
    hand, rate = Hand(), Rate(100, 60)
    shared = Purse({Endpoint.MESSAGES: rate})
    limits = Limits({}, {Endpoint.MESSAGES: rate})
    assert [Allowance(limits, shared, hand).message() for _ in range(90)] == [None] * 90
