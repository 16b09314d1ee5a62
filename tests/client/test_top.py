"""Boards for people, as `cellrace top` shows them."""

import pytest

from cellrace_client.cli import EXIT_USAGE, main
from cellrace_client.cli.top import lines
from cellrace_protocol.commands import Kind, Measure, Scope, Sight
from cellrace_protocol.events import BoardRow, Top

ADA = BoardRow(1, "ada", "Ada", 61_000, 70, 1_796_083_080_000, "a-0", 900, True, 0, "FC1-C4-AAAAATJ")
BOB = BoardRow(2, "bob", "Bob", 75_500, 66, 1_796_083_080_000, "b-0", 880, False, 0, "FC1-C4-AAAAATJ")


def test_a_deal_nobody_has_finished() -> None:
    assert lines(Top(1, "FC1-C4-AAAAATJ", "classic", Kind.HUMAN, [])) == ["nobody has finished this deal yet"]


def test_first_sights_are_marked_and_rows_left_out_are_counted() -> None:
    first, second, left = lines(Top(1, "FC1-C4-AAAAATJ", "classic", Kind.HUMAN, [ADA, BOB], total=7))
    assert first.endswith("1:01.000    70 moves  2026-11-30  a-0  first sight")
    assert second.endswith("b-0")
    assert left == "2 of 7 players"


def test_ones_own_row_is_below_the_others() -> None:
    board = Top(
        *(1, "", "pocket", Kind.HUMAN, [ADA]),
        by=Measure.SCORE,
        sight=Sight.FIRST,
        total=3,
        mine=[BOB],
        ahead=1,
        worse=1,
        scope=Scope.EVER,
    )
    shown = lines(board)
    assert shown[0].endswith("900 points  2026-11-30  a-0  FC1-C4-AAAAATJ")
    assert shown[1] == "  …"
    assert "Bob" in shown[2]
    assert shown[3] == "you: place 2 of 3, better than 50 % of the others"


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["617", "--ever"], ["617", "--day", "2026-11-30"], ["617", "--around"]),
        *(["617", "--count", "-1"], ["617", "--offset", "-1"]),
    ],
)
def test_what_no_board_is_meant_by(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["top", *arguments]) == EXIT_USAGE
    assert capsys.readouterr().err.startswith("cellrace: ")
