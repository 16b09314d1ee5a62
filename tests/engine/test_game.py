"""The game: push and pop in the manner of a chess board."""

from dataclasses import replace

import pytest
from hypothesis import given

from cellrace_engine import (
    CLASSIC,
    POCKET,
    RELAXED,
    DealCode,
    DealError,
    Game,
    IllegalMove,
    Line,
    Move,
    NotationError,
    RulesError,
    deal,
)
from cellrace_engine.solver import solve
from tests.engine.strategies import lines, steady


def test_a_game_starts_from_a_number_a_code_its_text_or_a_position() -> None:
    for start in (617, "617", "fc1 c4 aaaaatj", DealCode.of(617), deal(617)):
        assert Game(start).position == deal(617)
    assert Game(617, replace(POCKET, cells=2)).position == deal(617, 2)
    with pytest.raises(DealError):
        Game("6l7")
    with pytest.raises(RulesError, match="cells"):
        Game("FC1-C2-AAAAATJ", CLASSIC)


@steady
@given(lines)
def test_a_game_offers_what_its_line_does(line: Line) -> None:
    game = Game(line.start, line.rules)
    game.line = line
    assert (game.board_score, game.is_finishable) == (line.board_score, line.finishable)
    assert [game.tap(pile) for pile in range(16)] == [line.tap(pile) for pile in range(16)]
    assert game.finish_moves() == line.finish_moves()


def test_a_game_is_tapped_and_finished() -> None:
    game = Game(617, RELAXED)
    for move in solve(game.position, game.rules).line:
        if game.is_finishable:
            break
        game.push(move)
    finish = game.finish_moves()
    assert finish
    assert game.tap(finish[0].source) == finish[0]
    for move in finish:
        game.push(move)
    assert (game.is_won, game.finish_moves()) == (True, ())
    assert game.board_score >= 520


@steady
@given(lines)
def test_pop_after_push_restores_everything(line: Line) -> None:
    game = Game(line.start, line.rules)
    game.line = line
    for move in line.legal_moves():
        step = game.push(move)
        assert step.move == move
        assert game.peek() == step
        assert game.pop() == move
        assert game.line == line
        assert (game.undos, game.moves, game.score) == (line.undos, line.moves, line.score)
        assert game.line.steps() == line.steps()


def test_a_refused_push_changes_nothing() -> None:
    game = Game(1, RELAXED)
    before = game.line
    for wrong, error in (("16", IllegalMove), ("zz", NotationError), (Move(0, 12), IllegalMove)):
        with pytest.raises(error):
            game.push(wrong)
        assert game.line is before
    assert game.reason_against("1a") is None
    refusal = game.reason_against("16")
    assert refusal is not None
    assert "does not go on" in refusal.text


def test_undo_counts_and_pop_does_not() -> None:
    game = Game(1, RELAXED)
    game.push("5a")
    game.push("5b")
    game.undo()
    assert (game.moves, game.undos) == (1, 1)
    game.pop()
    assert (game.moves, game.undos) == (0, 0)
    assert game.peek() is None
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.pop()
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.undo()


def test_restart_keeps_the_undos() -> None:
    game = Game(1, RELAXED)
    game.push("5a")
    game.undo()
    game.push("5b")
    game.restart()
    assert (game.moves, game.undos, game.position, game.rules) == (0, 1, deal(1), RELAXED)
    assert not game.is_won
    assert not game.is_stuck
    assert game.text_of(game.legal_moves[0]) == "1a"
    assert str(game) == str(deal(1))
