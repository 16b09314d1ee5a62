"""What the server says, as JSON for machines."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

NOT_FOR_OTHERS = frozenset({"r"})
"""Fields that mean something on the connection only: the number of the request."""


def json_of(found: object) -> str:
    """One line of JSON: messages are objects by the names of their fields, and what they say is as on the wire (SPEC,
    clause 9): ids, times in ms, instants in ms since the Unix epoch."""
    return json.dumps(_plain(found), ensure_ascii=False)


def _plain(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        fields = [name for name in value.__struct_fields__ if name not in NOT_FOR_OTHERS]
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in cast("Mapping[str, object]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(each) for each in cast("Sequence[object]", value)]
    return value
