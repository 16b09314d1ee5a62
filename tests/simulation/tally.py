"""How far histories get: of what happens in them, how many have each."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from cellrace_server.core.facts import HandedOn, HostAway, HostHere, Undone
from tests.simulation.truth import Chronicle, Truth
from tests.support.memory_store import Memory


class Tally:
    """Counted when a history is closed; printed for whoever plays many."""

    def __init__(self) -> None:
        self.histories = 0
        self._with: Counter[str] = Counter()

    def count(self, truth: Truth, memory: Memory) -> None:
        self.histories += 1
        self._with.update(set(_happened(truth, memory)))

    def __getitem__(self, what: str) -> int:
        """How many histories had it."""
        return self._with[what]

    def __str__(self) -> str:
        counts = ", ".join(f"{what} in {count}" for what, count in self._with.most_common())
        return f"{self.histories} histories: {counts}"


THINGS = (
    "a start",
    "an undo",
    "a finish",
    "a race that several finish",
    "a rematch",
    "a rematch that starts",
    "an append that comes too late",
    "ratings",
    "a daily that is finished",
    "a ghost",
    "a host who does not come back",
    "a host who comes back",
)


def _happened(truth: Truth, memory: Memory) -> Iterator[str]:
    for chronicle in truth.races.values():
        race = chronicle.now
        finished = sum(taken.result is not None for _, taken in race.seated())
        if race.start:
            yield "a start"
        yield from _hosts(chronicle)
        if any(isinstance(fact, Undone) for fact in chronicle.facts):
            yield "an undo"
        if finished:
            yield "a finish"
        if finished > 1:
            yield "a race that several finish"
        if race.rematch:
            yield "a rematch"
        if race.rematch in truth.races and truth.races[race.rematch].started_at:
            yield "a rematch that starts"
        if race.options.ghosts:
            yield "a ghost"
    if memory.refused:
        yield "an append that comes too late"
    if any(memory.rated_races.values()):
        yield "ratings"
    if any(memory.days.values()):
        yield "a daily that is finished"


def _hosts(chronicle: Chronicle) -> Iterator[str]:
    for pair in pairwise(type(fact) for fact in chronicle.facts):
        if pair == (HostAway, HandedOn):
            yield "a host who does not come back"
        if pair == (HostAway, HostHere):
            yield "a host who comes back"
