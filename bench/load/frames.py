"""WebSocket frames of a client, made and read by hand (RFC 6455)."""

from collections.abc import Callable

import msgspec

UNMASKED = b"\0\0\0\0"
"""A mask that changes nothing: the server works as for any other, the generator need not."""

encode: Callable[[object], bytes] = msgspec.msgpack.Encoder().encode
decode: Callable[[bytes], list[object]] = msgspec.msgpack.Decoder(list[object]).decode

_SHORT = [bytes((0x82, 0x80 | length)) + UNMASKED for length in range(126)]
_SHORTEST, _LONG = 126, 65_536

CLOSE = bytes((0x88, 0x82)) + UNMASKED + (1000).to_bytes(2, "big")


def frame(payload: bytes) -> bytes:
    """One binary frame around less than 64 KiB."""
    length = len(payload)
    if length < _SHORTEST:
        return _SHORT[length] + payload
    assert length < _LONG
    return bytes((0x82, 0xFE)) + length.to_bytes(2, "big") + UNMASKED + payload


def handshake(subprotocol: str = "") -> bytes:
    """The request that opens a connection."""
    lines = [
        "GET /ws HTTP/1.1",
        "Host: bench",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    ]
    if subprotocol:
        lines.append(f"Sec-WebSocket-Protocol: {subprotocol}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def split(data: bytes, most: int = 1_000_000) -> tuple[list[tuple[int, bytes]], bytes]:
    """Whole frames of a server, as first byte and payload, and what is left over."""
    frames: list[tuple[int, bytes]] = []
    position = 0
    while len(data) - position >= 2 and len(frames) < most:
        length, start = data[position + 1], position + 2
        if length == 126:
            length, start = int.from_bytes(data[start : start + 2], "big"), start + 2
        elif length == 127:
            length, start = int.from_bytes(data[start : start + 8], "big"), start + 8
        if len(data) < start + length:
            break
        frames.append((data[position], data[start : start + length]))
        position = start + length
    return frames, data[position:]
