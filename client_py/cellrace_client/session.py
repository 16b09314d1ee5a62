"""What a client has to remember about a race so that it can be picked up on a new connection. Pure."""

import enum
from typing import NamedTuple

from cellrace_protocol import commands as c
from cellrace_protocol import events as e

NumberedCommand = c.Move | c.Undo | c.Restart | c.Finish | c.GiveUp

TRY_AGAIN = frozenset({"unavailable", "busy", "slow_down"})
"""Refusals that only mean: later."""

OUT_OF_ORDER = "out_of_order"

UNDER_WAY_MOST = 64
"""Actions that may wait for their answers (5.1)."""


class Do(enum.Enum):
    """A player's action that is not a move."""

    UNDO = c.Undo
    RESTART = c.Restart
    FINISH = c.Finish
    GIVE_UP = c.GiveUp


class _Pending(NamedTuple):
    """An action without an answer. `ticket` names it to the caller, `n` to the server (0: not sent yet)."""

    ticket: int
    n: int
    action: str | Do


class Refusal(NamedTuple):
    """`ticket` is 0 for a command without a number."""

    ticket: int
    code: str
    text: str
    expected: int
    retry_after: int = 0


class Heard(NamedTuple):
    """What a message means for the session: tickets that are answered now, and what there is to send."""

    applied: tuple[int, ...] = ()
    refused: tuple[Refusal, ...] = ()
    send: tuple[NumberedCommand, ...] = ()
    retry_after: int = 0  # above 0: send `put_off()` after so many milliseconds
    lost: bool = False  # not the next fact: ask for a snapshot
    seen: bool = False  # the message tells of a fact that was seen before: an acknowledgement sent again


NOTHING = Heard()


class RaceSession:
    """One race on one client: its channel on the present connection (`None` before it is entered there), the last fact
    seen, actions without an answer.

    Actions are sent at once, without waiting for answers, as many as the server takes. When one of them is refused,
    the server refuses those sent after it as out of order; until their answers are here, new actions are kept back, and
    so they are behind `finish`, of which only the server knows how many actions it is. When one is put off (the
    store is away), so are those sent after it, whatever the server calls it; then all are sent again in order.
    """

    def __init__(self, entered: e.Entered) -> None:
        self.race = entered.race
        self.ch: int | None = entered.ch
        self.seat = entered.seat
        self.k: int = 0
        self.ended = False
        self._next = entered.n
        self._tickets = 0
        self._sent: list[_Pending] = []
        self._kept: list[_Pending] = []
        self._finishing = False
        self._refused_n = 0
        self._put_off = False

    @property
    def _rolling_back(self) -> bool:
        """Actions sent after a refused one wait for their own refusals."""
        return 0 < self._refused_n < max((pending.n for pending in self._sent), default=0)

    def act(self, action: str | Do) -> tuple[int, tuple[NumberedCommand, ...]]:
        """Take up an action; returns its ticket and what there is to send."""
        self._tickets += 1
        self._kept.append(_Pending(self._tickets, 0, action))
        return self._tickets, self._send_kept()

    def put_off(self) -> tuple[NumberedCommand, ...]:
        """The actions to send again now that it is time, in order; none where none are put off any more."""
        return self._unanswered() if self._put_off and self.ch is not None else ()

    def _unanswered(self) -> tuple[NumberedCommand, ...]:
        self._put_off = False
        most = self._refused_n if self._rolling_back else self._next
        again = tuple(self._command(pending) for pending in self._sent if pending.n < most)
        return (*again, *self._send_kept())

    def channel_lost(self) -> None:
        """The connection is gone: nothing can be sent before the race is entered again."""
        self.ch = None

    def resume(self, r: int) -> c.Resume:
        """The request that picks the race up on a new connection."""
        return c.Resume(r, self.race, self.k)

    def entered_again(self, entered: e.Entered) -> Heard:
        """The race goes on as `entered` says: what was applied unseen is answered, the rest is sent again. Where it was
        received all the time nothing was lost."""
        if (entered.ch, entered.seat) == (self.ch, self.seat) and self._sent:
            return NOTHING
        self.ch, self.seat = entered.ch, entered.seat
        applied = self._answered_below(entered.n)
        refused: tuple[Refusal, ...] = ()
        if self.seat < 0:
            refused = self._all_refused("not_seated", "the seat is gone")
        elif self._rolling_back:
            behind = [pending for pending in self._sent if pending.n > self._refused_n]
            self._sent = [pending for pending in self._sent if pending.n < self._refused_n]
            text = "an action before this one was refused"
            refused = tuple(Refusal(pending.ticket, OUT_OF_ORDER, text, entered.n) for pending in behind)
        self._refused_n = 0
        self._finishing = any(pending.action is Do.FINISH for pending in self._sent)
        self._next = entered.n
        self._sent = [pending._replace(n=self._number()) for pending in self._sent]
        return Heard(applied, refused, self._unanswered())

    def _all_refused(self, code: str, text: str) -> tuple[Refusal, ...]:
        pending = [*self._sent, *self._kept]
        self._sent.clear()
        self._kept.clear()
        return tuple(Refusal(ticket, code, text, 0) for ticket, _, _ in pending)

    def hear(self, message: e.AnyServerMessage) -> Heard:
        """Take note of a message on this race's channel."""
        if isinstance(message, e.Snapshot):
            return self._stands(message)
        if isinstance(message, e.Refused):
            return self._refused(message)
        if isinstance(message, e.RaceMessage):
            return self._happened(message)
        return NOTHING

    def _stands(self, snapshot: e.Snapshot) -> Heard:
        """All that was missed is in it, answers too: every action below its `n` was applied."""
        self.k, self.seat = snapshot.k, snapshot.you
        self.ended = snapshot.phase == "ended"
        if self.seat < 0:
            return Heard(refused=self._all_refused("not_seated", "the seat is gone"))
        applied = self._answered_below(snapshot.n)
        self._finishing = any(pending.action is Do.FINISH for pending in self._sent)
        return Heard(applied, send=self._send_kept())

    def _happened(self, message: e.RaceMessage) -> Heard:
        seen = message.k <= self.k
        if message.k > self.k + 1:
            return Heard(lost=True)
        self.k = max(self.k, message.k)
        self.ended = self.ended or isinstance(message, e.End)
        applied = self._acknowledged(message)
        if isinstance(message, e.End) or (isinstance(message, e.Done) and message.seat == self.seat):
            self._finishing = False
        return Heard(applied=applied, send=self._send_kept(), seen=seen)

    def _acknowledged(self, message: e.RaceMessage) -> tuple[int, ...]:
        """The tickets of our own actions that a fact answers."""
        if isinstance(message, e.Applied):
            return self._answered_below(message.n + 1)
        if isinstance(message, e.GaveUp) and message.seat == self.seat:
            given_up = next((pending for pending in self._sent if pending.action is Do.GIVE_UP), None)
            return self._answered_below(given_up.n + 1) if given_up is not None else ()
        if isinstance(message, e.Left) and message.seat == self.seat:
            self.seat = -1
        return ()

    def _answered_below(self, n: int) -> tuple[int, ...]:
        answered = tuple(pending.ticket for pending in self._sent if pending.n < n)
        self._sent = [pending for pending in self._sent if pending.n >= n]
        self._next = max(self._next, n)
        return answered

    def _refused(self, refused: e.Refused) -> Heard:
        if refused.n == 0:
            return Heard(
                refused=(Refusal(0, refused.code, refused.text, refused.expected, refused.retry_after),)
            )
        found = next((pending for pending in self._sent if pending.n == refused.n), None)
        if found is None:
            return NOTHING
        if refused.code in TRY_AGAIN or (self._put_off and refused.code == OUT_OF_ORDER):
            first, self._put_off = not self._put_off, True
            return Heard(retry_after=max(1, refused.retry_after)) if first else NOTHING
        self._sent.remove(found)
        if found.action is Do.FINISH:
            self._finishing = False
        if not self._rolling_back:
            self._refused_n = found.n
        if not self._sent and refused.expected:
            self._next = refused.expected
        refusal = Refusal(found.ticket, refused.code, refused.text, refused.expected, refused.retry_after)
        return Heard(refused=(refusal,), send=self._send_kept())

    def _send_kept(self) -> tuple[NumberedCommand, ...]:
        if self._rolling_back or self._put_off or self.ch is None:
            return ()
        self._refused_n = 0
        numbered: list[_Pending] = []
        while self._kept and not self._finishing and len(self._sent) + len(numbered) < UNDER_WAY_MOST:
            pending = self._kept.pop(0)
            numbered.append(pending._replace(n=self._number()))
            self._finishing = pending.action is Do.FINISH
        self._sent.extend(numbered)
        return tuple(self._command(pending) for pending in numbered)

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _command(self, pending: _Pending) -> NumberedCommand:
        assert self.ch is not None, "nothing is sent without a channel"
        if isinstance(pending.action, str):
            return c.Move(self.ch, pending.n, pending.action)
        command: type[c.Undo | c.Restart | c.Finish | c.GiveUp] = pending.action.value
        return command(self.ch, pending.n)
