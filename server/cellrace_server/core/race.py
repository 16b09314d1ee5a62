"""The state of one race: a frozen value, made by `evolve` from facts and from nothing else."""

import enum
from collections.abc import Iterator

import msgspec

from cellrace_engine import DealCode, Line
from cellrace_server.core.facts import EndReason
from cellrace_server.core.options import Options
from cellrace_server.core.people import Player


class Phase(enum.StrEnum):
    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    ENDED = "ended"


class Result(msgspec.Struct, frozen=True, array_like=True):
    """A finished run. `time` is milliseconds after `compensation` was taken off, exact to `error` either way."""

    time: int
    compensation: int
    error: int


class Seat(msgspec.Struct, frozen=True):
    """One player's place. `line` is there from the start on; `n` numbers the player's last applied action."""

    player: Player
    ready: bool = False
    line: Line | None = None
    n: int = 0
    result: Result | None = None
    gave_up: bool = False

    @property
    def done(self) -> bool:
        """Nothing that this player does can change the race any more."""
        return self.gave_up or self.result is not None


class Race(msgspec.Struct, frozen=True):
    """`number` facts have been folded into this value, the last of them at `at`.

    `start` is the instant at which the countdown ends, and from `RUNNING` on the instant at which race time began.
    `outages` is the time in milliseconds that was taken off everybody's clock since.
    A seat that was given back before the start is `None`, and stays so once the race runs.
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
    outages: int = 0
    end_reason: EndReason | None = None

    @property
    def code(self) -> DealCode:
        """The deal's code: a secret until the start."""
        return DealCode(self.options.rules.cells, self.deal)

    def time(self, at: int) -> int:
        """Race time in milliseconds at the instant `at`; 0 before the start, and where there never was one."""
        if self.phase is Phase.LOBBY or self.phase is Phase.COUNTDOWN or not self.start:
            return 0
        return max(0, at - self.start - self.outages)

    def seat_of(self, player: str) -> int:
        """The index of a player's seat, -1 without one."""
        for index, seat in enumerate(self.seats):
            if seat is not None and seat.player.id == player:
                return index
        return -1

    def seated(self) -> Iterator[tuple[int, Seat]]:
        """Taken seats with their index."""
        for index, seat in enumerate(self.seats):
            if seat is not None:
                yield index, seat


def deadline(race: Race) -> int | None:
    """The instant at which `Tick` has to be decided; `None` when the race waits for nothing."""
    match race.phase:
        case Phase.LOBBY:
            return race.at + race.options.lobby_ms
        case Phase.COUNTDOWN:
            return race.start
        case Phase.RUNNING:
            return race.start + race.outages + race.options.limit_ms
        case Phase.ENDED:
            return None
