"""What comes of a command."""

import enum
from collections.abc import Mapping

import msgspec

from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.race import Race


class Reason(enum.StrEnum):
    """Why a race refuses a command. Stable: they go on the wire, beside the engine's reasons for refused moves."""

    BAD_DEAL = "bad_deal"
    BAD_OPTIONS = "bad_options"
    FULL = "full"
    BAD_TOKEN = "bad_token"  # noqa: S105 - a reason, not a secret
    REVOKED = "revoked"
    NO_RACE = "not_found"
    NOT_FINISHABLE = "not_finishable"
    NOT_HOST = "not_host"
    NOT_OVER = "not_over"
    NO_BOTS = "no_bots"
    NOT_SEATED = "not_seated"
    OUT_OF_ORDER = "out_of_order"
    RACE_EXISTS = "race_exists"
    RACE_OVER = "race_over"
    SEAT_DONE = "seat_done"
    STARTED = "started"
    NOT_STARTED = "not_started"
    STARTING = "starting"
    TOO_FEW = "too_few"
    TOO_MANY_ACTIONS = "too_many_actions"
    TOO_MANY_RACES = "too_many_races"
    TOO_MANY_SEATS = "too_many_seats"
    UNAVAILABLE = "unavailable"
    BUSY = "busy"
    DAY_NOT_OVER = "day_not_over"


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """A refusal: nothing changed. `reason` is a `Reason` or one of the engine's; `text` says it to a person.
    `expected` is the number that the player's next action must carry, 0 where there is none. `facts` say to programs
    what `text` says, where a request is refused; they are mostly empty."""

    reason: str
    text: str
    expected: int = 0
    retry_after: int = 0
    facts: Mapping[str, str | int] = {}


class Repeated(msgspec.Struct, frozen=True, gc=False):
    """The player's action `n` was applied before; nothing changed."""

    seat: int
    n: int


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """`race` is the value after `facts`: exactly what folding them with `evolve` gives.

    `answer` says what became of the command itself: `None` when it was carried out. A refused command can still come
    with facts, when a deadline had passed unnoticed before it.
    """

    facts: tuple[AnyFact, ...]
    race: Race | None
    answer: Rejected | Repeated | None


def refused(race: Race, reason: str, text: str, expected: int = 0) -> Outcome:
    """The command is refused and nothing changes."""
    return Outcome((), race, Rejected(reason, text, expected))


def happened(race: Race, *facts: AnyFact) -> Outcome:
    """The command is carried out: these facts."""
    after = race
    for fact in facts:
        after = evolve(after, fact)
    return Outcome(facts, after, None)
