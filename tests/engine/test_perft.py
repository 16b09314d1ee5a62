"""The counts of lines that stand in `tests/data/perft.json`, by both readings of the rules."""

import json
from itertools import pairwise
from typing import Any

import pytest

from cellrace_engine import Line, Position
from tests.engine.perft import FILE, count, generated, tried
from tests.engine.vectors import rules_named

ROWS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['preset']}-{row['counts'][-1]}")


def start_of(row: dict[str, Any]) -> Line:
    return Line.begin(rules_named(row["preset"]), Position.parse(row["start"]))


@each_row
def test_the_generator_counts_the_same(row: dict[str, Any]) -> None:
    line = start_of(row)
    assert [count(line, depth, generated) for depth in (1, 2, 3)] == row["counts"][:3]


@pytest.mark.parametrize(
    ("row", "depth"),
    [
        # The first of each preset goes further; all of them do in the long tests.
        pytest.param(
            row, 2 if row["preset"] != before["preset"] else 1, id=f"{row['preset']}-{row['counts'][-1]}"
        )
        for before, row in pairwise([{"preset": ""}, *ROWS])
    ],
)
def test_trying_every_move_on_the_explaining_judge_counts_the_same(row: dict[str, Any], depth: int) -> None:
    line = start_of(row)
    assert [count(line, each, tried) for each in range(1, depth + 1)] == row["counts"][:depth]


@pytest.mark.slow
@each_row
def test_deeper_counts_are_the_same(row: dict[str, Any]) -> None:
    line = start_of(row)
    assert count(line, 4, generated) == row["counts"][3]
    assert [count(line, depth, tried) for depth in (2, 3)] == row["counts"][1:3]
