"""What a host decides when a race is created."""

import msgspec
from msgspec.structs import replace

from cellrace_engine import CLASSIC, Rules

SEATS_MOST = 16
BEST_OF_MOST = 99
SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
LOBBY_MS = 10 * MINUTE
AWAY_MS = 150 * SECOND
"""A telephone that sleeps for two minutes, or shows another program, comes back to its seat."""

STRANGERS_AWAY_MS = 15 * SECOND
"""Where strangers wait for whoever comes, and nobody sent a link around."""


RANKED_DELAY_MS = 30 * SECOND


def usual_delay(ranked: bool) -> int:
    """The spectators' delay of a race whose host has not said another."""
    return RANKED_DELAY_MS if ranked else 0


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of one race. All durations are milliseconds.

    `open_boards`: opponents see each other's boards during the race, not only the progress.
    `ranked`: the deal is one that nobody has named, and the result counts. `bots`: bots may sit down.
    `delay_ms`: how much later than the players spectators see what happens from the start on.
    `best_of`: a series of so many races at the most; who has won more than half of them has won it.
    `lobby_ms`: a race that has not started this long after the last thing that happened in it is closed; `away_ms`: so
    long a seat is kept before the start for a player whose connection is gone.
    `daily`: the day (`2026-11-30`) whose deal this is a run of, empty for all others; `practice`: it is not the
    player's one attempt at it. `ghosts` are the names of stored runs that go beside the race.
    """

    rules: Rules = CLASSIC
    seats: int = 2
    open_boards: bool = False
    public: bool = True
    countdown_ms: int = 3 * SECOND
    limit_ms: int = 30 * MINUTE
    lobby_ms: int = LOBBY_MS
    ranked: bool = False
    bots: bool = True
    delay_ms: int = 0
    best_of: int = 1
    daily: str = ""
    practice: bool = False
    ghosts: tuple[str, ...] = ()
    away_ms: int = AWAY_MS

    def fault(self) -> str | None:
        """What is wrong with these terms, in words for the host; `None` when they can be raced."""
        for name, value, low, high in (
            ("seats", self.seats, 1, SEATS_MOST),
            ("countdown_ms", self.countdown_ms, 0, MINUTE),
            ("limit_ms", self.limit_ms, SECOND, 24 * HOUR),
            ("lobby_ms", self.lobby_ms, SECOND, 24 * HOUR),
            ("away_ms", self.away_ms, SECOND, 24 * HOUR),
            ("delay_ms", self.delay_ms, 0, 10 * MINUTE),
            ("best_of", self.best_of, 1, BEST_OF_MOST),
        ):
            if not low <= value <= high:
                return f"{name} is {value}, it must be from {low} to {high}"
        if self.best_of % 2 == 0:
            return f"best_of is {self.best_of}, it must be odd"
        return None


USUAL = Options()
"""The terms of a host who has not said any."""


def waiting_as(other: Options, options: Options) -> Options:
    """These terms, with the patience before the start that other ones have."""
    return replace(options, lobby_ms=other.lobby_ms, away_ms=other.away_ms)
