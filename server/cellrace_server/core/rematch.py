"""Meeting again, and the score of a series."""

from cellrace_server.core.commands import Rematch
from cellrace_server.core.facts import Rematched, Series
from cellrace_server.core.outcome import Outcome, Reason, Rejected, happened
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.standings import standings


def rematch(race: Race, command: Rematch, at: int) -> Outcome:
    """Everybody is told of the next race, once: who asks later goes where the first one has led."""
    refusal = against_rematch(race, command.player)
    if refusal is not None:
        return Outcome((), race, refusal)
    if race.rematch:
        return Outcome((), race, None)
    return happened(race, Rematched(at, command.race))


def against_rematch(race: Race, player: str) -> Rejected | None:
    """Why this player cannot ask everybody to meet again; `None` when they can."""
    if race.seat_of(player) < 0:
        return Rejected(Reason.NOT_SEATED, "you have no seat in this race")
    if race.phase is not Phase.ENDED:
        return Rejected(Reason.NOT_OVER, "the race is not over yet")
    if race.options.daily:
        return Rejected(Reason.BAD_OPTIONS, "a daily has no rematch: play it again for practice")
    return None


def next_series(race: Race) -> Series:
    """Where the race after this one stands. A shared win counts for everybody who shares it. A series that is decided,
    or has had all its races, begins anew."""
    wins = dict(race.series.wins)
    for row in standings(race):
        seat = race.seats[row.seat]
        if row.place == 1 and row.result is not None and seat is not None:
            wins[seat.player.id] = wins.get(seat.player.id, 0) + 1
    best_of = race.options.best_of
    decided = any(count > best_of // 2 for count in wins.values())
    if decided or race.series.game >= best_of:
        return Series(shown_from=race.shown_at)
    return Series(race.series.game + 1, wins, race.shown_at)


def raced_bots_only(race: Race, player: str) -> bool:
    """Whether all whom a player raced were bots, and welcome to the player."""
    index = race.seat_of(player)
    own = race.seats[index] if index >= 0 else None
    others = [seat.player.kind for at, seat in race.seated() if at != index]
    return own is not None and own.bots_welcome and bool(others) and all(kind is Kind.BOT for kind in others)
