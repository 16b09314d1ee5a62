"""Replay documents as JSON text, read strictly: an unknown, missing or repeated field is an error."""

import json
from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from typing import TypeVar, cast

from cellrace_engine.deals import DealCode
from cellrace_engine.errors import DealError, ReplayError, RulesError
from cellrace_engine.replay.document import VERSION, Action, PlayerKind, PlayerRun, Replay, Result
from cellrace_engine.rules import Rules, RunCapacity, TakeBack
from cellrace_engine.shown import shown

FORMAT = "cellrace-replay"

_RULES = tuple(field.name for field in fields(Rules))
_RULE_NUMBERS = ("cells", "points_to_foundation", "points_taken_back", "points_cell_to_column")
_RESULT = tuple(field.name for field in fields(Result))

Object = dict[str, object]
Choice = TypeVar("Choice", bound=StrEnum)


def to_json(replay: Replay) -> str:
    """Return the document as one line of JSON; equal replays give equal text."""
    start: Object = {"layout": replay.layout} if replay.deal is None else {"deal": str(replay.deal)}
    document: Object = {
        "format": FORMAT,
        "version": replay.version,
        "rules": {name: getattr(replay.rules, name) for name in _RULES},
        **start,
        "players": [_player_object(player) for player in replay.players],
    }
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _player_object(player: PlayerRun) -> Object:
    result = player.result
    claimed: Object = {} if result is None else {"result": {name: getattr(result, name) for name in _RESULT}}
    return {"name": player.name, "kind": player.kind, "actions": player.actions, **claimed}


def from_json(text: str | bytes) -> Replay:
    """Return the document that a text holds; raise `ReplayError`, which names the faulty field."""
    try:
        document: object = json.loads(text, object_pairs_hook=_repeats_kept)
    except (ValueError, RecursionError) as error:
        raise ReplayError("", f"this is no JSON text: {error}") from error
    found = _object(document, "")
    if found.get("format") != FORMAT:
        raise ReplayError("format", f"{FORMAT!r} expected, not {shown(found.get('format'))}")
    version = _whole(found.get("version"), "version")
    reader = _READERS.get(version)
    if reader is None:
        raise ReplayError("version", f"{shown(version)} is not known: {VERSION} is the newest")
    return reader(found)


def _read_version_1(document: Object) -> Replay:
    _check_fields(document, "", ("format", "version", "rules", "players"), ("deal", "layout"))
    players = _list(document["players"], "players")
    return Replay(
        rules=_rules(document["rules"]),
        players=tuple(_player(player, f"players[{index}]") for index, player in enumerate(players)),
        deal=_deal(_text(document["deal"], "deal")) if "deal" in document else None,
        layout=_text(document["layout"], "layout") if "layout" in document else None,
    )


_READERS: dict[int, Callable[[Object], Replay]] = {1: _read_version_1}


def _rules(value: object) -> Rules:
    found = _object(value, "rules")
    _check_fields(found, "rules", _RULES)
    depth = found["undo_depth"]
    numbers = {name: _whole(found[name], f"rules.{name}") for name in _RULE_NUMBERS}
    automatic = found["automatic_moves"]
    if not isinstance(automatic, bool):
        raise ReplayError("rules.automatic_moves", f"true or false expected, not {_kind(automatic)}")
    try:
        return Rules(
            run_capacity=_choice(RunCapacity, found["run_capacity"], "rules.run_capacity"),
            take_back=_choice(TakeBack, found["take_back"], "rules.take_back"),
            automatic_moves=automatic,
            undo_depth=None if depth is None else _whole(depth, "rules.undo_depth"),
            **numbers,
        )
    except RulesError as error:
        raise ReplayError(f"rules.{error.field}", error.fault) from error


def _deal(text: str) -> DealCode:
    try:
        code = DealCode.parse(text)
    except DealError as error:
        raise ReplayError("deal", str(error)) from error
    if str(code) != text:
        raise ReplayError("deal", f"the canonical code {code} expected, not {shown(text)}")
    return code


def _player(value: object, where: str) -> PlayerRun:
    found = _object(value, where)
    _check_fields(found, where, ("name", "kind", "actions"), ("result",))
    actions = _list(found["actions"], f"{where}.actions")
    timed = tuple(_action(action, f"{where}.actions[{index}]") for index, action in enumerate(actions))
    name = _text(found["name"], f"{where}.name")
    kind = _choice(PlayerKind, found["kind"], f"{where}.kind")
    result = _result(found["result"], f"{where}.result") if "result" in found else None
    try:
        return PlayerRun(name, kind, timed, result)
    except ReplayError as error:
        raise ReplayError(f"{where}.{error.where}", error.fault) from error


def _action(value: object, where: str) -> Action:
    pair = _list(value, where)
    if len(pair) != 2:
        raise ReplayError(where, f"a time and what was done expected, not {len(pair)} values")
    return Action(_whole(pair[0], f"{where}[0]"), _text(pair[1], f"{where}[1]"))


def _result(value: object, where: str) -> Result:
    found = _object(value, where)
    _check_fields(found, where, _RESULT)
    try:
        return Result(**{name: _whole(found[name], f"{where}.{name}") for name in _RESULT})
    except ReplayError as error:
        raise ReplayError(
            error.where if error.where.startswith(where) else f"{where}.{error.where}", error.fault
        ) from error


class _Repeating(dict[str, object]):
    """An object in which one field is there twice. Where it stands is known only when it is read."""

    repeated = ""


def _repeats_kept(pairs: list[tuple[str, object]]) -> Object:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = _Repeating(found)
    seen = set[str]()
    for name, _ in pairs:
        if name in seen:
            repeating.repeated = name
            break
        seen.add(name)
    return repeating


def _check_fields(found: Object, where: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    for name in needed:
        if name not in found:
            raise ReplayError(where, f"the field {name!r} is missing")
    for name in found:
        if name not in needed and name not in optional:
            raise ReplayError(where, f"the field {shown(name)} is not known")


def _object(value: object, where: str) -> Object:
    if not isinstance(value, dict):
        raise ReplayError(where, f"an object expected, not {_kind(value)}")
    if isinstance(value, _Repeating):
        raise ReplayError(where, f"the field {shown(value.repeated)} is there twice")
    return cast("Object", value)


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise ReplayError(where, f"a list expected, not {_kind(value)}")
    return cast("list[object]", value)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ReplayError(where, f"a text expected, not {_kind(value)}")
    return value


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReplayError(where, f"a whole number expected, not {_kind(value)}")
    return value


def _choice(choices: type[Choice], value: object, where: str) -> Choice:
    for choice in choices:
        if choice.value == value:
            return choice
    names = ", ".join(choice.value for choice in choices)
    raise ReplayError(where, f"one of {names} expected, not {shown(value)}")


def _kind(value: object) -> str:
    return "an object" if isinstance(value, dict) else _KINDS.get(type(value).__name__, "a whole number")


_KINDS = {
    "list": "a list",
    "str": "a text",
    "bool": "true or false",
    "float": "a fraction",
    "NoneType": "null",
}
