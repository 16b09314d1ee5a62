"""Days in a row. A player's days are a bit each, so that a day counts once however often and in whatever order it is
told of."""

from typing import NamedTuple

FIRST_DAY = 20_089
"""The day of bit 0 (2025-01-01): no day before it counts. 46 bytes hold a year."""


class Streak(NamedTuple):
    """Days in a row on which the daily was finished: up to today or yesterday, and the most ever."""

    current: int = 0
    longest: int = 0


def bit_of(day: int) -> int | None:
    """The bit of a day by its number, the most significant of the first byte first; `None`: it does not count."""
    return day - FIRST_DAY if day >= FIRST_DAY else None


def streak(days: bytes, today: int) -> Streak:
    """The streak as it stands on the day `today`. Today not being finished yet breaks nothing before it is over."""
    bits = "".join(f"{byte:08b}" for byte in days)
    longest = max((len(run) for run in bits.split("0")), default=0)
    last = today - FIRST_DAY
    current = _back_from(bits, last) or _back_from(bits, last - 1)
    return Streak(current, longest)


def _back_from(bits: str, last: int) -> int:
    """How many days in a row end with the one of bit `last`."""
    past = bits[: max(0, last + 1)]
    return len(past) - len(past.rstrip("1")) if len(past) == last + 1 else 0
