"""Which boards a finished run goes to, and what it counts there. Pure."""

import enum
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cellrace_engine import Rules, parse_rules
from cellrace_server.core.days import day_of, week_of
from cellrace_server.core.people import Kind
from cellrace_server.core.runs import Run


class Measure(enum.StrEnum):
    """What a board ranks by."""

    TIME = "time"
    MOVES = "moves"
    SCORE = "score"


class Sight(enum.StrEnum):
    """Whose runs a board has: all, those of players who saw the deal for the first time, or all others."""

    ANY = "any"
    FIRST = "first"
    PRACTISED = "practised"


EVER = "ever"


def of_deal(code: str) -> str:
    """The scope of all runs of a deal, ranked or not."""
    return f"deal:{code}"


def of_day(date: str) -> str:
    """The scope of the ranked races that began on a UTC day."""
    return f"day:{date}"


def of_week(monday: str) -> str:
    """The scope of the ranked races that began in the week of that Monday."""
    return f"week:{monday}"


def of_daily(date: str, practice: bool = False) -> str:
    """The scope of the attempts at the deal of a day, or of the runs for practice on it. It names no deal."""
    return f"practice:{date}" if practice else f"daily:{date}"


class Board(NamedTuple):
    """`scope` says which runs there are on it (`of_deal`, `of_day`, `of_week`, `of_daily`, `EVER`: all ranked ones),
    under one rule set."""

    scope: str
    rules: str
    kind: Kind = Kind.HUMAN
    by: Measure = Measure.TIME
    sight: Sight = Sight.ANY

    @property
    def name(self) -> str:
        """What the board is kept under. People and bots never share one."""
        return f"{self.scope}:{self.rules}:{self.kind.value}:{self.by.value}:{self.sight.value}"


class Entry(NamedTuple):
    """A run's place on a board is by `value`: the least is the best."""

    board: str
    value: int


def measures(rules: Rules) -> Sequence[Measure]:
    """What runs under these rules are ranked by. Rules that give no points have no board of scores."""
    gives_points = rules.points_to_foundation > 0 or rules.points_cell_to_column > 0
    return tuple(Measure) if gives_points else (Measure.TIME, Measure.MOVES)


@lru_cache(maxsize=64)
def _measures(rules: str) -> Sequence[Measure]:
    return measures(parse_rules(rules))


def value(run: Run, by: Measure) -> int:
    """What a run counts: the least is the best."""
    match by:
        case Measure.TIME:
            return run.time
        case Measure.MOVES:
            return run.moves
        case Measure.SCORE:
            return -run.score


def entries(run: Run) -> Sequence[Entry]:
    """Every board that a run goes to. The day, and the week, is that of the race's start. A run on the deal of a day
    goes to that day's own board alone: others show what is secret still."""
    if run.daily:
        scope = of_daily(run.daily, run.practice)
        return tuple(_on(run, scope, Sight.ANY))
    return tuple(entry for scope, sight in _places(run) for entry in _on(run, scope, sight))


def _on(run: Run, scope: str, sight: Sight) -> Iterator[Entry]:
    for by in _measures(run.rules):
        yield Entry(Board(scope, run.rules, run.player.kind, by, sight).name, value(run, by))


def _places(run: Run) -> Iterator[tuple[str, Sight]]:
    sight = Sight.FIRST if run.first else Sight.PRACTISED
    scopes = [of_deal(run.deal)]
    if run.ranked:
        scopes += [of_day(day_of(run.started)), of_week(week_of(run.started)), EVER]
    for scope in scopes:
        yield scope, Sight.ANY
        yield scope, sight
