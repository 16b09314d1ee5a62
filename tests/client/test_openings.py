"""What people type to race a stored run."""

import pytest

from cellrace_client.openings import Challenge, challenge
from cellrace_engine import EngineError


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("best 617", Challenge("", "best", "FC1-C4-AAAAATJ")),
        ("mine 617 relaxed", Challenge("", "mine", "FC1-C4-AAAAATJ", "relaxed")),
        ("Ada Lovelace 2 617", Challenge("", "Ada Lovelace 2", "FC1-C4-AAAAATJ")),
        ("kbjueza-0", Challenge("kbjueza-0")),
        ("https://host/g/kbjueza-0", Challenge("https://host/g/kbjueza-0")),
    ],
)
def test_a_run_to_race_is_named_by_whose_it_is_or_by_its_name(text: str, asked: Challenge) -> None:
    assert challenge(text) == asked


@pytest.mark.parametrize("text", ["", "best", "best relaxed", "best nonsense"])
def test_whose_run_alone_says_nothing(text: str) -> None:
    with pytest.raises(EngineError):
        challenge(text)
