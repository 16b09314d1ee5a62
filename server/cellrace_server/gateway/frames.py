"""WebSocket frames of a server: unmasked, whole, built once and written to every receiver (RFC 6455, section 5.2)."""

import struct

_TEXT = 0x81
_BINARY = 0x82

_SHORT = {
    binary: [bytes((_BINARY if binary else _TEXT, length)) for length in range(126)]
    for binary in (False, True)
}


def frame(payload: bytes, binary: bool) -> bytes:
    """One final data frame around a payload of less than 2**63 bytes."""
    length = len(payload)
    if length < 126:
        return _SHORT[binary][length] + payload
    first = _BINARY if binary else _TEXT
    if length < 65_536:
        return struct.pack("!BBH", first, 126, length) + payload
    return struct.pack("!BBQ", first, 127, length) + payload
