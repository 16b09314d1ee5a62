"""Everything that can have happened in a race. Facts are stored, published and replayed; nothing else is.

A fact's number is its place in the race's log, counted from 1; the log is the only record of it.
`at` is the instant on the store's clock (ms since the Unix epoch) and never goes back within a race.
`seat` is an index into the race's seats. `n` is the player's own action number, counted from 1.

Stored for good: a field may be added at the end of a fact, with a default; a tag is never used for something else.
"""

import enum

import msgspec

from cellrace_engine import Move
from cellrace_server.core.options import Options
from cellrace_server.core.people import Player


class Series(msgspec.Struct, frozen=True, array_like=True):
    """Where a race stands in a series: it is number `game`; `wins` counts the races won so far by player id. Spectators
    know nothing of it before the instant `shown_from`, at which they have seen the end of the race before."""

    game: int = 1
    wins: dict[str, int] = {}
    shown_from: int = 0


class Fact(msgspec.Struct, frozen=True, array_like=True, gc=False):
    at: int


class EndReason(enum.StrEnum):
    """Why a race is over."""

    ALL_DONE = "all_done"
    TIME_LIMIT = "time_limit"
    LOBBY_IDLE = "lobby_idle"
    EMPTY = "empty"
    CLOSED = "closed"
    DAY_OVER = "day_over"
    GHOST = "ghost"


class Created(Fact, tag="created", frozen=True, gc=True):
    """A race was opened. `deal` is the secret until the start; `salt` the secret until the end. `session` names the
    connection of a host who does not sit down; it is empty in logs of before it was kept."""

    race: str
    host: Player
    options: Options
    deal: int
    salt: bytes
    series: Series = Series()
    session: str = ""


class Joined(Fact, tag="joined", frozen=True, gc=True):
    """A seat was taken, from the connection named `session`. `bots_welcome`: the player, if nobody else comes, does not
    mind a house bot."""

    seat: int
    player: Player
    session: str = ""
    bots_welcome: bool = True


class Left(Fact, tag="left", frozen=True):
    """A seat was given back before the start. Where it was the host's, the player of the seat `heir` hosts from now on:
    where that is -1, as in logs of before it was kept, the first who sits."""

    seat: int
    heir: int = -1


class Here(Fact, tag="here", frozen=True):
    """The player of a seat is there, on the connection named `session`: the newest has the seat."""

    seat: int
    session: str


class Away(Fact, tag="away", frozen=True):
    """The connection that had the seat is gone. The seat stays taken; before the start only for a while."""

    seat: int


class HostHere(Fact, tag="host_here", frozen=True):
    """The host, who has no seat, is there, on the connection named `session`: the newest counts."""

    session: str


class HostAway(Fact, tag="host_away", frozen=True):
    """The connection that counted for a host without a seat is gone. They still host, for a while."""


class HandedOn(Fact, tag="handed_on", frozen=True):
    """Whoever hosted without a seat has gone for good: the player of `seat` hosts from now on. Or a bot did that nobody
    but the race had made a host, and a person has come."""

    seat: int


class Readied(Fact, tag="readied", frozen=True):
    seat: int
    ready: bool


class BotsWelcome(Fact, tag="bots", frozen=True):
    """A player who waits does not mind a house bot, or does now; and goes on against the ghost of the run named, if
    one is, where nobody comes."""

    seat: int
    welcome: bool
    ghost: str = ""


class CountdownBegan(Fact, tag="countdown", frozen=True):
    """The race starts at `start`, an instant like `at`, unless it is called off."""

    start: int


class CountdownStopped(Fact, tag="halted", frozen=True):
    pass


class Started(Fact, tag="started", frozen=True):
    """The deal was turned over for everybody; race time counts from `at`."""


class Moved(Fact, tag="m", frozen=True):
    """A player's move. Its automatic moves follow from the rules and are not written down."""

    seat: int
    n: int
    move: Move


class Undone(Fact, tag="u", frozen=True):
    seat: int
    n: int


class Restarted(Fact, tag="restarted", frozen=True):
    seat: int
    n: int


class Finished(Fact, tag="finished", frozen=True):
    """All 52 cards are home. `time` is race time in milliseconds; `compensation` was taken off for the network
    already measured, and the result is exact to `error` milliseconds either way."""

    seat: int
    time: int
    compensation: int = 0
    error: int = 0


class GaveUp(Fact, tag="gave_up", frozen=True):
    seat: int
    n: int


class Outage(Fact, tag="outage", frozen=True):
    """The store was away from `since` until `at`: that long is taken off everybody's race time."""

    since: int


class Ended(Fact, tag="ended", frozen=True):
    reason: EndReason


class Rematched(Fact, tag="rematched", frozen=True):
    """Everybody meets again in the race named. The one fact that may follow the end."""

    race: str


AnyFact = (
    Created
    | Joined
    | Here
    | Away
    | Left
    | Readied
    | CountdownBegan
    | CountdownStopped
    | Started
    | Moved
    | Undone
    | Restarted
    | Finished
    | GaveUp
    | Outage
    | Ended
    | Rematched
    | BotsWelcome
    | HostHere
    | HostAway
    | HandedOn
)
