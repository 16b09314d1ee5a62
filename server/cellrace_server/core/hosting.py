"""Who hosts: hosting outlives whoever opened a race, for somebody has to be able to start it."""

from cellrace_server.core.facts import AnyFact, Ended, EndReason, HandedOn
from cellrace_server.core.outcome import Outcome, happened
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Race, host_gone


def heir(race: Race, leaving: int = -1) -> int:
    """The seat of whoever hosts next, -1 where nobody can: a person before a bot, one who is there before one who is
    away, and of these the one who has sat longest. `leaving` is a seat that is given back, -1 for none."""
    others = [(index, seat) for index, seat in race.seated() if index != leaving]
    return min(
        others,
        key=lambda each: (each[1].player.kind is Kind.BOT, each[1].away > 0, each[1].since),
        default=(-1, None),
    )[0]


def hand_on(race: Race, at: int) -> Outcome:
    """Whoever hosts without a seat does so no longer. Where nobody sits either, the race is over."""
    next_host = heir(race)
    fact: AnyFact = HandedOn(at, next_host) if next_host >= 0 else Ended(at, EndReason.EMPTY)
    return happened(race, fact)


def with_host(outcome: Outcome, at: int) -> Outcome:
    """What happened when somebody sat down, and that they host where nobody would start the race: the host has gone
    while nobody sat there, or is a bot whom the race has made one."""
    race = outcome.race
    assert race is not None, "somebody sat down in it"
    if at < host_gone(race) and not (race.inherited and _waits_for_a_person(race)):
        return outcome
    handed = hand_on(race, at)
    return Outcome((*outcome.facts, *handed.facts), handed.race, None)


def _waits_for_a_person(race: Race) -> bool:
    """A bot that was made the host does not know of it; whoever opened a race does, bot or not."""
    host, next_host = race.seats[race.seat_of(race.host)], race.seats[heir(race)]
    assert host is not None, "one whom the race has made the host sits"
    assert next_host is not None, "somebody sits there"
    return host.player.kind is Kind.BOT and next_host.player.kind is Kind.HUMAN
