"""UTC days by their dates, reckoned from instants alone: no zone, no calendar of the machine."""

from functools import lru_cache

DAY_MS = 86_400_000
CYCLE_DAYS = 146_097
"""The Gregorian calendar repeats itself after 400 years, which are so many days."""

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
THURSDAY = 3
"""What day of the week 1 January 1970 was, counted from Monday as 0."""


def day_of(instant: int) -> str:
    """The UTC day of an instant (ms since the Unix epoch) as `2026-11-30`."""
    return _date(instant // DAY_MS)


def week_of(instant: int) -> str:
    """The week of an instant, by the date of its Monday."""
    day = instant // DAY_MS
    return _date(day - (day + THURSDAY) % 7)


def monday(date: str) -> str | None:
    """The Monday of the week of a date; `None` for what is none."""
    number = day_number(date)
    return None if number is None else week_of(number * DAY_MS)


def day_number(date: str) -> int | None:
    """How many days after 1 January 1970 a date is, the one way round it may be written; `None` for what is none, and
    for years other than 1970 to 9999."""
    parts = date.split("-")
    if len(date) != 10 or [len(part) for part in parts] != [4, 2, 2] or not date.isascii():
        return None
    if not all(part.isdigit() for part in parts):
        return None
    year, month, day = (int(part) for part in parts)
    if year < 1970 or not 1 <= month <= 12 or not 1 <= day <= _month(year, month - 1):
        return None
    cycles, years = divmod(year - 1970, 400)
    days = cycles * CYCLE_DAYS + sum(_year(1970 + before) for before in range(years))
    return days + sum(_month(year, before) for before in range(month - 1)) + day - 1


@lru_cache(maxsize=64)
def _date(number: int) -> str:
    cycles, rest = divmod(number, CYCLE_DAYS)
    year = 1970 + 400 * cycles
    while rest >= _year(year):
        rest -= _year(year)
        year += 1
    month = 0
    while rest >= _month(year, month):
        rest -= _month(year, month)
        month += 1
    return f"{year:04}-{month + 1:02}-{rest + 1:02}"


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _year(year: int) -> int:
    return 366 if _leap(year) else 365


def _month(year: int, month: int) -> int:
    return MONTHS[month] + (month == 1 and _leap(year))
