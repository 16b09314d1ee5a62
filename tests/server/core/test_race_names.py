"""Names of races as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.adapters.chance import SystemChance
from cellrace_server.core.race_names import LENGTH, LETTERS, read_race_name

NAMES = st.text(st.sampled_from(LETTERS), min_size=LENGTH, max_size=LENGTH)


def test_names_are_drawn_without_letters_that_look_alike() -> None:
    drawn = [SystemChance().race_id() for _ in range(200)]
    assert len(set(drawn)) == 200
    assert all(len(name) == LENGTH and set(name) <= set(LETTERS) for name in drawn)
    assert not set(LETTERS) & set("ilo0123456789")


@given(NAMES, st.lists(st.sampled_from([" ", "-", "_", ".", ""]), min_size=LENGTH, max_size=LENGTH))
def test_a_name_is_read_however_it_is_written(name: str, signs: list[str]) -> None:
    assert read_race_name(name) == name
    assert read_race_name(name.upper()) == name
    assert read_race_name("".join(map("".join, zip(name.upper(), signs, strict=True)))) == name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("KBJ-UEZA", "kbjueza"),
        ("8B5 UE2A", "bbsueza"),
        ("OBJUEZA", "qbjueza"),
        ("0B1UEZ6", "qbjuezg"),
        ("lbiueza", "jbjueza"),
        ("nosuchrace", "nosuchrace"),
    ],
)
def test_what_looks_like_a_letter_is_read_as_that_letter(typed: str, meant: str) -> None:
    assert read_race_name(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "617",
        "#617",
        "2525252",
        "FC1-C4-AAAAAKH",
        "fc1c4aaaaakh",
        "",
        " ",
        "7a",
        "kbjuez\u00e4",
        "k/juez",
        "kbjuez7",
    ],
)
def test_what_is_no_name_is_not_taken_for_one(text: str) -> None:
    assert read_race_name(text) is None
