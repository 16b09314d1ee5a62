"""The state of one race: a frozen value, made by `evolve` from facts and from nothing else."""

import enum
from collections.abc import Iterator

import msgspec

from cellrace_engine import DealCode, Line
from cellrace_server.core.facts import EndReason, Series
from cellrace_server.core.options import Options
from cellrace_server.core.people import Player


class Phase(enum.StrEnum):
    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    ENDED = "ended"


_RUNNING = Phase.RUNNING


class Result(msgspec.Struct, frozen=True, array_like=True):
    """A finished run. `time` is milliseconds after `compensation` was taken off, exact to `error` either way."""

    time: int
    compensation: int
    error: int


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player's place. `line` is there from the start on; `n` numbers the player's last applied action.

    `session` names the connection that has the seat; `away` is the instant at which it was lost, 0 while it is there.
    `bots_welcome`: before the start, a house bot may come if nobody else does; `ghost` is the run to race against then.
    `since` is the number of the fact by which the seat was taken: the least has been there longest.
    """

    player: Player
    ready: bool = False
    line: Line | None = None
    n: int = 0
    result: Result | None = None
    gave_up: bool = False
    session: str = ""
    away: int = 0
    bots_welcome: bool = True
    ghost: str = ""
    since: int = 0

    @property
    def done(self) -> bool:
        """Nothing that this player does can change the race any more."""
        return self.gave_up or self.result is not None


class Race(msgspec.Struct, frozen=True, gc=False):
    """`number` facts have been folded into this value, the last of them at `at`.

    `start` is the instant at which the countdown ends, and from `RUNNING` on the instant at which race time began.
    `ended` is the instant at which it was over, 0 before.
    `outages` is the time in milliseconds that was taken off everybody's clock since.
    A seat that was given back before the start is `None`, and stays so once the race runs.
    `host_session` names the connection of a host who has no seat, `host_away` is the instant at which it was lost, 0
    while it is there; of a host on a seat the seat says both. `inherited`: the host is not who opened the race.
    """

    id: str
    host: str
    options: Options
    deal: int
    salt: bytes
    number: int
    at: int
    seats: tuple[Seat | None, ...]
    phase: Phase = Phase.LOBBY
    start: int = 0
    ended: int = 0
    outages: int = 0
    end_reason: EndReason | None = None
    series: Series = Series()
    rematch: str = ""
    host_session: str = ""
    host_away: int = 0
    inherited: bool = False

    @property
    def code(self) -> DealCode:
        """The deal's code: a secret until the start."""
        return DealCode(self.options.rules.cells, self.deal)

    def time(self, at: int) -> int:
        """Race time in milliseconds at the instant `at`; 0 before the start, and where there never was one. It stands
        still once the race is over."""
        if self.phase is Phase.LOBBY or self.phase is Phase.COUNTDOWN or not self.start:
            return 0
        if self.ended and at > self.ended:
            at = self.ended
        return max(0, at - self.start - self.outages)

    @property
    def shown_at(self) -> int:
        """The instant from which spectators may know the end of a race that is over."""
        return self.ended + (self.options.delay_ms if self.start else 0)

    def seat_of(self, player: str) -> int:
        """The index of a player's seat, -1 without one."""
        for index, seat in enumerate(self.seats):
            if seat is not None and seat.player.id == player:
                return index
        return -1

    @property
    def host_outside(self) -> bool:
        """The host has no seat, in a race that has not started: nobody else can start it before it is full."""
        return (self.phase is Phase.LOBBY or self.phase is Phase.COUNTDOWN) and self.seat_of(self.host) < 0

    def only_hosts(self, player: str) -> bool:
        """Whether it is this player who hosts without a seat, in a race that has not started."""
        return self.host == player and self.host_outside

    def seated(self) -> Iterator[tuple[int, Seat]]:
        """Taken seats with their index."""
        for index, seat in enumerate(self.seats):
            if seat is not None:
                yield index, seat


def deadline(race: Race) -> int | None:
    """The instant at which `Tick` has to be decided; `None` when the race waits for nothing."""
    phase = race.phase
    if phase is _RUNNING:  # first, for every move asks
        return race.start + race.outages + race.options.limit_ms
    if phase is Phase.LOBBY:
        return min(race.at + race.options.lobby_ms, first_gone(race)[0], host_gone(race))
    if phase is Phase.COUNTDOWN:
        return min(race.start, first_gone(race)[0], host_gone(race))
    return None


NEVER = 1 << 62


def first_gone(race: Race) -> tuple[int, int]:
    """The instant at which the first seat of a race that has not started is given back for its absent player, and that
    seat; `(NEVER, -1)` where everybody is there."""
    kept = race.options.away_ms
    return min(((seat.away + kept, index) for index, seat in race.seated() if seat.away), default=(NEVER, -1))


def host_gone(race: Race) -> int:
    """The instant from which a host without a seat has been away for too long, and somebody who sits is to host;
    `NEVER` where the host is there or sits, and where nobody could."""
    if not race.host_away or not race.host_outside or not any(race.seats):
        return NEVER
    return race.host_away + race.options.away_ms
