"""What a finished run is, once the race's log has told all of it."""

import re

import msgspec

from cellrace_server.core.people import Player


class Run(msgspec.Struct, frozen=True, array_like=True):
    """One finished run, as rows of boards show it. Stored for good: new fields at the end only, with a default.

    `id` names the run and its replay: the same for the same seat of the same race, however often it is booked.
    `deal` is the deal's code, `rules` the text of the rule set. `time` is milliseconds after `compensation` was taken
    off, exact to `error`; `moves` those that stand; `score` what cannot be farmed. `started` and `at` are the instants
    (store clock, ms) at which the race began and the run was finished: the first decides the day. `ranked`: the race
    drew its deal and counts. `first`: the player had not seen the deal before this race. `daily`: the day whose deal
    this is a run of, empty for all others; `practice`: it is not the attempt.
    """

    id: str
    player: Player
    deal: str
    rules: str
    time: int
    moves: int
    at: int
    race: str
    score: int = 0
    started: int = 0
    error: int = 0
    ranked: bool = False
    first: bool = False
    daily: str = ""
    practice: bool = False
    compensation: int = 0


_RUN_ID = re.compile(r"[a-z]{1,32}-[0-9]{1,2}")


def is_run_id(text: str) -> bool:
    """Whether a run may be known by this; there need not be one."""
    return _RUN_ID.fullmatch(text) is not None


def run_id(race: str, seat: int) -> str:
    """What a run is known by: one seat of one race."""
    return f"{race}-{seat}"
