"""What can be read over HTTP as JSON: a page a path, its query and its answer as types.

Answers are objects. Rows are those of the messages, where they say the same; here they are objects too, with the same
names. Instants are milliseconds since the Unix epoch, in UTC; durations are milliseconds.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from cellrace_protocol.commands import Kind, Measure, Order, Scope, Sight
from cellrace_protocol.fields import (
    CodeText,
    Count,
    DayText,
    DealText,
    Milliseconds,
    NameText,
    RaceText,
    RulesText,
    RunText,
)
from cellrace_protocol.rows import BestRow, BoardRow, RankRow, RatingRow, RatingStep, RunRow, StreakRow

ROOT = "/api/v1"

RowsMost = Annotated[int, Meta(ge=1, le=100, description="How many rows at the most.")]
Offset = Annotated[int, Meta(ge=0, le=2**31 - 1, description="How many rows to leave out before the first.")]
Steps = Annotated[int, Meta(ge=0, le=200, description="How many of the last steps of each rating to show.")]
PlayerAsked = Annotated[
    str,
    Meta(
        max_length=64,
        description="A player, by id or name: `mine` is that row. With `around`, rows around it.",
    ),
]


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page without parameters."""


class BoardQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which board, and which of its rows. `deal` where the scope is a deal; `day` for days and weeks, empty for
    today."""

    scope: Scope = Scope.DEAL
    deal: DealText = ""
    day: DayText = ""
    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    by: Measure = Measure.TIME
    sight: Sight = Sight.ANY
    limit: RowsMost = 20
    offset: Offset = 0
    player: PlayerAsked = ""
    around: bool = False


class RatingsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which board of ratings, and which of its rows."""

    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    limit: RowsMost = 20
    offset: Offset = 0
    player: PlayerAsked = ""
    around: bool = False


class DailyBoardQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which board of the day: of the attempts, or of the runs for practice."""

    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    practice: bool = False
    limit: RowsMost = 20
    offset: Offset = 0
    player: PlayerAsked = ""
    around: bool = False
    by: Measure = Measure.TIME


class PlayerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a player's ratings."""

    history: Steps = 20


class RowsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rows."""

    limit: RowsMost = 20
    offset: Offset = 0


class RacesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rows, and in which order: the newest or the most watched first."""

    order: Order = Order.NEWEST
    limit: RowsMost = 20
    offset: Offset = 0


class ReplayQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With `download` a browser keeps the document as a file instead of showing it."""

    download: bool = False


class BoardPage(msgspec.Struct, frozen=True):
    """Rows `offset` … of `total`, one a player; equals share a place. `mine` is the row of the `player` asked for, if
    there is one: `ahead` rows stand before it, `worse` count less. `next` is where the rows after these are, if any."""

    scope: Scope
    day: DayText
    deal: DealText
    rules: RulesText
    kind: Kind
    by: Measure
    sight: Sight
    offset: Count
    total: Count
    rows: list[BoardRow]
    mine: list[BoardRow]
    ahead: Count
    worse: Count
    next: str


class RatingsPage(msgspec.Struct, frozen=True):
    """The same for ratings that are not provisional."""

    rules: RulesText
    kind: Kind
    offset: Count
    total: Count
    rows: list[RankRow]
    mine: list[RankRow]
    ahead: Count
    worse: Count
    next: str


class PublicDaily(msgspec.Struct, frozen=True):
    """The deal of a day under one rule set. `commitment` has been shown since `committed_at`; `deal` and `salt`, which
    are empty before the day is over, reveal it."""

    day: DayText
    rules: RulesText
    commitment: CodeText
    committed_at: Milliseconds
    deal: DealText
    salt: CodeText


class DailiesPage(msgspec.Struct, frozen=True):
    """The deals of the day, the promises for the next, which begins at `ends_at`, and yesterday's, revealed."""

    day: DayText
    ends_at: Milliseconds
    today: list[PublicDaily]
    tomorrow: list[PublicDaily]
    yesterday: list[PublicDaily]


class DailyPage(msgspec.Struct, frozen=True):
    """The deals of one day."""

    day: DayText
    dailies: list[PublicDaily]


class PlayerPage(msgspec.Struct, frozen=True):
    """What there is to know of a player: `wins` of `races`, `runs` finished; ratings, bests and streaks by rule set."""

    player: RunText
    name: NameText
    kind: Kind
    since: Milliseconds
    races: Count
    wins: Count
    runs: Count
    ratings: list[RatingRow]
    bests: list[BestRow]
    streaks: list[StreakRow]
    steps: list[RatingStep]


class RunsPage(msgspec.Struct, frozen=True):
    """Finished runs of a player, the newest first. A run on the deal of a day has no `deal` before others may know
    it."""

    player: RunText
    offset: Count
    total: Count
    rows: list[RunRow]
    next: str


class PublicRace(msgspec.Struct, frozen=True):
    """A public race that is open or running, as spectators may know it; `bot_players` of its players are bots."""

    race: RaceText
    phase: CodeText
    rules: RulesText
    seats: Count
    players: list[NameText]
    bot_players: Count
    ranked: bool
    bots: bool
    opened_at: Milliseconds
    spectators: Count


class RacesPage(msgspec.Struct, frozen=True):
    """At most a hundred of them in all."""

    offset: Count
    total: Count
    rows: list[PublicRace]
    next: str


class ReplayDocument(msgspec.Struct, frozen=True):
    """A replay document (clause 12 of the protocol's specification)."""

    format: str
    version: int
    rules: dict[str, msgspec.Raw]
    deal: str
    players: list[msgspec.Raw]


class Problem(msgspec.Struct, frozen=True):
    """Why there is no answer (RFC 9457). `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class Page(NamedTuple):
    """`path` has its variable parts in braces."""

    name: str
    path: str
    about: str
    query: type[msgspec.Struct]
    answer: type[msgspec.Struct]


PAGES = (
    Page("board", "/boards", "A board of a deal, a day, a week or all times", BoardQuery, BoardPage),
    Page("ratings", "/ratings", "The board of ratings under a rule set", RatingsQuery, RatingsPage),
    Page("dailies", "/dailies", "The deals of the day, and those before and after", NoQuery, DailiesPage),
    Page("daily", "/dailies/{day}", "The deals of one day, revealed when it is over", NoQuery, DailyPage),
    Page("daily_board", "/dailies/{day}/board", "The board of a day", DailyBoardQuery, BoardPage),
    Page("player", "/players/{player}", "A player, by id or by name", PlayerQuery, PlayerPage),
    Page("runs", "/players/{player}/runs", "Finished runs of a player", RowsQuery, RunsPage),
    Page("races", "/races", "Public races that are open or running", RacesQuery, RacesPage),
    Page("replay", "/replays/{run}", "The replay that proves a run", ReplayQuery, ReplayDocument),
)
"""What there is, below `ROOT`."""
