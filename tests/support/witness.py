"""The `msgpack` package as an independent reader and writer: what it and our codec agree on is MessagePack."""

import importlib
from typing import Any

_msgpack: Any = importlib.import_module("msgpack")  # it has no types


def pack(value: object) -> bytes:
    """`value` as MessagePack."""
    encoded: bytes = _msgpack.packb(value)
    return encoded


def unpack(encoded: bytes) -> Any:
    """What is in `encoded`. Raises what that package raises."""
    return _msgpack.unpackb(encoded)


def extension(code: int, body: bytes) -> object:
    """A value of an extension type."""
    return _msgpack.ExtType(code, body)


def time_stamp(seconds: int) -> object:
    """A value of the one extension type that the format itself defines."""
    return _msgpack.Timestamp(seconds)
