"""Streaks from the days themselves, against a count by hand."""

from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.core.streaks import FIRST_DAY, Streak, bit_of, streak


def bitmap(days: set[int]) -> bytes:
    bits = [0] * (8 * (max(days, default=-1) // 8 + 1))
    for day in days:
        bits[day] = 1
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))


def counted(days: set[int], today: int) -> Streak:
    def back_from(day: int) -> int:
        return 1 + back_from(day - 1) if day in days else 0

    return Streak(back_from(today) or back_from(today - 1), max(map(back_from, days), default=0))


@given(st.sets(st.integers(0, 60)), st.integers(0, 80))
def test_a_streak_is_what_counting_gives(days: set[int], today: int) -> None:
    assert streak(bitmap(days), FIRST_DAY + today) == counted(days, today)


def test_a_streak_lives_until_the_day_after_is_over() -> None:
    days = bitmap({3, 4, 5})
    assert [streak(days, FIRST_DAY + today).current for today in (4, 5, 6, 7)] == [2, 3, 3, 0]


def test_days_before_the_first_have_no_bit() -> None:
    assert (bit_of(FIRST_DAY - 1), bit_of(FIRST_DAY), bit_of(FIRST_DAY + 9)) == (None, 0, 9)
    assert streak(b"\xff", FIRST_DAY - 5) == Streak(0, 8)
