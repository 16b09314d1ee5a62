"""Time is the server's alone: nothing that a client says states an instant, a time, a score or a result.

So a client's clock, however wrong, changes no time anywhere.
"""

import msgspec
import pytest

from cellrace_protocol.catalog import CLIENT_MESSAGES

TERMS = {"countdown_ms", "limit_ms", "delay_ms"}
"""What a host says of a race that is to come."""

ABOUT_TIME_OR_RESULTS = (
    "time",
    "at",
    "clock",
    "instant",
    "when",
    "ms",
    "score",
    "points",
    "result",
    "place",
    "won",
)


@pytest.mark.spec("7.1")
@pytest.mark.parametrize("message", CLIENT_MESSAGES.values(), ids=CLIENT_MESSAGES)
def test_no_message_states_a_time_or_a_result(message: type[msgspec.Struct]) -> None:
    for field in msgspec.structs.fields(message):
        words = field.name.split("_")
        assert field.name in TERMS or not set(words) & set(ABOUT_TIME_OR_RESULTS), field.name
        assert field.type is not float
