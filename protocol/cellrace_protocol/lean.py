"""The short forms of the most frequent messages: trailing fields at their defaults are left out.

Only encoding needs them; they are read as the full messages.
"""

from cellrace_protocol.events import Applied, Diff, RaceMessage, What
from cellrace_protocol.fields import ActionNumber, SeatIndex, Transfer


class LeanDiff(RaceMessage, tag="d", frozen=True, gc=True):
    seat: SeatIndex
    transfers: list[Transfer]


class LeanApplied(RaceMessage, tag="a", frozen=True, gc=True):
    n: ActionNumber
    transfers: list[Transfer]


def lean(message: Applied | Diff) -> Applied | Diff | LeanApplied | LeanDiff:
    """The same message, in the form that takes the fewest bytes."""
    if message.sum or message.points or message.what is not What.MOVE:
        return message
    if type(message) is Diff:
        return LeanDiff(message.ch, message.k, message.dt, message.seat, message.transfers)
    assert type(message) is Applied
    return LeanApplied(message.ch, message.k, message.dt, message.n, message.transfers)
