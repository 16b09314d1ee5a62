"""Where one plays, whatever is behind it: the own seat of a race, or a game alone. Everything a view can do to a board.

Nothing here waits. What was done shows in `line` at once; what is refused, at once or by the server later, is told by
`say`, and what has changed since by `changed`.
"""

import asyncio
import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, Protocol

from cellrace_client.errors import ActionRefused, CellraceError
from cellrace_client.model import FIRST_CELL, FIRST_FOUNDATION, Board
from cellrace_client.practice import Practice, TakenBack
from cellrace_client.race import Race
from cellrace_client.session import OUT_OF_ORDER, Do
from cellrace_engine import Line, Move, Position, Reason, Refusal, card_name, format_move, read_move
from cellrace_engine.refusal import GAME_OVER


class Covered(NamedTuple):
    """Why not everything can go home at once: in a column `card` lies over `onto`, which has to go before it."""

    column: int
    card: str
    onto: str


class Trouble(NamedTuple):
    """Why something was not done: a stable code, an English sentence, and where the rules said it, their numbers."""

    code: str
    text: str
    refusal: Refusal | Covered | None = None


PILES = "12345678abcd"
"""Piles that a card is taken from, as notation calls them."""

Say = Callable[[Trouble], None]


LIKE_A_MOVE = re.compile(r"[0-9a-z][cdhs]?[0-9a-z](v.*)?")


def _by_the_rules(refusal: Refusal, move: str = "") -> Trouble:
    """With the text of a move: one that is not even like one is called none, whatever is wrong with its letters."""
    if move and refusal.reason is Reason.UNREADABLE and not LIKE_A_MOVE.fullmatch(move):
        return Trouble(str(refusal.reason), f"{move} is no move: from pile to pile, as in 26 or 3h", refusal)
    return Trouble(str(refusal.reason), refusal.text, refusal)


NOTHING_TO_REDO = Trouble("nothing_to_redo", "no move was taken back")
NOT_STARTED = Trouble("not_started", "the race has not started")


def not_finishable(position: Position) -> Trouble:
    """Why the game is not to be finished yet: the first card that lies over a lower one. That one may go home by itself
    at once; what it takes is that none lies so. A game that is won is over."""
    if position.is_won:
        return _by_the_rules(GAME_OVER)
    for number, column in enumerate(position.columns, 1):
        for upper, lower in pairwise(column):
            if lower >> 2 > upper >> 2:
                covered = Covered(number, card_name(lower), card_name(upper))
                where = f"{covered.card} lies on {covered.onto} in column {number}"
                text = f"not yet: {where}; once no card lies on a lower one"
                return Trouble("not_finishable", text, covered)
    return Trouble("not_finishable", "not yet")


class Table(Protocol):
    """A board to play on."""

    @property
    def line(self) -> Line | None:
        """The line of play as it stands; `None` while there is no board."""
        ...

    @property
    def hints(self) -> bool:
        """Hints may be given here."""
        ...

    def move(self, text: str, /) -> None: ...
    def undo(self) -> None: ...
    def redo(self) -> None: ...
    def restart(self) -> None: ...
    def finish(self) -> None: ...


class PracticeTable:
    """A game alone. `now` is in seconds of any clock that does not go back; the game begins with the first call."""

    hints = True

    def __init__(self, practice: Practice, now: Callable[[], float], say: Say) -> None:
        self.practice = practice
        self._now = now
        self._say = say
        self._began = now()

    @property
    def line(self) -> Line:
        """The line of play as it stands."""
        return self.practice.line

    @property
    def time_ms(self) -> int:
        """How long it has been played; it stands still once it is won."""
        if self.practice.line.won:
            return self.practice.time_ms
        return round(1_000 * (self._now() - self._began))

    def move(self, text: str) -> None:
        """Make a move, in notation."""
        self._tell(self.practice.move(text, self.time_ms), text)

    def undo(self) -> None:
        self._tell(self.practice.undo(self.time_ms))

    def redo(self) -> None:
        """Make the move again that was taken back last."""
        if not self.practice.taken_back:
            self._say(NOTHING_TO_REDO)
            return
        self._tell(self.practice.redo(self.time_ms))

    def restart(self) -> None:
        self._tell(self.practice.restart(self.time_ms))

    def finish(self) -> None:
        """Send everything home, where nothing can block it."""
        if not self.practice.finish(self.time_ms):
            self._say(not_finishable(self.practice.line.position))

    def _tell(self, refusal: Refusal | None, move: str = "") -> None:
        if refusal is not None:
            self._say(_by_the_rules(refusal, move))


class RaceTable:
    """The own seat of a race. What the rules refuse is not sent; what the server refuses is told when it says so."""

    def __init__(self, race: Race, say: Say, changed: Callable[[], None]) -> None:
        self.race = race
        self._say = say
        self._changed = changed
        self._taken_back = TakenBack()
        self._there: Position | None = None
        """The board on which the next move can be made again: not after a refusal, or what others say of it."""
        self._unanswered: set[asyncio.Future[None]] = set()

    @property
    def line(self) -> Line | None:
        """The line of play with everything that is under way."""
        return self.race.line

    @property
    def hints(self) -> bool:
        """Hints are for races that are not ranked, and for practice of a daily."""
        model = self.race.model
        return model is not None and not model.ranked and (not model.daily or model.practice)

    def move(self, text: str) -> None:
        """Make a move, in notation."""
        line = self.race.line
        if line is None:
            self._say(NOT_STARTED)
            return
        refusal = self.race.reason_against(text)
        if refusal is not None:
            self._say(_by_the_rules(refusal, text))
            return
        move = read_move(text, line.position, line.rules)
        if not isinstance(move, Refusal):
            self._taken_back.played(move)
        self._begin(text)

    def undo(self) -> None:
        """Take the last move back."""
        line = self.race.line
        if line is None:
            self._say(NOT_STARTED)
            return
        refused = line.undo()
        if isinstance(refused, Refusal) and not (line.previous is None and line.moves):
            self._say(_by_the_rules(refused))
            return
        self._taken_back.undone(line)
        self._begin(Do.UNDO)

    def redo(self) -> None:
        """Make the move again that was taken back last."""
        line = self.race.line
        if line is None or line.position != self._there:
            self._taken_back.forget()
        text = self._taken_back.next(line) if line is not None else ""
        if text:
            self.move(text)
        else:
            self._say(NOTHING_TO_REDO)

    def restart(self) -> None:
        """Go back to the deal; the clock goes on."""
        line = self.race.line
        if line is None:
            self._say(NOT_STARTED)
            return
        self._taken_back.restarted(line)
        self._begin(Do.RESTART)

    def finish(self) -> None:
        """Send everything home, where nothing can block it."""
        line = self.race.line
        if line is None or not line.finishable:
            self._say(NOT_STARTED if line is None else not_finishable(line.position))
        else:
            self._begin(Do.FINISH)

    def give_up(self) -> None:
        """Be done with this race."""
        self._begin(Do.GIVE_UP)

    async def answered(self) -> None:
        """Wait for the answers to all that was done so far."""
        if self._unanswered:
            await asyncio.wait(self._unanswered)

    def _begin(self, action: str | Do) -> None:
        try:
            answer = self.race.begin(action)
            self._there = self.race.line.position if self.race.line is not None else None
            self._unanswered.add(answer)
            answer.add_done_callback(self._answered)
        except ActionRefused as error:
            self._say(Trouble(error.code, error.text))
        except CellraceError as error:
            self._say(Trouble("disconnected", str(error)))

    def _answered(self, answer: "asyncio.Future[None]") -> None:
        self._unanswered.discard(answer)
        error = None if answer.cancelled() else answer.exception()
        self._changed()  # before the reason is told: what is said holds until the board changes
        # What was sent behind a refused action was refused for that alone: the first reason is the one to tell.
        if isinstance(error, ActionRefused) and error.code != OUT_OF_ORDER:
            self._say(Trouble(error.code, error.text, error.refusal))


def tapped(line: Line, text: str) -> str:
    """What is meant by a move: one from a pile to itself, such as `33` or `aa`, sends its card where one tap would send
    it; any other is as it is."""
    pile = PILES.find(text[0]) if len(text) == 2 and text[0] == text[1] else -1
    return tap_text(line, pile) if pile >= 0 else text


def tap_text(line: Line, pile: int, depth: int = 1) -> str:
    """The move that a tap on a card makes; home, where there is none, for the rules to say why not."""
    move = line.tap(pile, depth) or line.tap(pile)
    if move is None:
        move = Move(pile, FIRST_FOUNDATION + _suit_of(line.position, pile))
    return format_move(move, line.position, line.rules)


def _suit_of(position: Position, pile: int) -> int:
    cell = pile - FIRST_CELL
    cards = position.columns[pile] if cell < 0 else position.cells[cell : cell + 1]
    return cards[-1] & 3 if cards else 0


def position_of(board: Board) -> Position:
    """A receiver's board as a position."""
    return Position(tuple(map(bytes, board.columns)), bytes(board.cells), bytes(board.foundations))
