"""What is typed where a move is wanted, and is none."""

import pytest

from cellrace_client.practice import Practice
from cellrace_client.tables import PracticeTable, Trouble
from cellrace_engine import CLASSIC, DealCode


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hello", "hello is no move: from pile to pile, as in 26 or 3h"),
        ("2", "2 is no move: from pile to pile, as in 26 or 3h"),
        ("2z", "'z' is no pile"),
    ],
)
def test_a_word_is_no_move_and_a_slip_is_named(typed: str, said: str) -> None:
    told: list[Trouble] = []
    table = PracticeTable(Practice(CLASSIC, DealCode.of(617)), lambda: 0.0, told.append)
    table.move(typed)
    assert len(told) == 1
    assert said in told[0].text
