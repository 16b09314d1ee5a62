"""The own board as it will stand if the server agrees with all that is under way: the rules, applied at once. Pure.

What the server has confirmed is a line of play; the actions without an answer are played on top of it. An answer moves
an action from the one to the other, a refusal takes it away, and what is left is played again.
"""

from collections.abc import Collection
from typing import NamedTuple, Self

from cellrace_client.session import Do
from cellrace_engine import Line, Move, Position, Refusal, Rules, read_move
from cellrace_protocol import events as e
from cellrace_protocol.board import pack, unpack
from cellrace_protocol.transfers import unpack_transfer

UNPLAYED = {Do.UNDO: e.What.UNDO, Do.RESTART: e.What.RESTART}


class _Guess(NamedTuple):
    """An action without an answer, and the lines before and after it: `None` where nobody but the server can tell."""

    ticket: int
    action: str | Do
    before: Line | None
    after: Line | None


class Prediction:
    """One player's board. `line` is what to show, `confirmed` what the server has said."""

    def __init__(self, confirmed: Line) -> None:
        self.confirmed = confirmed
        self._guesses: list[_Guess] = []
        self._finishing = False
        self._owed: set[int] = set()

    @classmethod
    def begin(cls, rules: Rules, start: str) -> Self:
        """From the deal, a board in the protocol's notation. Raises `ValueError` where it is none."""
        return cls(Line.begin(rules, _position(start)))

    @property
    def line(self) -> Line:
        """The line with everything that is under way, as far as it can be told."""
        known = (guess.after for guess in reversed(self._guesses) if guess.after is not None)
        return next(known, None) or self._base()

    @property
    def certain(self) -> bool:
        """Everything under way can be told. It cannot behind an undo of a move that was made before this client
        looked: then nothing is known of the board but that it will change."""
        return all(guess.after is not None for guess in self._guesses)

    @property
    def under_way(self) -> int:
        """Actions without an answer."""
        return len(self._guesses)

    def board(self) -> str:
        """The confirmed board in the protocol's notation."""
        position = self.confirmed.position
        return pack(position.columns, position.cells, position.foundations)

    def acted(self, ticket: int, action: str | Do) -> None:
        """An action was taken up, and is played at once."""
        base = self.line if self.certain else None
        self._guesses.append(_Guess(ticket, action, base, _after(base, action)))

    def settled(self, tickets: Collection[int]) -> None:
        """These actions are answered, applied or refused: applied ones have been heard of before. Those behind them
        are played again."""
        gone = [guess for guess in self._guesses if guess.ticket in tickets]
        if gone:
            finished = any(guess.action is Do.FINISH for guess in gone) and self.confirmed.finishable
            self._finishing = self._finishing or (finished and not self.confirmed.won)
            self._drop(tickets)

    def owed(self, tickets: Collection[int]) -> None:
        """These actions were applied while there was no connection; the facts of them are still to come."""
        self._owed.update(tickets)

    def refused(self, tickets: Collection[int]) -> None:
        """The server said no to these actions: nothing of them stands."""
        if tickets:
            self._drop(tickets)

    def abandoned(self) -> None:
        """No answer will come any more, to anything: what the server has confirmed is all that stands."""
        self._finishing = False
        self._owed.clear()
        self._guesses.clear()

    def heard(self, applied: e.Applied) -> bool:
        """Take in what became of an own action, the next fact of this board. False when the confirmed line does not
        lead there by the rules, or does not go back far enough: then `rebase`."""
        after = self._foreseen(applied) or _confirmed(self.confirmed, applied)
        if after is None:
            return False
        self.confirmed = after
        self._finishing = self._finishing and applied.what is e.What.MOVE and not after.won
        if self._guesses and self._guesses[0].ticket in self._owed:
            self.settled([self._guesses[0].ticket])
        return True

    def rebase(self, board: str, moves: int, points: int, undos: int | None = None) -> None:
        """The board stands like this, whatever was known; moves that led there cannot be taken back in advance. A line
        that stands there too is kept. Raises `ValueError` for what is no board."""
        now = self.confirmed
        undone = now.undos if undos is None else undos
        if (self.board(), now.moves, now.undos) != (board, moves, undone):
            self.confirmed = Line.resumed(now.rules, now.start, _position(board), points, moves, undone)
        self._finishing = False
        self._drop(tuple(self._owed))

    def reason_against(self, text: str) -> Refusal | None:
        """Why the rules refuse a move, with its numbers; `None` when they allow it, or where nobody can tell yet."""
        if not self.certain:
            return None
        move = read_move(text, self.line.position, self.line.rules)
        return move if isinstance(move, Refusal) else self.line.reason_against(move)

    def reason_for(self, ticket: int) -> Refusal | None:
        """Why the rules refuse an action that was taken up, on the board as it was foreseen before it; `None` as for
        `reason_against`, and where it is none under way."""
        guess = next((guess for guess in self._guesses if guess.ticket == ticket), None)
        if guess is None or guess.before is None:
            return None
        line, action = guess.before, guess.action
        if isinstance(action, str):
            move = read_move(action, line.position, line.rules)
            return move if isinstance(move, Refusal) else line.reason_against(move)
        after = line.undo() if action is Do.UNDO else line.restart() if action is Do.RESTART else line
        return after if isinstance(after, Refusal) else None

    def _foreseen(self, applied: e.Applied) -> Line | None:
        """The line that was guessed, if it was played on what is confirmed and this is what has become of it."""
        guess = self._guesses[0] if self._guesses else None
        if guess is None or guess.before is not self.confirmed or guess.after in (None, guess.before):
            return None
        what = e.What.MOVE if isinstance(guess.action, str) else UNPLAYED.get(guess.action)
        return guess.after if what is applied.what and _leads(self.confirmed, guess.after, applied) else None

    def _base(self) -> Line:
        """What the server has confirmed, and the rest of a finish of which it has confirmed the beginning."""
        return _finished(self.confirmed) if self._finishing else self.confirmed

    def _drop(self, tickets: Collection[int]) -> None:
        self._guesses = [guess for guess in self._guesses if guess.ticket not in tickets]
        self._owed.difference_update(tickets)
        self._play_again()

    def _play_again(self) -> None:
        line: Line | None = self._base()
        guesses: list[_Guess] = []
        for guess in self._guesses:
            # What was played on this very line comes out as it did.
            after = guess.after if guess.before is line else _after(line, guess.action)
            guesses.append(guess._replace(before=line, after=after))
            line = after
        self._guesses = guesses


def _position(board: str) -> Position:
    columns, cells, foundations = unpack(board)
    return Position(columns, cells, foundations)


def _after(line: Line | None, action: str | Do) -> Line | None:
    """What an action makes of a line; what the rules refuse changes nothing, as on the server."""
    if line is None:
        return None
    if isinstance(action, str):
        move = read_move(action, line.position, line.rules)
        after = move if isinstance(move, Refusal) else line.try_play(move)
    elif action is Do.UNDO:
        if line.previous is None and line.moves and not line.won:
            return None
        after = line.undo()
    elif action is Do.RESTART:
        after = line.restart()
    else:
        return _finished(line) if action is Do.FINISH else line
    return line if isinstance(after, Refusal) else after


def _finished(line: Line) -> Line:
    for move in line.finish_moves():
        line = line.play(move)
    return line


def _confirmed(line: Line, applied: e.Applied) -> Line | None:
    """The line after a fact, `None` when the line does not lead there."""
    match applied.what:
        case e.What.MOVE:
            if not applied.transfers:
                return None
            after = line.try_play(Move(*unpack_transfer(applied.transfers[0])))
        case e.What.UNDO:
            after = line.undo()
        case e.What.RESTART:
            after = line.restart()
    return after if not isinstance(after, Refusal) and _leads(line, after, applied) else None


def _leads(line: Line, after: Line, applied: e.Applied) -> bool:
    """Whether the cards went from the one line to the other as they were told to have gone."""
    transfers: tuple[Move, ...] = ()
    if applied.what is e.What.MOVE and after.step is not None:
        transfers = after.step.transfers
    elif applied.what is e.What.UNDO and line.step is not None:
        transfers = line.step.reversed_transfers
    told = [unpack_transfer(transfer) for transfer in applied.transfers]
    return [tuple(transfer) for transfer in transfers] == told
