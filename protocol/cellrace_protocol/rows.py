"""The rows of what messages list: races, seats, boards, runs, deals of the day, ratings."""

import msgspec

from cellrace_protocol.commands import Kind
from cellrace_protocol.fields import (
    BoardText,
    CodeText,
    Count,
    DealText,
    Milliseconds,
    NameText,
    Points,
    RaceText,
    RulesText,
    RunText,
    SeatIndex,
)


class RaceRow(msgspec.Struct, frozen=True, array_like=True):
    """One race and who sits in it, `bot_players` of them bots. `waiting_ms`: for so long nothing has happened in an
    open race. `age_ms`: so long ago it was opened. `bot_after_ms`: in so long a bot of the house may sit down, -1: none
    may."""

    race: RaceText
    phase: CodeText
    rules: RulesText
    seats: Count
    players: list[NameText]
    ranked: bool = False
    bots: bool = True
    waiting_ms: Milliseconds = 0
    age_ms: Milliseconds = 0
    spectators: Count = 0
    bot_players: Count = 0
    bot_after_ms: int = -1


class BoardRow(msgspec.Struct, frozen=True, array_like=True):
    """One run on a board. `at` is when it finished (ms since the Unix epoch), `run` names its replay. `first`: the
    player had not seen the deal before. `time` is exact to `error` either way, and `compensation` was taken off for the
    network: the clock had shown both together."""

    place: Count
    player: RunText
    name: NameText
    time: Milliseconds
    moves: Count
    at: Milliseconds
    run: RunText
    score: Points = 0
    first: bool = False
    error: Milliseconds = 0
    deal: DealText = ""
    compensation: Milliseconds = 0


class RunRow(msgspec.Struct, frozen=True, array_like=True):
    """A finished run of a player, as in `BoardRow`. `race` is where it was run."""

    run: RunText
    race: RaceText
    deal: DealText
    rules: RulesText
    time: Milliseconds
    moves: Count
    score: Points
    at: Milliseconds
    ranked: bool
    first: bool
    error: Milliseconds = 0
    compensation: Milliseconds = 0


class DailyRow(msgspec.Struct, frozen=True, array_like=True):
    """The deal of the day under one rule set. `commitment` has been public since `committed_at` (ms since the Unix
    epoch). `attempt` is `open`, `under_way` or `done`, `race` the race of it, `time` its result in ms, -1 without one.
    `streak`: days in a row on which one has finished it, `longest`: the most ever. `next_commitment` is tomorrow's;
    `last_deal` and `last_salt` reveal yesterday's `last_commitment`. What there is none of is empty."""

    rules: RulesText
    commitment: CodeText
    committed_at: Milliseconds
    attempt: CodeText
    race: RaceText = ""
    time: int = -1
    streak: Count = 0
    longest: Count = 0
    next_commitment: CodeText = ""
    last_deal: DealText = ""
    last_salt: CodeText = ""
    last_commitment: CodeText = ""


class RatingRow(msgspec.Struct, frozen=True, array_like=True):
    """A player's rating under a rule set after `races` ranked races, give or take `deviation`. `place` of `total` is
    that on the board of ratings, 0 while it is `provisional`."""

    rules: RulesText
    rating: int
    deviation: Count
    races: Count
    provisional: bool
    place: Count = 0
    total: Count = 0


class RankRow(msgspec.Struct, frozen=True, array_like=True):
    """A player on a board of ratings. `at` is when the last of `races` was over (ms since the Unix epoch)."""

    place: Count
    player: RunText
    name: NameText
    rating: int
    deviation: Count
    races: Count
    at: Milliseconds


class RatingStep(msgspec.Struct, frozen=True, array_like=True):
    """What a race that was over at `at` (ms since the Unix epoch) made of a rating: in it one came at `place` of
    `players`."""

    rules: RulesText
    at: Milliseconds
    place: Count
    players: Count
    rating: int
    deviation: Count


class BestRow(msgspec.Struct, frozen=True, array_like=True):
    """A player's best ranked run of all times under a rule set, `by` time, moves or score, and its place of `total`."""

    by: CodeText
    place: Count
    total: Count
    run: RunRow


class StreakRow(msgspec.Struct, frozen=True, array_like=True):
    """Days in a row on which a player has finished the deal of the day, and the most ever."""

    rules: RulesText
    streak: Count
    longest: Count


class Limit(msgspec.Struct, frozen=True, array_like=True):
    """`capacity` of what `name` says at once, and `per_minute` more in a minute, for one `connection` or for all of one
    `address` (`scope`)."""

    name: CodeText
    scope: CodeText
    capacity: Count
    per_minute: Count


class GhostStep(msgspec.Struct, frozen=True, array_like=True):
    """From the race time `t` (ms) on: cards home, and moves that stand."""

    t: Milliseconds
    home: Count
    moves: Count


class SeatView(msgspec.Struct, frozen=True, array_like=True):
    """A seat as the receiver may see it: `player` is empty for a free seat, `board` for a board that is not shown.
    `time` is the result in ms, -1 without one."""

    player: RunText
    name: NameText
    kind: Kind
    ready: bool
    gave_up: bool
    time: int
    home: Count
    moves: Count
    undos: Count
    points: Points
    board: BoardText
    away: bool = False
    bots: bool = True


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A row of the standings; `time` -1 for an unfinished run."""

    place: Count
    seat: SeatIndex
    home: Count
    moves: Count
    time: int
    compensation: Milliseconds
    error: Milliseconds
