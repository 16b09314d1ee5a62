"""A deal is called by its number where people read, with its code where it is to be copied."""

import pytest

from cellrace_client.deal_names import deal_text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("FC1-C4-AAAAATJ", "617 (FC1-C4-AAAAATJ)"),
        ("FC1-C2-AAAAATJ", "617 (FC1-C2-AAAAATJ)"),
        ("", ""),
        ("of its own", "of its own"),
    ],
)
def test_the_number_comes_before_the_code(code: str, text: str) -> None:
    assert deal_text(code) == text
