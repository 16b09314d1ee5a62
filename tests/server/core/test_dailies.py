"""The deal of the day: where it comes from, and that its day decides."""

import hashlib

import pytest

from cellrace_engine import parse_rules
from cellrace_server.core.commands import Ready, Tick
from cellrace_server.core.dailies import (
    COUNTDOWN_MS,
    DAILY_RULES,
    LIMIT_MS,
    Daily,
    candidate,
    salt,
    shown_at,
    terms,
)
from cellrace_server.core.days import begins, parse_day
from cellrace_server.core.facts import CountdownStopped, Ended, EndReason, Started
from cellrace_server.core.options import Options
from cellrace_server.core.secrecy import commitment, salt_is_public
from tests.server.core.playbook import Script

CLASSIC, TWO_CELLS = DAILY_RULES
SECRET = bytes(range(32))
DAY = "2026-11-30"
MIDNIGHT = begins(20_788)
"""The first instant of the day after."""


def test_candidates_follow_from_secret_day_rules_and_count_and_from_nothing_else() -> None:
    drawn = {
        candidate(secret, day, rules, count)
        for secret in (SECRET, SECRET[::-1])
        for day in (DAY, "2026-12-01")
        for rules in DAILY_RULES
        for count in range(5)
    }
    assert len(drawn) == 40
    assert all(1 <= number <= 1_000_000 for number in drawn)
    assert candidate(SECRET, DAY, CLASSIC, 0) == candidate(SECRET, DAY, parse_rules("classic"), 0)


def test_salts_of_days_are_told_apart_too() -> None:
    assert len({salt(SECRET, day, rules) for day in (DAY, "2026-12-01") for rules in DAILY_RULES}) == 4
    assert len(salt(SECRET, DAY, CLASSIC)) == 16


def test_the_commitment_is_that_of_its_races() -> None:
    daily = Daily(DAY, "classic", 617, b"0123456789abcdef", 1)
    script = Script(terms(CLASSIC, DAY, practice=False))
    assert daily.commitment == commitment(script.state)
    assert daily.commitment == hashlib.sha256(b"0123456789abcdefFC1-C4-AAAAATJ").digest()


def test_a_day_begins_and_ends_at_midnight() -> None:
    assert parse_day("2026-12-01") == 20_788
    daily = Daily(DAY, "classic", 617, b"", 1)
    assert (daily.begins, daily.ends) == (MIDNIGHT - 86_400_000, MIDNIGHT)


def attempt(at: int, practice: bool = False) -> Script:
    script = Script(terms(CLASSIC, DAY, practice), now=at)
    script.do(Ready("ada"))
    return script


def test_the_start_decides_the_day() -> None:
    script = attempt(MIDNIGHT - COUNTDOWN_MS - 1)
    assert script.do(Tick(), COUNTDOWN_MS) == (Started(MIDNIGHT - 1),)


def test_an_attempt_that_would_start_on_the_next_day_does_not_and_keeps_its_secret() -> None:
    script = attempt(MIDNIGHT - COUNTDOWN_MS)
    over = (CountdownStopped(MIDNIGHT), Ended(MIDNIGHT, EndReason.DAY_OVER))
    assert script.do(Tick(), COUNTDOWN_MS) == over
    assert not salt_is_public(script.state)


def test_a_server_that_was_down_over_midnight_does_not_start_it_either() -> None:
    script = attempt(MIDNIGHT - 60_000)
    assert isinstance(script.do(Tick(), 3_600_000)[-1], Ended)
    assert script.state.end_reason is EndReason.DAY_OVER


def test_practice_is_not_bound_to_the_day() -> None:
    assert attempt(MIDNIGHT, practice=True).do(Tick(), COUNTDOWN_MS) == (Started(MIDNIGHT + COUNTDOWN_MS),)


@pytest.mark.parametrize("practice", [False, True])
def test_others_see_it_when_every_attempt_is_over(practice: bool) -> None:
    assert shown_at(terms(TWO_CELLS, DAY, practice).daily) == MIDNIGHT + LIMIT_MS
    assert shown_at(Options().daily) == 0


def test_an_attempt_counts_and_practice_does_not() -> None:
    first, later = (terms(CLASSIC, DAY, practice) for practice in (False, True))
    assert (first.ranked, first.practice, first.public, first.seats) == (True, False, False, 1)
    assert (later.ranked, later.practice, later.daily) == (False, True, DAY)
