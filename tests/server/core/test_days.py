"""Calendar days without a calendar library: checked against the one that Python has."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.core.days import begins, day_number, day_text, parse_day

EPOCH = date(1970, 1, 1)


@given(st.dates())
def test_every_day_has_the_name_that_the_calendar_gives_it(day: date) -> None:
    number = (day - EPOCH).days
    assert day_text(number) == day.isoformat()
    assert parse_day(day.isoformat()) == number


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
    assert day_text(day_number(begins(number))) == first
    assert day_text(day_number(begins(number) - 1)) == last


@given(st.integers(0, 7_258_118_400_000))
def test_an_instant_belongs_to_its_utc_day(at: int) -> None:
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
    assert day_text(day_number(at)) == moment.date().isoformat()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-31",
        "2027-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-010",
        "26-11-30",
        "2026-11-3\u0660",
        "2026/11/30",
    ],
)
def test_what_names_no_day(text: str) -> None:
    assert parse_day(text) is None
