"""The example in the engine's README runs as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent.parent / "engine" / "README.md"


def test_the_ten_lines_solve_check_and_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    example = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([row for row in example.splitlines() if row and not row.startswith("from")]) <= 10
    exec(compile(example, str(README), "exec"), {})  # noqa: S102 - our own page
    shown = capsys.readouterr().out
    assert re.search(r"^hint: [1-8a-h]{2}", shown, re.MULTILINE)
    assert shown.endswith("won: True replay holds: True\n")
