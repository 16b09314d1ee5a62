"""A file of moves: read, and tried, before anybody is kept waiting by a race. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from cellrace_engine import CLASSIC, Line, Position, Reason, Refusal, Rules, deal, read_move
from cellrace_engine.replay.document import RESTART, UNDO


class Fault(NamedTuple):
    """What is wrong in which line, counted from 1."""

    line: int
    text: str


def moves_in(text: str) -> Sequence[str] | Fault:
    """The moves of a text, separated by spaces and line ends, `undo` and `restart` among them; or the first word that
    is none. Whether they are legal is not checked."""
    some = deal(1)
    found: list[str] = []
    for number, word in _words(text):
        if word not in (UNDO, RESTART):
            move = read_move(word, some, CLASSIC)
            if isinstance(move, Refusal) and move.reason is Reason.UNREADABLE:
                return Fault(number, move.text)
        found.append(word)
    return found or Fault(1, "there are no moves (such as 2a 2b)")


def fault_on(text: str, start: Position, rules: Rules) -> Fault | None:
    """The first of the moves of a text that cannot be made from `start` on. Raises `RulesError` for a position with
    other cells than the rules."""
    line = Line.begin(rules, start)
    for number, word in _words(text):
        after = _after(line, word)
        if isinstance(after, Refusal):
            return Fault(number, f"{word}: {after.text}")
        line = after
    return None


def _after(line: Line, word: str) -> Line | Refusal:
    if word == UNDO:
        return line.undo()
    if word == RESTART:
        return line.restart()
    move = read_move(word, line.position, line.rules)
    return move if isinstance(move, Refusal) else line.try_play(move)


def _words(text: str) -> Sequence[tuple[int, str]]:
    return [(number, word) for number, line in enumerate(text.splitlines(), 1) for word in line.split()]
