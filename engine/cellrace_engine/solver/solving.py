"""Solve a position, or prove that it is lost."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cellrace_engine.line import Line
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules, TakeBack
from cellrace_engine.solver.board import Board
from cellrace_engine.solver.evaluate import Evaluator, Weights
from cellrace_engine.solver.expand import Expander
from cellrace_engine.solver.limits import Limits, Solution, Verdict
from cellrace_engine.solver.portfolio import LAST, TRIES
from cellrace_engine.solver.safety import SafeCards, Safety
from cellrace_engine.solver.search import Search
from cellrace_engine.solver.trace import traced

Stop = Callable[[], bool]

DEFAULT = Limits()
_ALL = 10**18
# Lines that take cards back are seldom needed: so many nodes are opened without them first.
_BEFORE_TAKING_BACK = 20_000


class _Plan(NamedTuple):
    """One search of the sequence: how it is guided, how far it goes, and whether its end proves a loss."""

    weights: Weights
    nodes: int
    safety: Safety
    take_back: bool
    proves: bool


def _plans(rules: Rules) -> Iterator[_Plan]:
    never = rules.take_back is TakeBack.NEVER
    for weights, nodes in TRIES:
        yield _Plan(weights, nodes, Safety.NOTHING_COMES_BACK, take_back=False, proves=never)
    if never:
        yield _Plan(LAST, _ALL, Safety.NOTHING_COMES_BACK, take_back=False, proves=True)
        return
    yield _Plan(LAST, _BEFORE_TAKING_BACK, Safety.NOTHING_COMES_BACK, take_back=False, proves=False)
    if not rules.automatic_moves:
        yield _Plan(LAST, _ALL, Safety.CARDS_COME_BACK, take_back=True, proves=True)


def solve(position: Position, rules: Rules, limits: Limits = DEFAULT, stop: Stop | None = None) -> Solution:
    """Return a line that wins from a position, the proof that there is none, or that it is unknown.

    The position must have the cells of the rules (`RulesError`); else it is not checked. `stop` is asked
    every few hundred nodes; once it returns true the answer is `UNKNOWN`. The same arguments give the
    same answer. Where the rules both take cards back and make automatic moves, nothing is proved lost.
    """
    line = Line.begin(rules, position)
    nodes = states = 0
    for plan in _plans(rules):
        board = Board.of(position)
        safe_cards = SafeCards(plan.safety)
        board.settle(safe_cards)
        settled = board.heights
        expander = Expander(rules, safe_cards, take_back=plan.take_back)
        search = Search(board, expander, Evaluator(plan.weights, rules.cells))
        verdict = search.run(min(plan.nodes, limits.nodes - nodes), limits.states, stop)
        nodes += search.nodes
        states = max(states, search.states)
        if verdict is Verdict.SOLVED:
            return Solution(verdict, traced(line, settled, search.path()), nodes, states)
        if verdict is Verdict.LOST and plan.proves:
            return Solution(verdict, (), nodes, states)
        if nodes >= limits.nodes or (stop is not None and stop()):
            break
    return Solution(Verdict.UNKNOWN, (), nodes, states)
