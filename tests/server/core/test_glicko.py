"""The arithmetic of ratings: the method's own example, and what must hold of any race."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.core.glicko import Strength, System, chance

SYSTEM = System()
PAPER = System(350, 0.06, 0.5, share=0)
"""The method as its author has it, which knows meetings of two only."""

strengths = st.builds(
    Strength, st.floats(0, 4_000), st.floats(20, 250), st.floats(0.01, 0.2, allow_subnormal=False)
)
races = st.lists(st.tuples(strengths, st.integers(1, 4)), min_size=1, max_size=16)


def test_the_example_of_the_paper() -> None:
    """A player of 1500, 200 beats 1400, 30 and loses to 1550, 100 and 1700, 300: afterwards 1464.06, 151.52."""
    own = Strength(1_500, 200, 0.06)
    others = [Strength(1_400, 30, 0.06), Strength(1_550, 100, 0.06), Strength(1_700, 300, 0.06)]
    after = PAPER.after([own, *others], [2, 3, 1, 1])[0]
    assert after.value == pytest.approx(1_464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.02)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@given(races)
def test_any_race_leaves_numbers_and_more_certainty_than_a_new_player_has(
    rows: list[tuple[Strength, int]],
) -> None:
    after = SYSTEM.after([strength for strength, _ in rows], [place for _, place in rows])
    assert len(after) == len(rows)
    for each in after:
        assert all(map(math.isfinite, each))
        assert 0 < each.deviation <= SYSTEM.deviation
        assert each.volatility > 0


@given(races, st.randoms(use_true_random=False))
def test_in_which_order_players_are_named_does_not_matter(
    rows: list[tuple[Strength, int]], chance: object
) -> None:
    order = sorted(range(len(rows)), key=lambda _: chance.random())  # type: ignore[attr-defined]
    whole = SYSTEM.after([strength for strength, _ in rows], [place for _, place in rows])
    mixed = SYSTEM.after([rows[index][0] for index in order], [rows[index][1] for index in order])
    for index, each in zip(order, mixed, strict=True):
        assert each == pytest.approx(whole[index], rel=1e-6)


@given(strengths, strengths)
def test_winning_never_costs_and_losing_never_pays(one: Strength, other: Strength) -> None:
    won, lost = SYSTEM.after([one, other], [1, 2])
    assert won.value >= one.value
    assert lost.value <= other.value
    draw = SYSTEM.after([one, other], [1, 1])
    assert lost.value <= draw[1].value
    assert draw[0].value <= won.value


@given(strengths, strengths)
def test_chances_make_one(one: Strength, other: Strength) -> None:
    assert chance(one, other) + chance(other, one) == pytest.approx(1)
    assert (chance(one, other) >= 0.5) == (one.value >= other.value) or one.value == pytest.approx(
        other.value
    )


def test_who_raced_alone_stays_as_he_is() -> None:
    assert SYSTEM.after([SYSTEM.new], [1]) == [SYSTEM.new]
