"""UTC days without a calendar library: checked against the one that Python has."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cellrace_server.core.days import (
    DAY_MS,
    begins,
    day_number,
    day_of,
    day_text,
    monday,
    parse_day,
    week_of,
)

EPOCH = date(1970, 1, 1)
dates = st.dates(EPOCH, date(9999, 12, 31))


@given(dates, st.integers(0, DAY_MS - 1))
@example(date(2028, 2, 29), 0)
@example(date(2000, 2, 29), DAY_MS - 1)
@example(date(2100, 2, 28), DAY_MS - 1)
@example(date(2026, 12, 31), DAY_MS - 1)
@example(date(9999, 12, 31), DAY_MS - 1)
def test_days_and_weeks_are_those_of_the_calendar(day: date, ms: int) -> None:
    instant = round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000 + ms
    number = (day - EPOCH).days
    first = day - timedelta(days=day.weekday())
    assert (day_of(instant), day_text(number)) == (day.isoformat(), day.isoformat())
    assert (day_number(instant), parse_day(day.isoformat())) == (number, number)
    assert begins(number) == instant - ms
    assert (week_of(instant), day_text(monday(number))) == (first.isoformat(), first.isoformat())


@given(st.dates(date(1, 1, 1), date(1969, 12, 31)))
def test_there_were_days_before_that_nobody_can_name(day: date) -> None:
    number = (day - EPOCH).days
    assert day_text(number) == day_of(begins(number)) == day.isoformat()
    assert parse_day(day.isoformat()) is None


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("2028-02-28", "2028-02-29"),
        ("2028-02-29", "2028-03-01"),
        ("2027-02-28", "2027-03-01"),
        ("2100-02-28", "2100-03-01"),
        ("2026-12-31", "2027-01-01"),
    ],
)
def test_leap_days_and_the_end_of_a_year(last: str, first: str) -> None:
    number = parse_day(first)
    assert number is not None
    assert day_of(begins(number)) == first
    assert day_of(begins(number) - 1) == last


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-1-1", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31"),
        *("1969-12-31", "0000-01-01", "2026-01-00", "2026-1-010", "26-11-30", "20260101--", "-2026-1-01"),
        *(" 026-01-01", "+026-01-01", "2026/01/01", "2026-01-01 ", "\uff12026-01-01", "2026-11-3\u0660"),
    ],
)
def test_what_names_no_day(text: str) -> None:
    assert parse_day(text) is None
