"""What is so, whoever says what: the log in the store, folded here apart from every node, and checked as it grows."""

from collections.abc import Callable, Iterator

from cellrace_engine import rules_text
from cellrace_engine.replay import from_json, verify
from cellrace_protocol.board import pack
from cellrace_server.core.boards import entries
from cellrace_server.core.days import day_text
from cellrace_server.core.evolve import evolve, line_of
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
from cellrace_server.core.ratings import Pool, Rated, changes, rated_by
from cellrace_server.core.runs import Run, run_id
from tests.simulation.cluster import COMPENSATION_MS_MOST, DEALS_FROM
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
        """What nobody may be told before the start. The number of a daily is no more than others may be by chance."""
        race = self.now
        return [str(race.deal), str(race.code), race.salt, race.salt.hex()]

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

    def secrets(self, player: str) -> Iterator[str | int | bytes]:
        """What this player may not be told yet. A daily's deal may be known to who has begun an attempt at it."""
        begun = {
            race.deal
            for race in self._now()
            if race.options.daily and race.start and race.seat_of(player) >= 0
        }
        for chronicle in self.races.values():
            race = chronicle.now
            if race.options.daily:
                yield from chronicle.secrets if race.deal not in begun else ()
            elif not chronicle.started_at and race.deal >= DEALS_FROM and not race.options.ghosts:
                yield race.deal  # else somebody has named it
                yield from chronicle.secrets

    def _now(self) -> Iterator[Race]:
        return (chronicle.now for chronicle in self.races.values())

    # Invariant 4

    def check_rows(self) -> None:
        """Whatever is on a board is the finished run of its player, and the replay that proves it is there."""
        memory = self._memory
        for board, rows in memory.rows.items():
            for player, (_, _, name) in rows.items():
                run = memory.runs[name]
                assert run.player.id == player, f"{board} has a run of somebody else"
                assert name in memory.replays, f"{board} has a row without its replay"
                seat = self.races[run.race].now.seats[int(name.rpartition("-")[2])]
                assert seat is not None
                assert seat.result is not None, f"{board} has a run that is not finished"

    def check_results(self) -> None:
        """When all is over: each finished run is kept with its replay and is on each of its boards, where it is its
        player's best; nothing else is. Each race is counted and rated once."""
        runs = {run.id: run for chronicle in self.races.values() for run in self._runs(chronicle)}
        assert self._memory.runs == runs
        assert self._memory.replays.keys() == runs.keys()
        for replay in list(self._memory.replays.values())[-1:]:  # one of them: it takes long
            assert verify(from_json(replay)).failure is None
        rows: dict[str, dict[str, tuple[int, int, str]]] = {}
        for run in runs.values():
            for board, value in entries(run):
                row = (value, run.at, run.id)
                best = rows.setdefault(board, {})
                best[run.player.id] = min(best.get(run.player.id, row), row)
        assert self._memory.rows == rows
        attempts = [run for run in runs.values() if run.daily and not run.practice]
        days = {(*who, day_text(day)) for who, days in self._memory.days.items() for day in days}
        assert days == {(run.player.id, run.rules, run.daily) for run in attempts}
        self._check_careers()
        self._check_ratings()

    def _runs(self, chronicle: Chronicle) -> Iterator[Run]:
        """Those of a race, as they are to be booked."""
        race = chronicle.now
        for seat, taken in race.seated():
            if taken.result is None:
                continue
            line = line_of(taken)
            finished = next(
                fact for fact in chronicle.facts if isinstance(fact, Finished) and fact.seat == seat
            )
            yield Run(
                id=run_id(race.id, seat),
                player=taken.player,
                deal=str(race.code),
                rules=rules_text(race.options.rules),
                time=taken.result.time,
                moves=line.moves,
                at=finished.at,
                race=race.id,
                score=line.board_score,
                started=race.start,
                error=taken.result.error,
                ranked=race.options.ranked,
                daily=race.options.daily,
                practice=race.options.practice,
                first=self._memory.seen[taken.player.id, race.deal] == race.id,
            )

    def _check_careers(self) -> None:
        raced = {
            (taken.player.id, race.id): race.ended
            for race in self._now()
            if race.start
            for _, taken in race.seated()
        }
        counted = {
            (player, race): at
            for player, career in self._memory.careers.items()
            for race, (at, _) in career.items()
        }
        assert counted == raced, (
            "each race that has started is counted for everybody who was in it to its end"
        )

    def _check_ratings(self) -> None:
        """They are what the rated races make of them, each taken once, in the order in which they were booked."""
        rated = {(each.pool, race.id): each for race in self._now() for each in rated_by(race)}
        booked = [(pool, race) for pool, races in self._memory.rated_races.items() for race in races]
        assert sorted(booked) == sorted(rated)
        ratings: dict[Pool, dict[str, Rated]] = {}
        for pool, race in booked:
            finishers, known = rated[pool, race], ratings.setdefault(pool, {})
            before = [known.get(player.id) for player in finishers.players]
            for change in changes(race, self.races[race].now.ended, finishers, before):
                known[change.rated.player.id] = change.rated
        assert self._memory.ratings == ratings


def start_board(race: Race) -> str:
    """The deal as the wire shows it."""
    line = next(taken.line for _, taken in race.seated() if taken.line is not None)
    return pack(line.start.columns, line.start.cells, line.start.foundations)
