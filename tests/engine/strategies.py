"""Hypothesis strategies: rule sets, and lines of play that chance has led somewhere."""

from itertools import product

from hypothesis import settings
from hypothesis import strategies as st

from cellrace_engine import Line, Refusal, Rules, RunCapacity, TakeBack, deal

# Repeatable in CI: the same examples every time, and no clock.
steady = settings(derandomize=True, deadline=None, max_examples=60)

FIELDS: dict[str, tuple[object, ...]] = {
    "cells": (4, 2, 1),
    "run_capacity": tuple(RunCapacity),
    "take_back": tuple(TakeBack),
    "automatic_moves": (False, True),
    "points_to_foundation": (0, 10),
    "points_taken_back": (0, -15),
    "points_cell_to_column": (0, 5),
    "undo_depth": (None, 0, 3, 400),
}

rule_sets = st.builds(Rules, **{name: st.sampled_from(values) for name, values in FIELDS.items()})
deal_numbers = st.integers(1, 2**33 - 1)
choices = st.lists(st.integers(0, 10_000), max_size=80)


def played(rules: Rules, number: int, picks: list[int]) -> Line:
    """Play the legal move that each number picks, foundations first now and then, with some undos."""
    line = Line.begin(rules, deal(number, rules.cells))
    for pick in picks:
        after = line.undo() if pick % 11 == 0 else _moved(line, pick)
        line = line if isinstance(after, Refusal) else after
    return line


def _moved(line: Line, pick: int) -> Line:
    moves = line.legal_moves()
    if not moves:
        return line
    homeward = [move for move in moves if move.destination >= 12]
    chosen = homeward if homeward and pick % 3 else moves
    return line.play(chosen[pick % len(chosen)])


lines = st.builds(played, rule_sets, deal_numbers, choices)


def all_pairs(fields: dict[str, tuple[object, ...]]) -> list[dict[str, object]]:
    """Return combinations in which every pair of values of two fields occurs (greedy, repeatable)."""
    names = list(fields)
    wanted = {
        ((first, one), (second, other))
        for at, first in enumerate(names)
        for second in names[at + 1 :]
        for one in fields[first]
        for other in fields[second]
    }
    rows: list[dict[str, object]] = []
    everything = [dict(zip(names, values, strict=True)) for values in product(*fields.values())]
    while wanted:
        row = max(everything, key=lambda candidate: len(wanted & _pairs(candidate)))
        wanted -= _pairs(row)
        rows.append(row)
    return rows


def _pairs(row: dict[str, object]) -> set[tuple[tuple[str, object], tuple[str, object]]]:
    items = list(row.items())
    return {(one, other) for at, one in enumerate(items) for other in items[at + 1 :]}
