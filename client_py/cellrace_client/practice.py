"""A game alone, without a server: the same line of play, and everything that was done, for a replay. Pure."""

from collections.abc import Callable
from typing import Protocol

from cellrace_engine import (
    Action,
    DealCode,
    Line,
    Move,
    PlayerKind,
    PlayerRun,
    Position,
    Refusal,
    Replay,
    Result,
    Rules,
    format_move,
    read_move,
    to_json,
)

MICROSOFT_RANDOM_LAST = 32_000
"""Random deals are drawn from 1 up to this one."""


class Chance(Protocol):
    """What a deal is drawn with; `random.Random` is one."""

    def randint(self, first: int, last: int, /) -> int: ...


class TakenBack:
    """Moves that were taken back, the next one to make again last."""

    def __init__(self) -> None:
        self._moves: list[Move] = []

    def __bool__(self) -> bool:
        return bool(self._moves)

    def undone(self, before: Line) -> None:
        """The last move of this line is taken back."""
        if before.step is not None:
            self._moves.append(before.step.move)
        else:
            self.forget()  # which one that is nobody knows here

    def forget(self) -> None:
        """There is nothing to make again."""
        self._moves.clear()

    def restarted(self, before: Line) -> None:
        """All of them are."""
        self._moves += [step.move for step in reversed(before.steps())]

    def played(self, move: Move) -> None:
        """A move was made: if it is another than the next one, there is nothing to make again."""
        if self._moves and self._moves[-1] == move:
            self._moves.pop()
        else:
            self._moves.clear()

    def next(self, line: Line) -> str:
        """The next move to make again, in notation; empty where there is none."""
        if not self._moves:
            return ""
        return format_move(self._moves[-1], line.position, line.rules)


class Practice:
    """One game alone. Times are milliseconds from its start and must not go back; what the rules refuse comes back as a
    `Refusal` and changes nothing."""

    def __init__(self, rules: Rules, deal: DealCode) -> None:
        """Raises `RulesError` where the deal has other cells than the rules."""
        self.deal = deal
        self.rules = rules
        self.line = Line.begin(rules, deal.deal())
        self.taken_back = TakenBack()
        self.actions: list[Action] = []

    @property
    def time_ms(self) -> int:
        """When the last thing was done."""
        return self.actions[-1].t_ms if self.actions else 0

    def move(self, text: str, t_ms: int) -> Refusal | None:
        """Make a move, in notation such as `26`."""
        move = read_move(text, self.line.position, self.line.rules)
        return move if isinstance(move, Refusal) else self._play(move, t_ms)

    def _play(self, move: Move, t_ms: int) -> Refusal | None:
        before = self.line
        after = before.try_play(move)
        if isinstance(after, Refusal):
            return after
        self._stands(after, format_move(move, before.position, before.rules), t_ms)
        self.taken_back.played(move)
        return None

    def undo(self, t_ms: int) -> Refusal | None:
        """Take the last move back, with its automatic moves."""
        return self._changed(self.line.undo(), "undo", t_ms, self.taken_back.undone)

    def restart(self, t_ms: int) -> Refusal | None:
        """Go back to the deal; the clock goes on."""
        return self._changed(self.line.restart(), "restart", t_ms, self.taken_back.restarted)

    def redo(self, t_ms: int) -> Refusal | None:
        """Make the move again that was taken back last. Nothing happens where there is none."""
        text = self.taken_back.next(self.line)
        return self.move(text, t_ms) if text else None

    def finish(self, t_ms: int) -> int:
        """Send everything home, each card a move of its own, once nothing can block it; returns how many moves."""
        moves = self.line.finish_moves()
        for move in moves:
            self._play(move, t_ms)
        return len(moves)

    def _changed(
        self, after: Line | Refusal, do: str, t_ms: int, note: Callable[[Line], None]
    ) -> Refusal | None:
        if isinstance(after, Refusal):
            return after
        note(self.line)
        self._stands(after, do, t_ms)
        return None

    def _stands(self, line: Line, do: str, t_ms: int) -> None:
        self.actions.append(Action(t_ms, do))
        self.line = line

    def replay(self, name: str) -> Replay:
        """What was done so far, under this name. `verify` holds for it."""
        line = self.line
        result = Result(self.time_ms, line.moves, line.cards_home, line.score)
        run = PlayerRun(name, PlayerKind.HUMAN, tuple(self.actions), result)
        return Replay(self.rules, (run,), self.deal)

    def document(self, name: str) -> str:
        """The same as a replay document, JSON text."""
        return to_json(self.replay(name))


def drawn(rules: Rules, chance: Chance, is_won: Callable[[Position, Rules], bool]) -> DealCode:
    """A random deal that can be won: numbers are drawn until `is_won` finds a line."""
    while True:
        code = DealCode.of(chance.randint(1, MICROSOFT_RANDOM_LAST), rules.cells)
        if is_won(code.deal(), rules):
            return code
