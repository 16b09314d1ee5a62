"""Vectors: every message in bytes and meaning, and every kind of frame that is none."""

from collections.abc import Sequence
from typing import Any

import msgspec

from cellrace_protocol.codecs import JSON
from tools.protocol.examples import client_examples, server_examples
from tools.protocol.invalid import invalid_frames

Row = dict[str, Any]


def message_vectors() -> list[Row]:
    """One row an example: who says it, the fields by name, the JSON text, the MessagePack bytes in hexadecimal."""
    return [
        *(_row("client", example) for example in client_examples()),
        *(_row("server", example) for example in server_examples()),
    ]


def _row(sender: str, example: msgspec.Struct) -> Row:
    return {
        "from": sender,
        "name": example.__struct_config__.tag,
        "fields": _fields(example),
        "json": msgspec.json.encode(example).decode(),
        "msgpack": msgspec.msgpack.encode(example).hex(),
    }


def _fields(message: msgspec.Struct) -> Row:
    names: Sequence[str] = message.__struct_fields__
    values = [getattr(message, name) for name in names]
    return {name: msgspec.to_builtins(value) for name, value in zip(names, values, strict=True)}


def invalid_vectors() -> list[Row]:
    """One row a frame from a client, with the code of the error that answers it: text for JSON, else hexadecimal."""
    rows: list[Row] = []
    for note, codec, payload, code in invalid_frames():
        frame = {"text": payload.decode()} if codec == JSON else {"hex": payload.hex()}
        rows.append({"note": note, "subprotocol": codec, **frame, "error": code.value})
    return rows
