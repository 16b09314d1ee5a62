"""A game that one plays: a thin mutable wrapper around a `Line`, with exceptions."""

from cellrace_engine.deals import DealCode, deal
from cellrace_engine.errors import IllegalMove
from cellrace_engine.line import Line
from cellrace_engine.moves import Move, Step
from cellrace_engine.notation import format_move, parse_move
from cellrace_engine.position import Position
from cellrace_engine.refusal import NOTHING_TO_UNDO, Refusal
from cellrace_engine.rules import CLASSIC, Rules


class Game:
    """A game of FreeCell.

    `start` is a deal number, a deal code or its text, or a position. Raises `DealError` when there is no such
    deal, and `RulesError` when the start has other cells than the rules; a position is not checked.
    `line` is the immutable value behind it and may be kept, shared and set.
    """

    __slots__ = ("line",)

    def __init__(self, start: int | str | DealCode | Position, rules: Rules = CLASSIC) -> None:
        self.line = Line.begin(rules, _start(start, rules.cells))

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.line.rules

    @property
    def position(self) -> Position:
        """Where the cards lie now."""
        return self.line.position

    @property
    def score(self) -> int:
        """The running total of points."""
        return self.line.score

    @property
    def board_score(self) -> int:
        """The points that count for boards: each card's once, as long as they stand."""
        return self.line.board_score

    @property
    def moves(self) -> int:
        """How many moves stand."""
        return self.line.moves

    @property
    def undos(self) -> int:
        """How many undos were made."""
        return self.line.undos

    @property
    def is_won(self) -> bool:
        """Whether all cards are home."""
        return self.line.won

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won and no legal move exists."""
        return self.line.stuck

    @property
    def is_finishable(self) -> bool:
        """Whether the game offers to finish: in no column do the ranks rise from top to bottom."""
        return self.line.finishable

    @property
    def legal_moves(self) -> list[Move]:
        """Every legal move once."""
        return self.line.legal_moves()

    def tap(self, pile: int, depth: int = 1) -> Move | None:
        """Return where one tap sends the card at that depth of the pile (1: the exposed card), or `None`."""
        return self.line.tap(pile, depth)

    def finish_moves(self) -> tuple[Move, ...]:
        """Return the moves that finish the game, in the order of the offer; none when it is not offered."""
        return self.line.finish_moves()

    def read(self, move: Move | str) -> Move:
        """Return the move that a text means now; raise `NotationError` when it means none. Moves pass."""
        return parse_move(move, self.line) if isinstance(move, str) else move

    def text_of(self, move: Move) -> str:
        """Return the canonical text of a move in this position."""
        return format_move(move, self.position, self.rules)

    def reason_against(self, move: Move | str) -> Refusal | None:
        """Return why the move is refused, `None` when it is legal.

        Raises `NotationError` for a text that means no move.
        """
        return self.line.reason_against(self.read(move))

    def push(self, move: Move | str) -> Step:
        """Make a move; return it with its automatic moves.

        Raises `IllegalMove`, or `NotationError` for a text that means no move; then nothing changes.
        """
        asked = self.read(move)
        self.line = self.line.play(asked)
        return self.line.steps_back(1)[0]

    def pop(self) -> Move:
        """Take the last move back as if it had never been made, and return it.

        Points and the count of undos are again what they were; no undo is counted, no depth asked, a won game
        opens again. Raises `IllegalMove` when no move stands.
        """
        previous = self.line.previous
        if previous is None:
            raise IllegalMove(NOTHING_TO_UNDO)
        move = self.line.steps_back(1)[0].move
        self.line = previous
        return move

    def peek(self) -> Step | None:
        """Return the last step that stands, `None` at the start."""
        return next(iter(self.line.steps_back(1)), None)

    def undo(self) -> None:
        """Undo as the player does: within the depth, counted. Raises `IllegalMove` when it is refused."""
        self.line = _accepted(self.line.undo())

    def restart(self) -> None:
        """Go back to the start. Raises `IllegalMove` when the game is won."""
        self.line = _accepted(self.line.restart())

    def __str__(self) -> str:
        return self.position.draw()


def _start(start: int | str | DealCode | Position, cells: int) -> Position:
    if isinstance(start, Position):
        return start
    if isinstance(start, int):
        return deal(start, cells)
    code = DealCode.parse(start, cells) if isinstance(start, str) else start
    return code.deal()


def _accepted(line: Line | Refusal) -> Line:
    if isinstance(line, Refusal):
        raise IllegalMove(line)
    return line
