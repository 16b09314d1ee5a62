"""The one way in which decoding fails."""

import enum


class ErrorCode(enum.StrEnum):
    """Stable codes of `error` messages that the protocol itself can cause."""

    BAD_FRAME = "bad_frame"
    UNKNOWN_MESSAGE = "unknown_message"
    BAD_FIELD = "bad_field"
    HELLO_FIRST = "hello_first"
    HELLO_TWICE = "hello_twice"
    BAD_NAME = "bad_name"
    BAD_VERSION = "bad_version"
    NO_CHANNEL = "no_channel"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"
    UNAVAILABLE = "unavailable"
    BUSY = "busy"
    SLOW_DOWN = "slow_down"
    NUMBER_USED = "number_used"
    TAKEN_OVER = "taken_over"
    DRAINING = "draining"
    REVOKED = "revoked"
    BAD_TOKEN = "bad_token"  # noqa: S105 - a code, not a secret


class WireError(Exception):
    """Bytes that are no message of this protocol. `code` is stable, `text` says what is wrong, `request` is the number
    of the request that they were meant to be (0: none, or not readable)."""

    def __init__(self, code: ErrorCode, text: str, request: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.request = request
