"""Files of moves are looked through before anybody waits for a race."""

from pathlib import Path

import pytest

from cellrace_client.bots.move_list import Fault, fault_on, moves_in
from cellrace_client.cli import EXIT_DATA, EXIT_UNAVAILABLE, main
from cellrace_engine import CLASSIC, deal
from tests.support.lines import winning_line

NOWHERE = "ws://127.0.0.1:9/ws"


def test_moves_are_separated_by_spaces_and_line_ends() -> None:
    assert moves_in("2a 26v3\n\n  undo restart\t3h") == ["2a", "26v3", "undo", "restart", "3h"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no moves"),
        (" \n", 1, "no moves"),
        ("2a\n2b 9z", 2, "9z"),
        ("2a,2b", 1, "2a,2b"),
        ("26v0", 1, "26v0"),
    ],
)
def test_what_is_no_move_is_named_with_its_line(text: str, line: int, said: str) -> None:
    fault = moves_in(text)
    assert isinstance(fault, Fault)
    assert fault.line == line
    assert said in fault.text


def test_a_whole_game_can_be_made_on_its_deal() -> None:
    moves = ["2a", "undo", "2b", "restart", *winning_line()]
    assert fault_on("\n".join(moves), deal(617), CLASSIC) is None
    fault = fault_on("\n".join([*moves, "2a"]), deal(617), CLASSIC)
    assert fault is not None
    assert fault.line == len(moves) + 1
    assert "the game is won" in fault.text


@pytest.mark.parametrize(("text", "line"), [("12", 1), ("2a\nundo\nundo", 3), ("2a 2b\n2c 2d 2a", 2)])
def test_a_move_that_cannot_be_made_on_the_deal_is_named_with_its_line(text: str, line: int) -> None:
    fault = fault_on(text, deal(617), CLASSIC)
    assert fault is not None
    assert fault.line == line


@pytest.mark.parametrize(
    ("what", "text", "status"),
    [
        ("617", "2a\n12", EXIT_DATA),
        ("FC1-C4-AAAAATJ", "2a\n12", EXIT_DATA),
        ("617", "2a\n2b", EXIT_UNAVAILABLE),
        ("abcdefg", "2a\nnonsense", EXIT_DATA),
        ("abcdefg", "2a\n12", EXIT_UNAVAILABLE),  # of a race by its name, the deal is not known before
    ],
)
def test_a_bot_looks_at_its_moves_before_it_comes(
    what: str, text: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text(text)
    assert main(["bot", what, "--moves", str(moves), "--url", NOWHERE]) == status
    said = capsys.readouterr().err
    assert (f"cellrace: {moves}, line 2: " in said) == (status == EXIT_DATA)
