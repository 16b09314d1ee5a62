"""What a server says, without what a terminal would take for orders: it may be anybody's, and so may names."""

import re
from typing import Any, TypeVar, cast

import msgspec

from cellrace_protocol import events as e

Said = TypeVar("Said", bound=msgspec.Struct)

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""C0 and C1 but the tab, and the newline, for which a space stands: what is said stays in its line."""

WITHOUT_TEXT: frozenset[type] = frozenset({e.Diff, e.Applied, e.Progress, e.Watching})
"""Most of what is said while a race runs."""


def harmless(message: Said) -> Said:
    """The message with U+FFFD for each control character in its texts, a space for a newline; itself without any."""
    return message if type(message) in WITHOUT_TEXT else cast("Said", _clean(message))


def _clean(value: object) -> object:
    if isinstance(value, str):
        return CONTROLS.sub("\ufffd", value.replace("\r\n", " ").replace("\n", " "))
    if isinstance(value, list):
        return [_clean(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in cast("dict[object, object]", value).items()}
    if isinstance(value, msgspec.Struct):
        found: dict[str, Any] = {name: getattr(value, name) for name in value.__struct_fields__}
        changed = {name: clean for name, each in found.items() if (clean := _clean(each)) != each}
        return msgspec.structs.replace(value, **changed) if changed else value
    return value
