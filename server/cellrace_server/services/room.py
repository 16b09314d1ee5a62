"""One race on this node: its durable value, and a head that runs ahead with facts on their way to the log."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

import msgspec

from cellrace_server.core.commands import AnyCommand
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.history import History
from cellrace_server.core.outcome import Reason, Rejected, Repeated
from cellrace_server.core.race import Race
from cellrace_server.core.views import BOARD_FACTS
from cellrace_server.ports.race_log import Append

WAITING_MOST = 64
"""Commands of one asker that may wait for the store in one race; more are answered `busy`. Nobody waits for others."""

RETRY_AFTER_MS = 500

Answer = Rejected | Repeated | None

_AWAY = Rejected(Reason.UNAVAILABLE, "the store is away: nothing was done, try again", 0, RETRY_AFTER_MS)
_BROKEN = Rejected(Reason.NO_RACE, "this race cannot be kept any more: its log is not what it was")
_BUSY = Rejected(Reason.BUSY, f"{WAITING_MOST} of your commands wait for the store", 0, RETRY_AFTER_MS)


class Asker(Protocol):
    """Who sent a command. Called once for each, from the event loop; must not raise and must not block."""

    def answered(self, room: "Room", command: AnyCommand, answer: Answer, /) -> None:
        """The command was carried out and is durable (`None`), refused, or had been carried out before."""
        ...


class Listener(Protocol):
    """Who shows a race to people. Called in order, once for every durable fact; must not raise and must not block."""

    def happened(self, room: "Room", before: Race | None, fact: AnyFact, after: Race, /) -> None: ...

    def settled(self, room: "Room", /) -> None:
        """A batch of facts has been shown: a good moment to write."""
        ...

    def restored(self, room: "Room", /) -> None:
        """The race is not what was shown: the store has lost facts. Everybody needs a snapshot."""
        ...


class Office(Protocol):
    """What a room needs of whoever commits for it."""

    @property
    def away(self) -> bool:
        """The store does not answer."""
        ...

    def now(self) -> int: ...

    def dirty(self, room: "Room", /) -> None:
        """The room has facts to write."""
        ...


class _Waiting(msgspec.Struct, frozen=True):
    command: AnyCommand
    asker: Asker
    now: int
    facts: tuple[AnyFact, ...]
    race: Race | None
    answer: Answer


class Room:
    """Commands are decided at once on the head and answered when the facts they stand on are durable.

    The committer takes what waits (`take`), appends it, and says what came of it (`accepted`, or `overtaken`
    with the facts of others). Nothing here awaits anything. `listeners` hear every fact, and after them `bystanders`
    those that are not about boards, and when these are settled: of a hundred facts a handful.
    """

    __slots__ = (
        "__weakref__",
        "_asked",
        "_broken",
        "_news",
        "_office",
        "_sent",
        "_waiting",
        "behind",
        "bystanders",
        "head",
        "history",
        "id",
        "keepers",
        "listeners",
    )

    def __init__(self, race_id: str, office: Office) -> None:
        self.id = race_id
        self.history = History()
        self.head: Race | None = None
        self.listeners: list[Listener] = []
        self.bystanders: list[Listener] = []
        self.keepers = 0
        self.behind = False
        """Others may have written more than is known here."""
        self._office = office
        self._waiting: deque[_Waiting] = deque()
        self._asked: dict[Asker, int] = {}
        self._sent = 0
        self._broken = False
        self._news = False

    @property
    def race(self) -> Race | None:
        """The race as far as it is durable; `None` before it is created."""
        return self.history.race

    @property
    def facts(self) -> Sequence[AnyFact]:
        """The durable facts."""
        return self.history.facts

    @property
    def idle(self) -> bool:
        """Nothing waits for the store."""
        return not self._waiting

    @property
    def waiting(self) -> int:
        """Commands that wait for the store."""
        return len(self._waiting)

    def submit(self, command: AnyCommand, asker: Asker) -> None:
        """Decide a command. The answer comes through `asker`, at once or when the store has spoken."""
        if self._broken:
            asker.answered(self, command, _BROKEN)
        elif self._office.away:
            asker.answered(self, command, _AWAY)
        elif self._asked.get(asker, 0) >= WAITING_MOST:
            asker.answered(self, command, _BUSY)
        else:
            self._decide(command, asker, self._office.now())

    def take(self) -> Append | None:
        """All facts that wait, for one append; `None` when there are none. The next call is
        `accepted` or `overtaken`."""
        self._sent = len(self._waiting)
        facts = [fact for waiting in self._waiting for fact in waiting.facts]
        if not facts:
            return None
        return Append(self.id, len(self.facts), facts)

    def accepted(self) -> None:
        """The facts taken are durable: show them, and answer those who asked."""
        sent, self._sent = self._sent, 0
        for _ in range(sent):
            waiting = self._waiting[0]
            if len(waiting.facts) == 1 and waiting.race is not None:
                self._show(waiting.facts[0], waiting.race)
            else:
                for fact in waiting.facts:
                    self._show(fact, evolve(self.race, fact))
            self._answer_first(waiting.answer)
        while self._waiting and not self._waiting[0].facts:
            self._answer_first(self._waiting[0].answer)
        self._settled()

    def overtaken(self, foreign: Sequence[AnyFact]) -> None:
        """Others wrote `foreign` after the facts known here: fold them, then decide again all that waits, in order, as
        of the instants at which it came."""
        for fact in foreign:
            self._show(fact, evolve(self.race, fact))
        self._decide_again()
        self._settled()

    def restore(self, facts: Sequence[AnyFact]) -> None:
        """The log is not what was known here: take `facts` for the whole of it, and decide again all that waits."""
        self.history = History(facts)
        for listener in (*self.listeners, *self.bystanders):
            listener.restored(self)
        self._decide_again()

    def abandon(self) -> None:
        """The log cannot be read or written: refuse all that waits, and all that comes until it can."""
        self._sent = 0
        self._broken = True
        self.head = self.race
        while self._waiting:
            self._answer_first(_BROKEN)
        self._news = True
        self._settled()

    def _decide(self, command: AnyCommand, asker: Asker, now: int) -> None:
        outcome = decide(self.head, command, now)
        facts = outcome.facts
        if not facts and not self._waiting:
            asker.answered(self, command, outcome.answer)
            return
        self.head = outcome.race
        self._waiting.append(_Waiting(command, asker, now, facts, outcome.race, outcome.answer))
        self._asked[asker] = self._asked.get(asker, 0) + 1
        if facts:
            self._office.dirty(self)

    def _decide_again(self) -> None:
        self._sent = 0
        self._broken = False
        self.head = self.race
        again, self._waiting = self._waiting, deque()
        self._asked.clear()
        for waiting in again:
            self._decide(waiting.command, waiting.asker, waiting.now)

    def _answer_first(self, answer: Answer) -> None:
        """Answer the command that has waited longest."""
        waiting = self._waiting.popleft()
        asker = waiting.asker
        left = self._asked[asker] - 1
        if left:
            self._asked[asker] = left
        else:
            del self._asked[asker]
        asker.answered(self, waiting.command, answer)

    def _show(self, fact: AnyFact, after: Race) -> None:
        before = self.history.race
        self.history.add(fact, after)
        for listener in self.listeners:
            listener.happened(self, before, fact, after)
        if type(fact) not in BOARD_FACTS:
            self._news = True
            for listener in self.bystanders:
                listener.happened(self, before, fact, after)

    def _settled(self) -> None:
        for listener in self.listeners:
            listener.settled(self)
        if self._news:
            self._news = False
            for listener in self.bystanders:
                listener.settled(self)
