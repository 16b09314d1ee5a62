"""The reference vectors of `tests/data`, read for the tests."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from cellrace_engine import PILE_NAMES, POCKET, PRESETS, Move, Rules

DATA = Path(__file__).parent.parent / "data"


def read(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def move_of(triple: list[Any]) -> Move:
    source, destination, count = triple
    return Move(PILE_NAMES.index(source), PILE_NAMES.index(destination), count)


def triple_of(move: Move) -> list[str | int]:
    return [PILE_NAMES[move.source], PILE_NAMES[move.destination], move.count]


def rules_named(preset: str) -> Rules:
    if preset.startswith("pocket"):
        return replace(POCKET, cells=int(preset.removeprefix("pocket")))
    return PRESETS[preset]


def rules_of(playout: dict[str, Any]) -> Rules:
    rules = rules_named(playout["preset"])
    return rules if playout.get("autoplay", True) else replace(rules, automatic_moves=False)
