"""Calendar days and weeks, all of them UTC, as arithmetic on instants (ms since the Unix epoch). Pure: no zone, no
calendar of the machine, and whose clock says so is not asked here."""

DAY_MS = 86_400_000

_ERA_DAYS = 146_097
"""Days in 400 years, after which the calendar repeats itself."""

_ERA_BEGINS = 719_468
"""Days from 1 March of the year 0 to the Unix epoch: years that begin in March have their leap day at the end."""

_THURSDAY = 3
"""What day of the week 1 January 1970 was, counted from Monday as 0."""


def day_number(at: int) -> int:
    """Days from the Unix epoch to the day of the instant `at`."""
    return at // DAY_MS


def day_text(number: int) -> str:
    """The name of a day by its number: `2026-11-30`."""
    era, day_of_era = divmod(number + _ERA_BEGINS, _ERA_DAYS)
    year_of_era = (day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year = year_of_era + 400 * era + (month <= 2)
    return f"{year:04d}-{month:02d}-{day:02d}"


def parse_day(text: str) -> int | None:
    """The number of the day so named, in the one way that `day_text` names it; `None` for a text that names none, and
    for years other than 1970 to 9999."""
    parts = text.split("-")
    if len(text) != 10 or len(parts) != 3 or not (text.isascii() and all(part.isdigit() for part in parts)):
        return None
    year, month, day = map(int, parts)
    if year < 1970 or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    march_year = year - (month <= 2)
    era, year_of_era = divmod(march_year, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    number = era * _ERA_DAYS + day_of_era - _ERA_BEGINS
    return number if day_text(number) == text else None


def begins(number: int) -> int:
    """The first instant of a day."""
    return number * DAY_MS


def day_of(at: int) -> str:
    """The name of the day of the instant `at`."""
    return day_text(day_number(at))


def monday(number: int) -> int:
    """The Monday of the week of a day."""
    return number - (number + _THURSDAY) % 7


def week_of(at: int) -> str:
    """The week of the instant `at`, by the name of its Monday."""
    return day_text(monday(day_number(at)))
