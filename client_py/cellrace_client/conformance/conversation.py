"""Conversations as data: who connects, says what, and has to be told what.

In messages `"*"` stands for any value, and `"{name}"` for a value that gets this name where it is met first and has to
be the same from then on. What follows the pattern's last element does not matter (clause 1.5).
"""

import re
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

import cellrace_protocol

Message = list[Any]
Names = dict[str, Any]

_NAME = re.compile(r"\{(\w+)\}")
ANY = "*"


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """`do` is one of `connect` (with `subprotocol`), `send` and `receive` (with `message`), `frame` (`hex` or `text`,
    as it is), `close`, and `closed` (with `code`). `clause` is what a step shows; `example` what was received when it
    was recorded."""

    by: str
    do: str
    subprotocol: str = ""
    message: Message | None = None
    hex: str = ""
    text: str = ""
    code: int = 0
    clause: str = ""
    example: Message | None = None


class Conversation(msgspec.Struct, frozen=True):
    name: str
    about: str
    steps: list[Step]


def conversations() -> Sequence[Conversation]:
    """All conversations that come with the protocol, by name."""
    files = sorted(
        (file for file in _folder().iterdir() if file.name.endswith(".json")), key=lambda f: f.name
    )
    return [msgspec.json.decode(file.read_bytes(), type=Conversation) for file in files]


def _folder() -> Traversable:
    packaged = resources.files(cellrace_protocol) / "vectors" / "conversations"
    if packaged.is_dir():
        return packaged
    return Path(str(cellrace_protocol.__file__)).parents[1] / "vectors" / "conversations"


def filled(message: Message, names: Names) -> Message:
    """The message to send, with every `"{name}"` replaced. Raises `KeyError` for a name without a value."""
    return [_filled(part, names) for part in message]


def _filled(part: object, names: Names) -> object:
    if _is_message(part):
        return filled(part, names)
    if isinstance(part, str) and (found := _NAME.fullmatch(part)):
        return names[found[1]]
    return part


def mismatch(pattern: object, value: object, names: Names) -> str | None:
    """Why `value` is not what `pattern` says; `None` when it is, and then the names met first have their values."""
    if pattern == ANY:
        return None
    if isinstance(pattern, str) and (found := _NAME.fullmatch(pattern)):
        known = names.setdefault(found[1], value)
        return None if known == value else f"{value!r} instead of {known!r} ({pattern})"
    if _is_message(pattern):
        return _list_mismatch(pattern, value, names)
    same = pattern == value and type(pattern) is type(value)
    return None if same else f"{value!r} instead of {pattern!r}"


def _list_mismatch(pattern: Message, value: object, names: Names) -> str | None:
    if not _is_message(value) or len(value) < len(pattern):
        return f"{value!r} instead of at least {len(pattern)} elements"
    for index, (part, element) in enumerate(zip(pattern, value, strict=False)):
        why = mismatch(part, element, names)
        if why is not None:
            return f"element {index}: {why}"
    return None


def _is_message(value: object) -> TypeGuard[Message]:
    return isinstance(value, list)
