"""What people ask the solver: a hint, and how long and how hard a deal is."""

from dataclasses import dataclass, replace
from math import log2

from cellrace_engine.moves import Move
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules
from cellrace_engine.solver.limits import DEFAULT, Limits, Solution, Stop, Verdict, lasting
from cellrace_engine.solver.portfolio import THRIFTY
from cellrace_engine.solver.solving import line_with, solve


def hint(position: Position, rules: Rules, limits: Limits = DEFAULT, stop: Stop | None = None) -> Move | None:
    """Return the first move of a line that wins.

    `None` when the game is won already, when it is lost, or when no line was found within the limits; `solve`
    tells these apart.
    """
    line = solve(position, rules, limits, stop).line
    return line[0] if line else None


@dataclass(frozen=True, slots=True)
class Assessment:
    """How long and how hard a deal is.

    `par` is the number of moves of `line`, the shortest that was found; `difficulty` goes from 0 (nearly
    every line wins) to 100: ten for each doubling of the search that the first line took. Both are `None`
    unless the verdict is `SOLVED`.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    par: int | None
    difficulty: int | None


def assess(
    position: Position, rules: Rules, limits: Limits = DEFAULT, stop: Stop | None = None
) -> Assessment:
    """Solve a position, look for shorter lines as well, and say how long and how hard it is.

    Takes several times as long as `solve`; `limits` hold for each of its searches.
    """
    stop = lasting(stop)
    first = solve(position, rules, limits, stop)
    if not first.solved:
        return Assessment(first.verdict, (), None, None)
    best = first.line
    for weights, nodes in THRIFTY:
        bounded = replace(limits, nodes=min(nodes, limits.nodes))
        other = line_with(weights, position, rules, bounded, stop)
        if other and len(other) < len(best):
            best = other
    return Assessment(first.verdict, best, len(best), _difficulty(first))


def _difficulty(solution: Solution) -> int:
    # The way home alone opens about fifty nodes.
    return max(0, min(100, int(10 * log2(max(1, solution.nodes) / 50))))
