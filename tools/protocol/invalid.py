"""Frames that no server may take for a message, and the error that each must get."""

from typing import NamedTuple

import msgspec

from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_protocol.errors import ErrorCode

BAD, FIELD, UNKNOWN = ErrorCode.BAD_FRAME, ErrorCode.BAD_FIELD, ErrorCode.UNKNOWN_MESSAGE
_pack = msgspec.msgpack.encode


class Invalid(NamedTuple):
    """`payload` in a frame of the codec's kind is answered with the error `code`."""

    note: str
    codec: str
    payload: bytes
    code: ErrorCode


def invalid_frames() -> list[Invalid]:
    """For both codecs."""
    packed = [Invalid(note, MSGPACK, payload, code) for note, payload, code in _msgpack()]
    texts = [Invalid(note, JSON, payload.encode(), code) for note, payload, code in _json()]
    return packed + texts


def _msgpack() -> list[tuple[str, bytes, ErrorCode]]:
    move = _pack(["m", 0, 1, "26"])
    return [
        ("empty", b"", BAD),
        ("array of 2**32 - 1 elements announced", bytes.fromhex("ddffffffff"), BAD),
        ("map of 2**32 - 1 pairs announced", bytes.fromhex("dfffffffff"), FIELD),
        ("binary of 2**32 - 1 bytes announced", bytes.fromhex("c6ffffffff"), BAD),
        ("text of 2**32 - 1 bytes announced", bytes.fromhex("dbffffffff"), BAD),
        ("reserved byte", b"\xc1", BAD),
        ("truncated move", move[:-1], BAD),
        ("trailing byte", move + b"\x00", BAD),
        ("1,000 nested arrays", b"\x91" * 1_000 + b"\x00", FIELD),
        ("nil", b"\xc0", FIELD),
        ("a number", b"\x01", FIELD),
        ("a text", _pack("m"), FIELD),
        ("a map", _pack({"m": 0}), FIELD),
        ("a map with a key twice", b"\x82" + _pack("a") + b"\x01" + _pack("a") + b"\x02", FIELD),
        ("empty array", b"\x90", FIELD),
        ("name is a number", _pack([1, 2]), FIELD),
        ("name is nil", _pack([None]), FIELD),
        ("name is binary", _pack([b"m", 0, 1, "26"]), FIELD),
        ("unknown name", _pack(["teleport", 1]), UNKNOWN),
        ("a server's message", _pack(["welcome", 1]), UNKNOWN),
        ("field missing", _pack(["m", 0, 1]), FIELD),
        ("number is a text", _pack(["m", 0, "1", "26"]), FIELD),
        ("number is a fraction", _pack(["m", 0, 1.5, "26"]), FIELD),
        (
            "number is NaN",
            b"\x94" + _pack("m") + b"\x00\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00" + _pack("26"),
            FIELD,
        ),
        (
            "number is infinite",
            b"\x94" + _pack("m") + b"\x00\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00" + _pack("26"),
            FIELD,
        ),
        ("number below 0", _pack(["m", 0, -1, "26"]), FIELD),
        ("number above its range", _pack(["m", 0, 2**31, "26"]), FIELD),
        ("number of 64 bits", _pack(["m", 0, 2**64 - 1, "26"]), FIELD),
        ("move too long", _pack(["m", 0, 1, "2" * 9]), FIELD),
        ("move too short", _pack(["m", 0, 1, "2"]), FIELD),
        ("move is binary", _pack(["m", 0, 1, b"26"]), FIELD),
        ("text is not UTF-8", b"\x94" + _pack("m") + b"\x00\x01\xa2\xff\xfe", BAD),
        ("extension type", b"\x94" + _pack("m") + b"\x00\x01\xd4\x05\x00", FIELD),
        ("timestamp", b"\x94" + _pack("m") + b"\x00\x01\xd6\xff\x00\x00\x00\x00", FIELD),
        ("boolean is a number", _pack(["ready", 0, 1]), FIELD),
        ("kind is not one of two", _pack(["hello", 1, "Ada", "", "ghost"]), FIELD),
        ("version 0", _pack(["hello", 0]), FIELD),
        ("name of 65 characters", _pack(["hello", 1, "x" * 65]), FIELD),
    ]


def _json() -> list[tuple[str, str, ErrorCode]]:
    return [
        ("empty", "", BAD),
        ("not JSON", "move 26", BAD),
        ("truncated", '["m",0,1,"26"', BAD),
        ("trailing text", '["m",0,1,"26"]]', BAD),
        ("1,000 nested arrays", "[" * 1_000 + "]" * 1_000, FIELD),
        ("an object", '{"m":0}', FIELD),
        ("null", "null", FIELD),
        ("unknown name", '["teleport",1]', UNKNOWN),
        ("name is a number", "[1]", FIELD),
        ("field missing", '["m",0,1]', FIELD),
        ("number is a text", '["m",0,"1","26"]', FIELD),
        ("number is a fraction", '["m",0,1.5,"26"]', FIELD),
        ("NaN", '["m",0,NaN,"26"]', BAD),
        ("number beyond 64 bits", '["m",0,123456789012345678901234567890,"26"]', FIELD),
        ("lone surrogate", '["m",0,1,"\\ud800"]', BAD),
        ("move too long", '["m",0,1,"222222222"]', FIELD),
    ]
