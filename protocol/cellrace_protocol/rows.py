"""The rows of what is listed: races, boards, runs, deals of the day."""

import msgspec

from cellrace_protocol.fields import (
    CodeText,
    Count,
    DealText,
    Milliseconds,
    NameText,
    Points,
    RaceText,
    RulesText,
    RunText,
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
    player had not seen the deal before. `time` is exact to `error` either way."""

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
