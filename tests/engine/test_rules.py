"""Rule sets: presets, the capacity table, and values that a field cannot take."""

from dataclasses import fields, replace
from typing import Any

import msgspec
import pytest

from cellrace_engine import CLASSIC, LINEAR, POCKET, PRESETS, RELAXED, Line, Refusal, Rules, RulesError, deal
from tests.engine.strategies import FIELDS, all_pairs, played


def test_presets_are_those_of_the_table() -> None:
    assert list(PRESETS) == ["classic", "relaxed", "pocket", "linear"]
    assert (CLASSIC.automatic_moves, CLASSIC.undo_depth, CLASSIC.take_back) == (True, 400, "never")
    assert (RELAXED.points_to_foundation, RELAXED.points_taken_back, RELAXED.undo_depth) == (10, -15, 400)
    assert (POCKET.points_to_foundation, POCKET.points_cell_to_column, POCKET.undo_depth) == (10, 5, 100)
    assert (LINEAR.run_capacity, LINEAR.undo_depth, LINEAR.take_back) == ("linear", None, "never")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cells", 3),
        ("cells", 0),
        ("cells", True),
        ("cells", 4.0),
        ("run_capacity", "power"),
        ("take_back", "never"),
        ("automatic_moves", 1),
        ("points_to_foundation", -1),
        ("points_taken_back", 1),
        ("points_cell_to_column", 1.5),
        ("undo_depth", -1),
        ("undo_depth", "400"),
    ],
)
def test_a_value_that_a_field_cannot_take_is_refused_by_its_name(field: str, value: Any) -> None:
    with pytest.raises(RulesError, match=field) as caught:
        replace(CLASSIC, **{field: value})
    assert caught.value.field == field


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_rules_survive_messagepack(rules: Rules) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(rules), type=Rules) == rules


def test_every_pair_of_field_values_deals_and_plays() -> None:
    assert set(FIELDS) == {field.name for field in fields(Rules)}
    rows = all_pairs(FIELDS)
    assert len(rows) >= 12
    for number, row in enumerate(rows, 1):
        rules = Rules(**row)  # type: ignore[arg-type]
        line = played(rules, number, [pick * 7919 % 10_000 for pick in range(1, 120)])
        assert line.moves > 0 or rules.undo_depth == 0 or line.stuck
        line.position.check()
        assert len(line.position.cells) == rules.cells
        assert isinstance(line.restart(), Line | Refusal)


def test_a_position_with_other_cells_than_the_rules_is_refused() -> None:
    with pytest.raises(RulesError, match="cells"):
        Line.begin(CLASSIC, deal(1, 2))
