"""Decisions before the start: who sits where, and when the countdown begins."""

from cellrace_engine import DealError, deal
from cellrace_server.core.commands import Create, FallBack, Join, Leave, Ready, Start, WelcomeBots
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import (
    AnyFact,
    BotsWelcome,
    CountdownBegan,
    CountdownStopped,
    Created,
    Ended,
    EndReason,
    Joined,
    Left,
    Readied,
    Rematched,
)
from cellrace_server.core.hosting import hand_on, heir, with_host
from cellrace_server.core.options import SECOND
from cellrace_server.core.outcome import Outcome, Reason, Rejected, happened, refused
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Phase, Race, Seat

GHOST_AFTER_MS = 10 * SECOND
"""How long somebody has to be alone before a ghost stands in: bots of the house come sooner."""


def create(command: Create, at: int) -> Outcome:
    """A new race, its host on the first seat unless they only host."""
    fault = command.options.fault() or _deal_fault(command)
    if fault is not None:
        return Outcome((), None, Rejected(Reason.BAD_OPTIONS, fault))
    session = "" if command.play else command.session
    created = Created(
        at, command.race, command.host, command.options, command.deal, command.salt, command.series, session
    )
    facts: tuple[AnyFact, ...] = (created,)
    if command.play and command.host.kind is Kind.BOT and not command.options.bots:
        return Outcome((), None, _people_only())
    if command.play:
        facts = (created, Joined(at, 0, command.host, command.session, command.bots_welcome))
    return Outcome(facts, fold(facts), None)


def _deal_fault(command: Create) -> str | None:
    try:
        deal(command.deal, command.options.rules.cells)
    except DealError as error:
        return str(error)
    return None


def join(race: Race, command: Join, at: int) -> Outcome:
    """Take the first free seat. A player who sits already keeps the seat: nothing happens, and that is no refusal.
    Those outside do not learn from a refusal that a race is over before spectators do."""
    if race.seat_of(command.player.id) >= 0:
        return Outcome((), race, None)
    if race.phase is not Phase.LOBBY:
        return _too_late_outside(race, at)
    if command.player.kind is Kind.BOT and not race.options.bots:
        return Outcome((), race, _people_only())
    if None not in race.seats:
        return refused(race, Reason.FULL, f"all {len(race.seats)} seats are taken")
    seat = race.seats.index(None)
    joined = Joined(at, seat, command.player, command.session, command.bots_welcome)
    return with_host(happened(race, joined), at)


def leave(race: Race, command: Leave, at: int) -> Outcome:
    """Give the seat back before the start, or hosting where one only hosts. Too few left stop a countdown; nobody left
    ends the race."""
    seat = race.seat_of(command.player)
    if race.only_hosts(command.player):
        return hand_on(race, at)
    if seat < 0:
        return _not_seated(race)
    if race.phase not in (Phase.LOBBY, Phase.COUNTDOWN):
        return _too_late(race)
    return give_back(race, seat, at)


def give_back(race: Race, seat: int, at: int) -> Outcome:
    """Free a taken seat of a race that has not started."""
    taken = race.seats[seat]
    assert taken is not None, "the seat is taken"
    remaining = sum(1 for _ in race.seated()) - 1
    next_host = heir(race, seat) if race.host == taken.player.id else -1
    facts: list[AnyFact] = [Left(at, seat, next_host)]
    if race.phase is Phase.COUNTDOWN and remaining < _fewest(race):
        facts.append(CountdownStopped(at))
    if remaining == 0 and race.host == taken.player.id:
        facts.append(Ended(at, EndReason.EMPTY))
    return happened(race, *facts)


def ready(race: Race, command: Ready, at: int) -> Outcome:
    """Ready, or not any more. When every seat is taken, ready and not away, the countdown begins."""
    index = race.seat_of(command.player)
    if index < 0:
        return _not_seated(race)
    if race.phase is not Phase.LOBBY:
        if race.phase is Phase.COUNTDOWN and command.ready:
            return Outcome((), race, None)
        return _too_late(race)
    seat = race.seats[index]
    if seat is None or seat.ready == command.ready:
        return Outcome((), race, None)
    return with_countdown(happened(race, Readied(at, index, command.ready)), at)


def welcome_bots(race: Race, command: WelcomeBots, at: int) -> Outcome:
    """Who may stand in if nobody comes for this player. Of no interest any more once the countdown has begun."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if seat is None:
        return _not_seated(race)
    if race.phase is not Phase.LOBBY or (seat.bots_welcome, seat.ghost) == (command.welcome, command.ghost):
        return Outcome((), race, None)
    return happened(race, BotsWelcome(at, index, command.welcome, command.ghost))


def awaits_ghost(race: Race) -> Seat | None:
    """The seat of a player who waits alone, ready and there, and wants a ghost if nobody comes; `None` without one."""
    seated = [seat for _, seat in race.seated()]
    if race.phase is not Phase.LOBBY or len(seated) != 1:
        return None
    (waiting,) = seated
    return waiting if waiting.ghost and waiting.ready and not waiting.away else None


def fall_back(race: Race, command: FallBack, at: int) -> Outcome:
    """The race is over, and says where it goes on, unless somebody has come meanwhile. All in one: nobody who comes
    finds a seat beside a player who has gone."""
    if race.rematch == command.race:
        return Outcome((), race, None)
    waiting = awaits_ghost(race)
    if waiting is None or waiting.player.id != command.player:
        return refused(race, Reason.FULL, "nobody waits for a ghost here any more")
    return happened(race, Ended(at, EndReason.GHOST), Rematched(at, command.race))


def with_countdown(outcome: Outcome, at: int) -> Outcome:
    """What happened in the lobby, and the countdown if every seat is taken by somebody who is ready and there."""
    race = outcome.race
    assert race is not None, "something happened in it"
    if not all(seat is not None and seat.ready and not seat.away for seat in race.seats):
        return outcome
    began = happened(race, _countdown(race, at))
    return Outcome((*outcome.facts, *began.facts), began.race, None)


def start(race: Race, command: Start, at: int) -> Outcome:
    """The host begins the countdown for whoever is there."""
    if command.player != race.host:
        return refused(race, Reason.NOT_HOST, "only the host starts a race")
    if race.phase is not Phase.LOBBY:
        return _too_late(race) if race.seat_of(race.host) >= 0 else _too_late_outside(race, at)
    seated = sum(1 for _ in race.seated())
    if seated < _fewest(race):
        return refused(
            race, Reason.TOO_FEW, f"{seated} seated, a race of {len(race.seats)} seats needs {_fewest(race)}"
        )
    return happened(race, _countdown(race, at))


def _countdown(race: Race, at: int) -> CountdownBegan:
    return CountdownBegan(at, at + race.options.countdown_ms)


def _fewest(race: Race) -> int:
    return min(2, len(race.seats))


def _people_only() -> Rejected:
    return Rejected(Reason.NO_BOTS, "this race is for people only")


def _not_seated(race: Race) -> Outcome:
    return refused(race, Reason.NOT_SEATED, "you have no seat in this race")


def _too_late(race: Race) -> Outcome:
    """What can be done in the lobby only, asked for later."""
    reason, text = _LATER[race.phase]
    return refused(race, reason, text)


def _too_late_outside(race: Race, at: int) -> Outcome:
    """The same for one without a seat, who learns of the end when spectators do."""
    if race.phase is Phase.ENDED and at < race.shown_at:
        return refused(race, *_LATER[Phase.RUNNING])
    return _too_late(race)


_LATER = {
    Phase.COUNTDOWN: (Reason.STARTING, "the countdown has begun"),
    Phase.RUNNING: (Reason.STARTED, "the race has started"),
    Phase.ENDED: (Reason.RACE_OVER, "the race is over"),
}
