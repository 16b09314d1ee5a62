"""Solve a position, or prove that it is lost."""

from collections.abc import Iterator
from typing import NamedTuple

from cellrace_engine.line import Line
from cellrace_engine.moves import Move
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules, TakeBack
from cellrace_engine.solver.board import Board
from cellrace_engine.solver.evaluate import Evaluator, Weights
from cellrace_engine.solver.expand import Expander
from cellrace_engine.solver.limits import DEFAULT, Limits, Solution, Stop, Verdict, lasting
from cellrace_engine.solver.portfolio import LAST, TRIES
from cellrace_engine.solver.safety import SafeCards, Safety
from cellrace_engine.solver.search import Search
from cellrace_engine.solver.trace import traced

_ALL = 10**18
# Lines that take cards back are seldom needed: so many nodes are opened without them first.
_BEFORE_TAKING_BACK = 20_000


class _Plan(NamedTuple):
    """One search of the sequence: how it is guided, how many nodes it opens, whether it takes cards back."""

    weights: Weights
    nodes: int
    take_back: bool = False


class _Attempt(NamedTuple):
    """What came out of one plan."""

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    states: int


def solve(position: Position, rules: Rules, limits: Limits = DEFAULT, stop: Stop | None = None) -> Solution:
    """Return a line that wins from a position, the proof that there is none, or that it is unknown.

    The position must have the cells of the rules (`RulesError`); else it is not checked. `stop` is asked
    every few hundred nodes; once it returns true the answer is `UNKNOWN`. The same arguments give the
    same answer. Where the rules both take cards back and make automatic moves, nothing is proved lost.
    """
    stop = lasting(stop)
    nodes = states = 0
    exhausted = False
    for plan in _plans(rules):
        if exhausted and not plan.take_back:
            continue
        attempt = _attempted(plan, position, rules, Limits(limits.nodes - nodes, limits.states), stop)
        nodes += attempt.nodes
        states = max(states, attempt.states)
        if attempt.verdict is Verdict.SOLVED:
            return Solution(Verdict.SOLVED, attempt.line, nodes, states)
        exhausted = attempt.verdict is Verdict.LOST
        if exhausted and (plan.take_back or rules.take_back is TakeBack.NEVER):
            return Solution(Verdict.LOST, (), nodes, states)
        if nodes >= limits.nodes or (stop is not None and stop()):
            break
    return Solution(Verdict.UNKNOWN, (), nodes, states)


def line_with(
    weights: Weights, position: Position, rules: Rules, limits: Limits, stop: Stop | None = None
) -> tuple[Move, ...]:
    """Return the line that one search with these weights finds without taking cards back, or none."""
    return _attempted(_Plan(weights, _ALL), position, rules, limits, stop).line


def _plans(rules: Rules) -> Iterator[_Plan]:
    for weights, nodes in TRIES:
        yield _Plan(weights, nodes)
    if rules.take_back is TakeBack.NEVER:
        yield _Plan(LAST, _ALL)
        return
    yield _Plan(LAST, _BEFORE_TAKING_BACK)
    if not rules.automatic_moves:
        yield _Plan(LAST, _ALL, take_back=True)


def _attempted(plan: _Plan, position: Position, rules: Rules, limits: Limits, stop: Stop | None) -> _Attempt:
    safe_cards = SafeCards(Safety.CARDS_COME_BACK if plan.take_back else Safety.NOTHING_COMES_BACK)
    board = Board.of(position)
    board.settle(safe_cards)
    settled = board.heights
    line = Line.begin(rules, position)
    if limits.states < 1:
        return _Attempt(Verdict.UNKNOWN, (), 0, 0)  # not even the start may be kept
    expander = Expander(rules, safe_cards, take_back=plan.take_back)
    search = Search(board, expander, Evaluator(plan.weights, rules.cells))
    verdict = search.run(min(plan.nodes, limits.nodes), limits.states, stop)
    moves = traced(line, settled, search.path()) if verdict is Verdict.SOLVED else ()
    return _Attempt(verdict, moves, search.nodes, search.states)
