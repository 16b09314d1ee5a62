"""What went wrong, in the player's language."""

import math

from cellrace_client.errors import ActionRefused, Disconnected, RequestFailed
from cellrace_client.files import why
from cellrace_client.languages import Catalogue


def connection(words: Catalogue, is_there: bool, failure: BaseException | None) -> str:
    """How the connection is: there, coming back, or, with a `failure`, gone for good."""
    if failure is not None:
        return words("state.gone", why=told(words, failure))
    return words("state.connected" if is_there else "state.lost")


def told(words: Catalogue, error: BaseException) -> str:
    """An error as a person is told it: what a server refuses by its code, with when to come again where it says so;
    everything else, and codes that no catalogue knows, in the words that came with it."""
    if isinstance(error, OSError):
        return why(error)
    if isinstance(error, Disconnected) and isinstance(error.__cause__, RequestFailed):
        return words("state.gone", why=told(words, error.__cause__))
    if not isinstance(error, RequestFailed | ActionRefused):
        return str(error)
    reason = words.why(error.code, error.text)
    if isinstance(error, RequestFailed) and error.retry_after:
        return words("state.again", why=reason, seconds=math.ceil(error.retry_after / 1_000))
    return reason
