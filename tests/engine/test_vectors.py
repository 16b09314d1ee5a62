"""Every step of every reference line agrees with the engine."""

from dataclasses import replace
from typing import Any

import pytest

from cellrace_engine import (
    POCKET,
    Line,
    Move,
    Position,
    Refusal,
    deal,
    format_move,
    legal_moves,
    parse_move,
)
from tests.engine.vectors import move_of, read, rules_of, triple_of

PLAYOUTS = list(read("playouts.jsonl"))
SOLUTIONS = list(read("solutions.jsonl"))


def acted(line: Line, do: Any) -> Line | Refusal:
    return line.undo() if do == "undo" else line.try_play(move_of(do))


@pytest.mark.parametrize("playout", PLAYOUTS, ids=lambda playout: f"{playout['preset']}-{playout['deal']}")
def test_every_step_of_a_playout_agrees(playout: dict[str, Any]) -> None:
    line = Line.begin(rules_of(playout), deal(playout["deal"], rules_of(playout).cells))
    assert line.position.text == playout["start"]
    for step in playout["steps"]:
        if step["do"] == "stuck":
            assert line.stuck is step["ok"]
            continue
        after = acted(line, step["do"])
        assert (not isinstance(after, Refusal)) is step["ok"], (line.position.text, step)
        line = line if isinstance(after, Refusal) else after
        assert (line.position.text, line.score, line.moves) == (step["board"], step["score"], step["moves"])
        if "auto" in step:
            assert line.last is not None or line.won
            assert [triple_of(move) for move in line.steps()[-1].automatic] == step["auto"]
        if "finishable" in step:
            assert line.finishable is step["finishable"]


@pytest.mark.parametrize(
    "solution", SOLUTIONS, ids=lambda solution: f"{solution['deal']}-{solution['cells']}"
)
def test_every_solution_wins_and_every_move_round_trips(solution: dict[str, Any]) -> None:
    rules = replace(POCKET, cells=solution["cells"])
    line = Line.begin(rules, deal(solution["deal"], solution["cells"]))
    for triple in solution["moves"]:
        move = move_of(triple)
        assert parse_move(format_move(move, line.position, rules), line.position, rules) == move
        assert move in legal_moves(line.position, rules)
        assert Position.parse(line.position.text) == line.position
        line = line.play(move)
    assert line.won
    assert isinstance(line.undo(), Refusal)
    assert isinstance(line.try_play(Move(12, 0)), Refusal)
