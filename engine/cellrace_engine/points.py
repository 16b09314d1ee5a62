"""Points: the running total and what the boards count once."""

from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules


def running_total(score: int, source: int, destination: int, automatic: int, rules: Rules) -> int:
    """Return the total after a move and so many automatic ones, card by card, never below zero."""
    if destination >= FIRST_FOUNDATION:
        score += rules.points_to_foundation
    elif source >= FIRST_FOUNDATION:
        score = max(0, score + rules.points_taken_back)
    elif destination < FIRST_CELL <= source:
        score += rules.points_cell_to_column
    return score + automatic * rules.points_to_foundation


def brought_down(brought: int, before: Position, source: int, destination: int) -> int:
    """Return the set of cards (one bit each) brought from a cell to a column, with this move's card."""
    if destination < FIRST_CELL <= source < FIRST_FOUNDATION:
        return brought | 1 << before.cells[source - FIRST_CELL]
    return brought
