"""The short forms of messages: of the most frequent ones, and of those that seldom have facts, trailing fields at their
defaults are left out.

Only encoding needs them; they are read as the full messages.
"""

import msgspec

from cellrace_protocol.events import Applied, Diff, Error, Notice, RaceMessage, ServerMessage, What
from cellrace_protocol.fields import (
    ActionNumber,
    Channel,
    CodeText,
    Milliseconds,
    Request,
    SeatIndex,
    Transfer,
    Words,
)


class LeanDiff(RaceMessage, tag="d", frozen=True, gc=True):
    seat: SeatIndex
    transfers: list[Transfer]


class LeanApplied(RaceMessage, tag="a", frozen=True, gc=True):
    n: ActionNumber
    transfers: list[Transfer]


class LeanError(ServerMessage, tag="error", frozen=True):
    code: CodeText
    text: Words
    r: Request
    retry_after: Milliseconds


class LeanNotice(ServerMessage, tag="notice", frozen=True):
    code: CodeText
    text: Words
    ch: Channel


def lean(message: msgspec.Struct) -> msgspec.Struct:
    """The same message, in the form that takes the fewest bytes."""
    match message:
        case Error(code, text, r, retry_after, facts=facts) if not facts:
            return LeanError(code, text, r, retry_after)
        case Notice(code, text, ch, facts=facts) if not facts:
            return LeanNotice(code, text, ch)
        case Diff(ch, k, dt, seat, transfers, What.MOVE, points=0, sum=0):
            return LeanDiff(ch, k, dt, seat, transfers)
        case Applied(ch, k, dt, n, transfers, What.MOVE, points=0, sum=0):
            return LeanApplied(ch, k, dt, n, transfers)
        case _:
            return message
