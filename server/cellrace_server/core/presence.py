"""Who is there: connections come and go, seats stay."""

from collections.abc import Iterator

from cellrace_server.core.commands import Appear, Vanish
from cellrace_server.core.facts import Away, Here, HostAway, HostHere
from cellrace_server.core.lobby import with_countdown
from cellrace_server.core.outcome import Outcome, Reason, happened, refused
from cellrace_server.core.race import Phase, Race


def appear(race: Race, command: Appear, at: int) -> Outcome:
    """The newest connection has the seat, and the race begins if it has waited for nothing else. In a race that is
    over nobody asks any more."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if race.only_hosts(command.player):
        return _host_appears(race, command, at)
    if seat is None:
        return refused(race, Reason.NOT_SEATED, "you have no seat in this race")
    if race.phase is Phase.ENDED or (seat.session == command.session and not seat.away):
        return Outcome((), race, None)
    here = happened(race, Here(at, index, command.session))
    return with_countdown(here, at) if race.phase is Phase.LOBBY else here


def vanish(race: Race, command: Vanish, at: int) -> Outcome:
    """The seat is without its player, or a race without its host, unless another connection counts meanwhile."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if race.only_hosts(command.player):
        if race.host_away or race.host_session != command.session:
            return Outcome((), race, None)
        return happened(race, HostAway(at))
    if seat is None or race.phase is Phase.ENDED or seat.away or seat.session != command.session:
        return Outcome((), race, None)
    return happened(race, Away(at, index))


def _host_appears(race: Race, command: Appear, at: int) -> Outcome:
    if race.host_session == command.session and not race.host_away:
        return Outcome((), race, None)
    return happened(race, HostHere(at, command.session))


def attending(race: Race) -> Iterator[tuple[str, str]]:
    """Who is there as far as the race knows, with the name of their connection: those who sit, and a host who does not,
    before the start. The name is empty in logs of before it was kept."""
    for _, seat in race.seated():
        if not seat.away:
            yield seat.player.id, seat.session
    if race.host_outside and not race.host_away:
        yield race.host, race.host_session
