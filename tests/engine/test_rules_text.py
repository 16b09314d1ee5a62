"""Rule sets as text, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import (
    CLASSIC,
    PRESETS,
    Rules,
    RulesError,
    RunCapacity,
    TakeBack,
    parse_rules,
    rules_text,
)

RULES = st.builds(
    Rules,
    cells=st.sampled_from([1, 2, 4]),
    run_capacity=st.sampled_from(RunCapacity),
    take_back=st.sampled_from(TakeBack),
    automatic_moves=st.booleans(),
    points_to_foundation=st.integers(0, 1000),
    points_taken_back=st.integers(-1000, 0),
    points_cell_to_column=st.integers(0, 1000),
    undo_depth=st.none() | st.integers(0, 1_000_000),
)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_its_name(name: str) -> None:
    assert rules_text(PRESETS[name]) == name
    assert parse_rules(name.upper()) == PRESETS[name]


@given(RULES)
def test_every_rule_set_comes_back_from_its_text(rules: Rules) -> None:
    assert parse_rules(rules_text(rules)) == rules


def test_differing_fields_follow_the_preset() -> None:
    rules = parse_rules("pocket + cells=2")
    assert (rules.cells, rules.undo_depth) == (2, 100)
    assert rules_text(rules) == "pocket+cells=2"
    assert rules_text(Rules(undo_depth=400)) == "classic+automatic_moves=no"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "preset"),
        ("klondike", "preset"),
        ("classic+cells", "cells"),
        ("classic+cells=3", "cells"),
        ("classic+cells=yes", "cells"),
        ("classic+cells=all", "cells"),
        ("classic+cells=2+cells=2", "cells"),
        ("classic+depth=2", "depth"),
        ("classic+run_capacity=all", "run_capacity"),
        ("classic+undo_depth=-1", "undo_depth"),
        ("classic+undo_depth=²", "undo_depth"),
        ("classic+automatic_moves=1", "automatic_moves"),
    ],
)
def test_a_text_that_cannot_be_right_names_the_field(text: str, field: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert caught.value.field == field


def test_classic_without_automatic_moves_is_nearest_to_classic() -> None:
    assert parse_rules("classic+automatic_moves=yes") == CLASSIC
