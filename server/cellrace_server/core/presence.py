"""Who is there: connections come and go, seats stay."""

from cellrace_server.core.commands import Appear, Vanish
from cellrace_server.core.facts import Away, Here
from cellrace_server.core.lobby import with_countdown
from cellrace_server.core.outcome import Outcome, Reason, happened, refused
from cellrace_server.core.race import Phase, Race


def appear(race: Race, command: Appear, at: int) -> Outcome:
    """The newest connection has the seat, and the race begins if it has waited for nothing else. In a race that is
    over nobody asks any more."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if seat is None:
        return refused(race, Reason.NOT_SEATED, "you have no seat in this race")
    if race.phase is Phase.ENDED or (seat.session == command.session and not seat.away):
        return Outcome((), race, None)
    here = happened(race, Here(at, index, command.session))
    return with_countdown(here, at) if race.phase is Phase.LOBBY else here


def vanish(race: Race, command: Vanish, at: int) -> Outcome:
    """The seat is without its player, unless another connection has taken it over meanwhile."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if seat is None or race.phase is Phase.ENDED or seat.away or seat.session != command.session:
        return Outcome((), race, None)
    return happened(race, Away(at, index))
