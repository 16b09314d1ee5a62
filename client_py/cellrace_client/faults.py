"""What went wrong, and what the server has to say, in the player's language."""

import math

from cellrace_client.errors import (
    ActionRefused,
    Disconnected,
    OptionOutOfRange,
    OptionsClash,
    OptionUnclear,
    RequestFailed,
)
from cellrace_client.files import why
from cellrace_client.languages import Catalogue
from cellrace_engine import DealError
from cellrace_protocol import events as e

REASONED = ("closed", "sent_away")
"""Notices whose text is what the host says is the reason."""


def connection(words: Catalogue, is_there: bool, failure: BaseException | None) -> str:
    """How the connection is: there, coming back, or, with a `failure`, gone for good."""
    if failure is not None:
        return words("state.gone", why=told(words, failure))
    return words("state.connected" if is_there else "state.lost")


def told(words: Catalogue, error: BaseException) -> str:
    """An error as a person is told it: what a server refuses by its code and facts, with when to come again where it
    says so; everything else, and codes that no catalogue knows, in the words that came with it."""
    if isinstance(error, OSError):
        return why(error)
    if isinstance(error, DealError):
        return _no_deal(words, error.part, str(error))
    if isinstance(error, OptionUnclear):
        return words("options.number", what=error.what)
    if isinstance(error, OptionOutOfRange):
        return words("options.range", what=error.what, low=error.low, high=error.high)
    if isinstance(error, OptionsClash):
        return words(f"clash.{error.clash}")
    if isinstance(error, Disconnected) and isinstance(error.__cause__, RequestFailed):
        return words("state.gone", why=told(words, error.__cause__))
    if not isinstance(error, RequestFailed | ActionRefused):
        return str(error)
    if isinstance(error, ActionRefused):
        return words.why(error.code, error.text, error.refusal)
    reason = words.because(error.code, error.facts) or words.why(error.code, error.text)
    if error.code == "bad_deal":
        reason = _no_deal(words, error.facts.get("reason"), error.text)
    if error.retry_after:
        return words("state.again", why=reason, seconds=math.ceil(error.retry_after / 1_000))
    return reason


def _no_deal(words: Catalogue, part: object, text: str) -> str:
    """What is wrong with a deal, found here or by a server."""
    return words.why("bad_deal", words.why(f"deal_{part}", text))


def explained(words: Catalogue, error: BaseException) -> str:
    """An error as a command ends with it: in the words that came with it, with the code behind them; where a server has
    given facts that the catalogue has words for, in those."""
    cause = error.__cause__ if isinstance(error, Disconnected) else error
    if isinstance(cause, RequestFailed) and words.because(cause.code, cause.facts) is not None:
        return f"{told(words, error)} ({cause.code})"
    return why(error) if isinstance(error, OSError) else str(error)


def noticed(words: Catalogue, notice: e.Notice) -> str:
    """A notice as a person is told it: by its code where there are words for it, with the host's own where there are
    any, or by its facts; what the host announces, and codes that no catalogue knows, as it came."""
    said = words.named("notice", notice.code)
    if said == notice.code:
        return words.because(notice.code, notice.facts) or notice.text
    if notice.code in REASONED and notice.text not in ("", e.CLOSED, e.SENT_AWAY):
        return words("notice.reason", said=said, reason=notice.text)
    return said
