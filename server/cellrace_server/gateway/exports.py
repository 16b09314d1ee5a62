"""All that is kept of a player as a JSON document, which a client puts together from its pages."""

from typing import Self

import msgspec
import msgspec.structs

from cellrace_server.core.runs import Run
from cellrace_server.services.profiles import Portion


class ExportedRun(msgspec.Struct, frozen=True):
    """A finished run. Its replay is asked for by its `id`."""

    id: str
    race: str
    deal: str
    rules: str
    time_ms: int
    error_ms: int
    compensation_ms: int
    moves: int
    score: int
    started: int
    finished: int
    ranked: bool
    first_sight: bool
    daily: str
    practice: bool

    @classmethod
    def of(cls, run: Run) -> Self:
        """The run, but for its player."""
        return cls(
            run.id,
            run.race,
            run.deal,
            run.rules,
            run.time,
            run.error,
            run.compensation,
            run.moves,
            run.score,
            run.started,
            run.at,
            run.ranked,
            run.first,
            run.daily,
            run.practice,
        )


class ExportedStep(msgspec.Struct, frozen=True):
    """What one race made of a rating."""

    rules: str
    race: str
    at: int
    place: int
    players: int
    rating: int
    deviation: int


class ExportedRating(msgspec.Struct, frozen=True):
    rules: str
    value: float
    deviation: float
    volatility: float
    races: int
    at: int


class ExportedStreak(msgspec.Struct, frozen=True):
    rules: str
    current: int
    longest: int


class Export(msgspec.Struct, frozen=True):
    """Instants are milliseconds since the Unix epoch. `rating_steps`, `races`, `runs` and `deals_seen` go on from page
    to page; all else is the same on each."""

    format: str
    version: int
    player: str
    name: str
    kind: str
    since: int
    races_count: int
    wins_count: int
    ratings: list[ExportedRating]
    streaks: list[ExportedStreak]
    rating_steps: list[ExportedStep]
    races: list[str]
    runs: list[ExportedRun]
    deals_seen: list[tuple[int, str]]

    @classmethod
    def of(cls, portion: Portion) -> Self:
        """One page."""
        profile = portion.profile
        return cls(
            "cellrace-export",
            1,
            profile.player.id,
            profile.player.name,
            profile.player.kind.value,
            profile.since,
            profile.career.races,
            profile.career.wins,
            [
                ExportedRating(rules, rated.value, rated.deviation, rated.volatility, rated.races, rated.at)
                for rules, rated in portion.ratings
            ],
            [
                ExportedStreak(each.rules, each.streak.current, each.streak.longest)
                for each in profile.streaks
            ],
            [ExportedStep(rules, *msgspec.structs.astuple(step)) for rules, step in portion.steps],
            list(portion.races),
            [ExportedRun.of(run) for run in portion.runs],
            list(portion.seen),
        )
