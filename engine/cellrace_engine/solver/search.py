"""One best-first search over states. It is complete: when nothing is left to open, there is no way to win."""

from collections.abc import Callable
from heapq import heappop, heappush

from cellrace_engine.solver.board import WON, Board, State
from cellrace_engine.solver.evaluate import Evaluator
from cellrace_engine.solver.expand import Expander, Turn
from cellrace_engine.solver.limits import Verdict

POLL_EVERY = 256  # nodes between two questions whether to stop


# How a state was reached first (the state before, the turn), its heights, and the number of steps to it.
Reached = tuple[State | None, Turn | None, bytes, int]


class Search:
    """A search from one board; `run` may be called again to go on with more nodes."""

    def __init__(self, start: Board, expander: Expander, evaluator: Evaluator) -> None:
        state = start.state()
        self.nodes = 0
        self.found: State | None = state if start.heights == WON else None
        self._expander = expander
        self._evaluator = evaluator
        self._reached: dict[State, Reached] = {state: (None, None, start.heights, 0)}
        self._open: list[tuple[float, int, State]] = [(0.0, 0, state)]

    @property
    def states(self) -> int:
        """How many states are kept."""
        return len(self._reached)

    def run(self, nodes: int, states: int, stop: Callable[[], bool] | None = None) -> Verdict:
        """Open and keep so many nodes and states at most; `stop` is asked now and then whether to end."""
        last = self.nodes + nodes
        while self.found is None:
            if not self._open:
                return Verdict.LOST
            if self.nodes >= last:
                return Verdict.UNKNOWN
            if stop is not None and self.nodes % POLL_EVERY == 0 and stop():
                return Verdict.UNKNOWN
            self.nodes += 1
            if not self._open_next(states):
                return Verdict.UNKNOWN
        return Verdict.SOLVED

    def path(self) -> list[tuple[State, Turn, bytes]]:
        """Return the way to the state that was found: state before, turn, heights after."""
        way: list[tuple[State, Turn, bytes]] = []
        state = self.found
        while state is not None:
            before, turn, heights, _ = self._reached[state]
            if before is not None and turn is not None:
                way.append((before, turn, heights))
            state = before
        return way[::-1]

    def _open_next(self, states: int) -> bool:
        """Open the best state; tell whether all that follows from it could be kept. Else it stays to be opened."""
        opened = heappop(self._open)
        state = opened[2]
        _, _, heights, steps = self._reached[state]
        reached, score = self._reached, self._evaluator.score
        for turn, board in self._expander.children(state, heights):
            child = board.state()
            if child in reached:
                continue
            if len(reached) >= states:
                heappush(self._open, opened)
                return False
            reached[child] = (state, turn, board.heights, steps + 1)
            if board.heights == WON:
                self.found = child
                return True
            heappush(self._open, (score(board, steps + 1), len(reached), child))
        return True
