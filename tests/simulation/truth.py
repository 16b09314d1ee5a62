"""What is so, whoever says what: the log in the store, folded here apart from every node, and checked as it grows."""

from collections.abc import Callable

from cellrace_protocol.board import pack
from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import (
    AnyFact,
    Created,
    Finished,
    GaveUp,
    Moved,
    Rematched,
    Restarted,
    Started,
    Undone,
)
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.runs import run_id
from tests.simulation.cluster import COMPENSATION_MS_MOST
from tests.support.memory_store import Memory


class Chronicle:
    """One race: `states[k - 1]` is the race after fact `k`."""

    def __init__(self) -> None:
        self.facts: list[AnyFact] = []
        self.states: list[Race] = []
        self.started_at = 0  # the number of the fact, 0 before it

    def add(self, fact: AnyFact) -> None:
        before = self.states[-1] if self.states else None
        if before is not None:
            self._check(before, fact)
        if isinstance(fact, Started):
            self.started_at = len(self.facts) + 1
        self.facts.append(fact)
        self.states.append(evolve(before, fact))

    @property
    def now(self) -> Race:
        return self.states[-1]

    @property
    def secrets(self) -> list[str | int | bytes]:
        """What nobody may be told before the start."""
        race = self.now
        return [race.deal, str(race.deal), str(race.code), race.salt, race.salt.hex()]

    def _check(self, before: Race, fact: AnyFact) -> None:
        assert not isinstance(fact, Created), "a race is created once"
        assert fact.at >= before.at, "time never runs backwards"
        assert before.phase is not Phase.ENDED or isinstance(fact, Rematched), "nothing follows the end"
        match fact:
            case Moved() | Undone() | Restarted() | GaveUp():
                seat, n = fact.seat, fact.n
                taken = before.seats[seat]
                assert taken is not None, "somebody sits there"
                assert n == taken.n + 1, "actions are numbered without gaps"
                assert before.phase is Phase.RUNNING, "nothing is played before the start or after the end"
            case Finished():
                assert 0 <= fact.compensation <= COMPENSATION_MS_MOST
                assert fact.time == max(0, before.time(fact.at) - fact.compensation), "time is the server's"
            case _:
                pass
        if isinstance(fact, Moved):
            taken = before.seats[fact.seat]
            assert taken is not None
            assert taken.line is not None
            assert taken.line.reason_against(fact.move) is None, "the server is the referee"


class Truth:
    """All races in the store."""

    def __init__(self, memory: Memory, record: Callable[[str], None]) -> None:
        self._memory = memory
        self._record = record
        self.races: dict[str, Chronicle] = {}

    def observe(self) -> None:
        """Fold what has been appended since the last time."""
        for race, log in self._memory.logs.items():
            chronicle = self.races.setdefault(race, Chronicle())
            known = len(chronicle.facts)
            assert len(log) >= known, "the store loses nothing"
            if known:
                assert log[known - 1] is chronicle.facts[-1]
            for fact in log[known:]:
                chronicle.add(fact)
                self._record(f"{race} {fact}")

    def check_results(self) -> None:
        """Each finished run is on its board once, with its replay, and only those are."""
        runs = {
            run_id(race, seat): taken.player.id
            for race, chronicle in self.races.items()
            for seat, taken in chronicle.now.seated()
            if taken.result is not None
        }
        assert self._memory.replays.keys() == runs.keys()
        for rows in self._memory.rows.values():
            for player, (_, _, run) in rows.items():
                assert runs[run] == player


def start_board(race: Race) -> str:
    """The deal as the wire shows it."""
    line = next(taken.line for _, taken in race.seated() if taken.line is not None)
    return pack(line.start.columns, line.start.cells, line.start.foundations)
