"""UTC days: against the calendar of the standard library."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cellrace_server.core.days import DAY_MS, day_number, day_of, monday, week_of

dates = st.dates(date(1970, 1, 1), date(9999, 12, 31))


@given(dates, st.integers(0, DAY_MS - 1))
@example(date(2028, 2, 29), 0)
@example(date(2000, 2, 29), DAY_MS - 1)
@example(date(2100, 2, 28), DAY_MS - 1)
@example(date(2026, 12, 31), DAY_MS - 1)
@example(date(9999, 12, 31), DAY_MS - 1)
def test_days_and_weeks_are_those_of_the_calendar(day: date, ms: int) -> None:
    instant = round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000 + ms
    assert day_of(instant) == day.isoformat()
    assert week_of(instant) == (day - timedelta(days=day.weekday())).isoformat()
    assert day_number(day.isoformat()) == instant // DAY_MS
    assert monday(day.isoformat()) == week_of(instant)


@pytest.mark.parametrize("instant", [-1, -DAY_MS, -3 * DAY_MS])
def test_there_were_days_before(instant: int) -> None:
    assert day_of(instant) == (date(1970, 1, 1) + timedelta(days=instant // DAY_MS)).isoformat()


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-1-1", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31"),
        *(
            "1969-12-31",
            "2026-01-00",
            " 026-01-01",
            "+026-01-01",
            "\uff12026-01-01",
            "2026/01/01",
            "2026-01-01 ",
        ),
        *("20260101--", "-2026-1-01"),
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert day_number(text) is None
    assert monday(text) is None
