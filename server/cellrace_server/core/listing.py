"""What the list of races says of one: nothing that depends on the deal, or that spectators do not know yet."""

import msgspec

from cellrace_engine import rules_text
from cellrace_server.core.options import SECOND
from cellrace_server.core.people import Kind
from cellrace_server.core.presence import attending
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.views import phase_shown


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A race that is open or running, after `number` facts. `phase` is what spectators know of it. Where it is not
    `listed` only nodes, and those who sit in it, are told of it.

    `created` is the instant of its first fact; `since`, in the lobby, that of its last: nothing has happened since.
    `bot_from` is the instant from which a house bot may come, 0 where none may.
    `players` are names by seat, free seats left out; `bot_players` is how many of them are bots.
    """

    race: str
    number: int
    created: int
    phase: str
    rules: str
    seats: int
    players: tuple[str, ...]
    bot_players: int = 0
    ranked: bool = False
    bots: bool = True
    since: int = 0
    bot_from: int = 0
    listed: bool = True


BOT_AFTER_MS = 5 * SECOND
"""How long somebody has to be alone before a house bot may come."""


def entry_of(race: Race, created: int, now: int) -> Entry | None:
    """What is said of a race at the instant `now`; `None` for one that is over. On the list are public ones of which
    spectators may know; a lobby that nobody is in is not, for whoever joined would wait for nobody."""
    phase = phase_shown(race, now)
    if phase is Phase.ENDED:
        return None
    deserted = phase is Phase.LOBBY and _nobody_is_there(race)
    players = [seat.player for _, seat in race.seated()]
    return Entry(
        race.id,
        race.number,
        created,
        phase.value,
        rules_text(race.options.rules),
        len(race.seats),
        tuple(player.name for player in players),
        sum(player.kind is Kind.BOT for player in players),
        race.options.ranked,
        race.options.bots,
        race.at if race.phase is Phase.LOBBY else 0,
        race.at + BOT_AFTER_MS if wants_a_bot(race) else 0,
        race.options.public and now >= race.series.shown_from and not deserted,
    )


def _nobody_is_there(race: Race) -> bool:
    """Whether all who sit in a race are away, and so is a host who does not sit: who sat down with them would wait for
    nobody."""
    return next(attending(race), None) is None


def wants_a_bot(race: Race) -> bool:
    """Whether one person waits alone in a friendly race and does not mind a bot."""
    seated = [seat for _, seat in race.seated()]
    if race.phase is not Phase.LOBBY or len(seated) != 1 or len(race.seats) < 2:
        return False
    (waiting,) = seated
    suitable = race.options.bots and not race.options.ranked
    return suitable and waiting.bots_welcome and waiting.player.kind is Kind.HUMAN and not waiting.away


def unsettled_for_spectators(race: Race, now: int) -> bool:
    """Whether what spectators know of the race changes by itself, with time: they see it late."""
    late = race.options.delay_ms > 0 and phase_shown(race, now) is not race.phase
    return late or now < race.series.shown_from
