"""What the server says, as JSON for machines."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from cellrace_client.model import RaceModel
from cellrace_client.race import Event
from cellrace_client.standings import results

NOT_FOR_OTHERS = frozenset({"r"})
"""Fields that mean something on the connection only: the number of the request."""


def json_of(found: object) -> str:
    """One line of JSON: messages are objects by the names of their fields, and what they say is as on the wire (SPEC,
    clause 9): ids, times in ms, instants in ms since the Unix epoch."""
    return json.dumps(_plain(found), ensure_ascii=False)


def event_json(model: RaceModel, event: Event) -> str:
    """One line for something that has happened in a race: `event` is the message's name, `race_time` in ms."""
    name = type(event).__struct_config__.tag
    return json.dumps({"event": name, "race_time": model.time, **_fields(event)}, ensure_ascii=False)


def standings_json(model: RaceModel) -> str:
    """One line for how a race has ended: as its standings, with names, and the ghosts where they would stand."""
    rows = [{**row._asdict(), "ghost": row.is_ghost} for row in results(model)]
    return json.dumps(
        {"race": model.race, "deal": model.deal, "end": model.end, "standings": rows}, ensure_ascii=False
    )


def _fields(value: msgspec.Struct) -> dict[str, object]:
    fields = [name for name in value.__struct_fields__ if name not in NOT_FOR_OTHERS]
    return {name: _plain(getattr(value, name)) for name in fields}


def _plain(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in cast("Mapping[str, object]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(each) for each in cast("Sequence[object]", value)]
    return value
