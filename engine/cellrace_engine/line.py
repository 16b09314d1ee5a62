"""A line of play that stands: the immutable value that a server folds over."""

from collections.abc import Sequence
from typing import Any, Self

from cellrace_engine.automatic import SAFE_NEXT, all_safe_home, next_home, safe_home_from
from cellrace_engine.errors import IllegalMove, RulesError
from cellrace_engine.generate import any_legal_move, legal_moves
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, Move, Step
from cellrace_engine.position import Position, Unfilled
from cellrace_engine.reasons import reason_against
from cellrace_engine.referee import JUDGES
from cellrace_engine.refusal import GAME_OVER, NOTHING_TO_UNDO, Refusal, undo_depth_reached
from cellrace_engine.rules import Rules
from cellrace_engine.tap import tapped


class Line:
    """A start position and the moves that stand, under one rule set. Immutable.

    Make it with `Line.begin` or `Line.resumed`: there is no constructor, since each move would pay for its call.
    Each line knows the one before its last move, so that an undo costs nothing and nothing is ever copied.
    Equality, hash and repr look at where the line stands, not at the way there, and take constant time.
    """

    __slots__ = (
        "_automatic",
        "_brought",
        "_depth",
        "_move",
        "_previous",
        "moves",
        "position",
        "rules",
        "score",
        "start",
        "undos",
    )

    rules: Rules
    start: Position
    position: Position
    score: int  # the running total of points
    moves: int  # how many moves stand
    undos: int  # how many undos were made

    _move: Move | None
    _automatic: tuple[Move, ...]
    _previous: "Line | None"
    _depth: int  # how many undos are open
    _brought: int  # one bit for each card that was brought from a cell to a column

    @classmethod
    def begin(cls, rules: Rules, start: Position) -> "Line":
        """Return the line without moves; raise `RulesError` if the position has other cells than the rules.

        Else the position is not checked.
        """
        if len(start.cells) != rules.cells:
            raise RulesError("cells", f"the position has {len(start.cells)}, the rules have {rules.cells}")
        return cls.resumed(rules, start, start, 0, 0, 0)

    @classmethod
    def resumed(
        cls, rules: Rules, start: Position, position: Position, score: int, moves: int, undos: int
    ) -> "Line":
        """Return the line that stands at a position, whatever led there: no move can be taken back.

        Nothing is checked.
        """
        line = cls()
        line.rules = rules
        line.start = start
        line.position = position
        line.score = score
        line.moves = moves
        line.undos = undos
        line._move = None
        line._automatic = ()
        line._previous = None
        line._depth = 0
        line._brought = 0
        return line

    def try_play(self, move: Move) -> "Line | Refusal":
        """Return the line with the move and its automatic moves added, or why it is refused.

        Never raises for a `Move` of integers, whatever they are; other types are not checked.
        """
        rules = self.rules
        before = self.position
        # As `placed` does, without the call: this is the hot path.
        judge, source, destination, count = JUDGES[move]
        parts = judge(before, source, destination, count, rules)
        if parts is None:
            return self._refusal(move)
        score, brought = self.score, self._brought
        automatic: tuple[Move, ...] = ()
        if destination >= FIRST_FOUNDATION:
            score += rules.points_to_foundation
        elif source >= FIRST_CELL:
            if source >= FIRST_FOUNDATION:
                score = max(0, score + rules.points_taken_back)
            elif destination < FIRST_CELL:
                score += rules.points_cell_to_column
                brought |= 1 << before.cells[source - FIRST_CELL]
        if rules.automatic_moves:
            # No safe card was left over by the move before. Unless others are safe now, only the card that
            # this move uncovered can be one.
            columns, _, foundations = parts
            if self._move is None or (
                foundations is not before.foundations
                and SAFE_NEXT[foundations] != SAFE_NEXT[before.foundations]
            ):
                parts, automatic = all_safe_home(parts)
                score += len(automatic) * rules.points_to_foundation
            elif source < FIRST_CELL:
                column = columns[source]
                if column and column[-1] in SAFE_NEXT[foundations]:
                    parts, automatic = safe_home_from(parts, source)
                    score += len(automatic) * rules.points_to_foundation
        depth = self._depth + 1
        limit = rules.undo_depth
        if limit is not None and depth > limit:
            depth = limit
        line = Line()
        line.rules, line.start = rules, self.start
        line.position = position = Unfilled()  # pyright: ignore[reportCallIssue]
        position.columns, position.cells, position.foundations = parts  # pyright: ignore[reportAttributeAccessIssue]
        line.score, line.moves, line.undos = score, self.moves + 1, self.undos
        line._move, line._automatic, line._previous = move, automatic, self
        line._depth, line._brought = depth, brought
        return line

    def play(self, move: Move) -> "Line":
        """Return the line with the move added; raise `IllegalMove` when it is refused."""
        line = self.try_play(move)
        if isinstance(line, Refusal):
            raise IllegalMove(line)
        return line

    def reason_against(self, move: Move) -> Refusal | None:
        """Return why the move is refused here, `None` when it is legal."""
        return reason_against(self.position, move, self.rules)

    def undo(self) -> "Line | Refusal":
        """Return the line before the last move, points as they stood, with one more undo on the count."""
        if self.won:
            return GAME_OVER
        previous = self._previous
        if previous is None:
            return NOTHING_TO_UNDO
        if self._depth == 0:
            return undo_depth_reached(self.rules.undo_depth or 0)
        return previous._seen_from(self._depth - 1, self.undos + 1)

    def restart(self) -> "Line | Refusal":
        """Return the line at its start again: no moves, no points, no history; the count of undos stays."""
        if self.won:
            return GAME_OVER
        return Line.resumed(self.rules, self.start, self.start, 0, 0, self.undos)

    @property
    def step(self) -> Step | None:
        """The last step that stands, whether it can be taken back or not; `None` at the start."""
        return None if self._move is None else Step(self._move, self._automatic)

    @property
    def last(self) -> Step | None:
        """The step that an undo would take back."""
        if self._move is None or self._depth == 0 or self.won:
            return None
        return Step(self._move, self._automatic)

    @property
    def board_score(self) -> int:
        """The points for the boards: each card's points count once, and only as long as they stand.

        A card counts when it is home now and was not at the start, and when it was brought from a cell to a
        column in the line that stands. So it is bounded, and what has counted counts no more, however often a loop
        of moves is gone through.
        """
        rules = self.rules
        heights = zip(self.position.foundations, self.start.foundations, strict=True)
        home = sum(max(0, now - at_start) for now, at_start in heights)
        return home * rules.points_to_foundation + self._brought.bit_count() * rules.points_cell_to_column

    @property
    def cards_home(self) -> int:
        """How many cards lie on the foundations."""
        return self.position.cards_home

    @property
    def won(self) -> bool:
        """Whether all cards are home. Then no move, undo or restart is accepted."""
        return self.position.is_won

    @property
    def stuck(self) -> bool:
        """Whether the game is not won and there is no legal move at all."""
        return not self.won and not any_legal_move(self.position, self.rules)

    @property
    def finishable(self) -> bool:
        """Whether the game offers to finish: in no column do the ranks rise from top to bottom."""
        return self.position.is_finishable

    def legal_moves(self) -> list[Move]:
        """Return every legal move once."""
        return legal_moves(self.position, self.rules)

    def tap(self, pile: int, depth: int = 1) -> Move | None:
        """Return where one tap sends the card at that depth of the pile (1: the exposed card), or `None`."""
        return tapped(self.position, pile, depth, self.rules)

    def finish_moves(self) -> tuple[Move, ...]:
        """Return the moves that finish the game, in the order of the offer; none when it is not offered."""
        line, moves = self, list[Move]()
        while line.finishable and (move := next_home(line.position)) is not None:
            moves.append(move)
            line = line.play(move)
        return tuple(moves)

    @property
    def previous(self) -> "Line | None":
        """The line before the last move as it was then; `None` at the start."""
        return self._previous

    def steps(self) -> tuple[Step, ...]:
        """Return the steps that stand, oldest first."""
        return self.steps_back(self.moves)

    def steps_back(self, number: int) -> tuple[Step, ...]:
        """Return the last steps that stand, so many at most, oldest first."""
        steps: list[Step] = []
        line: Line | None = self
        while line is not None and line._move is not None and len(steps) < number:
            steps.append(Step(line._move, line._automatic))
            line = line._previous
        return tuple(reversed(steps))

    def _refusal(self, move: Move) -> Refusal:
        refusal = reason_against(self.position, move, self.rules)
        assert refusal is not None, f"{move} is refused without a reason in {self.position.text}"
        return refusal

    def _seen_from(self, depth: int, undos: int) -> "Line":
        line = Line.resumed(self.rules, self.start, self.position, self.score, self.moves, undos)
        line._move = self._move
        line._automatic = self._automatic
        line._previous = self._previous
        line._depth = depth
        line._brought = self._brought
        return line

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # immutable all through

    def __reduce__(self) -> tuple[Any, ...]:
        # As a flat list: a chain of lines inside one another would be too deep for a long game.
        states: list[tuple[int, int]] = []
        moves: list[tuple[int, ...]] = []
        line: Line | None = self
        while line is not None:
            states.append((line.undos, line._depth))
            if line._move is not None:
                moves.append(tuple(line._move))
            line = line._previous
        return _replayed, (self.rules, self.start, moves[::-1], states[::-1])

    def _where(self) -> tuple[object, ...]:
        return (self.position, self.score, self.moves, self.undos, self._depth, self._brought, self._move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        return self._where() == other._where() and self.rules == other.rules and self.start == other.start

    def __hash__(self) -> int:
        return hash((self.position, self.moves, self.undos))

    def __repr__(self) -> str:
        return f"<Line: {self.moves} moves, {self.undos} undos, {self.score} points, {self.position.text}>"


def _replayed(
    rules: Rules, start: Position, moves: Sequence[tuple[int, int, int]], states: Sequence[tuple[int, int]]
) -> Line:
    """Return the line of these moves; `states` are the undos made and the undos open, at the start and after each."""
    line = _in_state(Line.begin(rules, start), states[0])
    for move, state in zip(moves, states[1:], strict=True):
        line = _in_state(line.play(Move(*move)), state)
    return line


def _in_state(line: Line, state: tuple[int, int]) -> Line:
    undos, depth = state
    return line._seen_from(depth, undos)  # pyright: ignore[reportPrivateUsage]
