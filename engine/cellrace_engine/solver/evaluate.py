"""How far from home a board looks: the lower, the sooner the search goes on there.

The weights were found by trial on random deals; see the decision record on the solver.
"""

from dataclasses import dataclass
from operator import mul

from cellrace_engine.cards import PARENTS
from cellrace_engine.solver.board import Board


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much. Distances count up, what helps counts down.

    `home` a card at home; `spread` a rank between the highest and the lowest foundation; `step` a move
    made. `cells` what the cells in use cost one by one (the last of the four is the last free one);
    `columns` the same for empty columns. In a column: `broken` a card that does not continue the run
    above it, `run` one that does; `blocking` a card that lies on a lower one; `urgent` a card on top of
    one that is next on its foundation, second next and so on; `king` a column that starts with a king,
    `base` a rank that it starts below one.
    """

    home: float
    spread: float
    step: float
    cells: tuple[float, float, float, float]
    columns: tuple[float, float, float]
    broken: float
    run: float
    blocking: float
    urgent: tuple[float, float, float, float]
    king: float
    base: float


class _StandingCosts(dict[bytes, tuple[float, int]]):
    """What each column costs whatever is home, and its lowest rank; filled as it is asked.

    A column costs what it costs without its last card, and what that card adds.
    """

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self._weights = weights
        self[b""] = (0.0, 13)

    def __missing__(self, column: bytes) -> tuple[float, int]:
        weights = self._weights
        card = column[-1]
        rank = card >> 2
        if len(column) == 1:
            cost, lowest = (weights.king if rank == 12 else weights.base * (12 - rank)), 13
        else:
            cost, lowest = self[column[:-1]]
            cost += weights.run if column[-2] in PARENTS[card] else weights.broken
        if rank > lowest:
            cost += weights.blocking
            rank = lowest
        self[column] = found = (cost, rank)
        return found


class _ColumnCosts(dict[bytes, float]):
    """What each column costs while the foundations have certain heights; filled as it is asked.

    `base` is what the heights cost themselves.
    """

    def __init__(self, weights: Weights, standing: _StandingCosts, heights: bytes) -> None:
        super().__init__()
        self.base = weights.home * sum(heights) + weights.spread * (max(heights) - min(heights))
        self._standing = standing
        self._urgency = [0.0] * 52
        for suit, height in enumerate(heights):
            for ahead, urgent in enumerate(weights.urgent[: 13 - height]):
                self._urgency[(height + ahead) * 4 + suit] = urgent

    def __missing__(self, column: bytes) -> float:
        urgency: float = sum(map(mul, map(self._urgency.__getitem__, column), _ABOVE[len(column)]))
        self[column] = cost = self._standing[column][0] + urgency
        return cost


# How many cards lie on each card of a column, by the column's length.
_ABOVE = tuple(tuple(range(length - 1, -1, -1)) for length in range(53))


class Evaluator:
    """Scores boards with one set of weights; keeps what it has reckoned."""

    __slots__ = ("_costs", "_room", "_standing", "_step", "_weights")

    def __init__(self, weights: Weights, cells: int) -> None:
        self._weights = weights
        self._step = weights.step
        self._standing = _StandingCosts(weights)
        self._costs: dict[bytes, _ColumnCosts] = {}
        # What cells in use and empty columns cost together: [cells in use][empty columns].
        taken = weights.cells[4 - cells :]
        self._room = [
            [sum(taken[:used]) + sum(weights.columns[:empty]) for empty in range(9)]
            for used in range(cells + 1)
        ]

    def score(self, board: Board, steps: int) -> float:
        """Return the score of a board reached in so many steps."""
        costs = self._costs.get(board.heights)
        if costs is None:
            costs = _ColumnCosts(self._weights, self._standing, board.heights)
            self._costs[board.heights] = costs
        columns = board.columns
        return (
            costs.base
            + sum([costs[column] for column in columns])
            + self._room[len(board.cells)][columns.count(b"")]
            + self._step * steps
        )
