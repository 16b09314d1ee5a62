"""The library's reference says what its docstrings say, the same for everybody who makes it."""

import ast
import os
import re
import subprocess
import sys

import pytest
from tools.library import sources
from tools.library.__main__ import PAGE, stale
from tools.library.reference import NOT_FOR_CALLERS, described, reference

import cellrace_client
from cellrace_client.client import Client
from cellrace_client.model import Board, RaceModel
from cellrace_client.race import Race
from cellrace_client.race_list import RaceList

BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_page_is_up_to_date() -> None:
    assert not stale(), "run make generate"


def test_it_has_every_public_name() -> None:
    assert described() == set(cellrace_client.__all__)


def test_the_order_of_hashes_does_not_change_it() -> None:
    code = "import sys; from tools.library.reference import reference; sys.stdout.buffer.write(reference().encode())"
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            timeout=60,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert made.stdout.decode() == reference()


@pytest.mark.parametrize("kind", [Client, Race, RaceList, RaceModel, Board])
def test_what_is_left_out_is_there_to_leave_out(kind: type) -> None:
    assert {name for name in NOT_FOR_CALLERS[kind.__name__] if not hasattr(kind, name)} == set()


@pytest.mark.parametrize(("owner", "kind"), [("client", Client), ("race", Race)])
def test_every_method_has_a_place_and_what_is_inside_has_none(owner: str, kind: type) -> None:
    text = reference()
    public = {name for name in dir(kind) if not name.startswith("_")}
    shown = set(re.findall(rf"^### {owner}\.(\w+)$", text, re.MULTILINE))
    shown |= {name for name in public if f"\n| `{name}` |" in text}
    assert public - shown == NOT_FOR_CALLERS[kind.__name__]
    assert shown & NOT_FOR_CALLERS[kind.__name__] == set()


def test_every_link_on_the_page_has_its_heading() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    links = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert links
    assert links - anchors == set()


def test_its_example_is_a_program() -> None:
    first = next(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))[1]
    assert isinstance(ast.parse(first).body[-1], ast.Expr)


class Odd:
    """A class to read."""

    def __init__(self, start: "int | None", other: str) -> None:
        self.start = start
        self.other: list[str] = [other]
        """What else
        there is."""
        self._hidden = start

    async def wait(self, *names: str, count: int = 10_000, word: str = "", sure: bool = True) -> "Odd":
        return self

    @property
    def size(self) -> int:
        """How much."""
        return 0

    def long(self, first_of_many: "Odd", second_of_many: int = -1, *, keyword: str = 'it"s') -> None: ...


def test_signatures_are_as_written_and_folded_where_long() -> None:
    wait, size, long = sources.methods(sources.class_of(Odd))
    assert sources.signature(wait) == (
        'wait(*names: str, count: int = 10_000, word: str = "", sure: bool = True) -> Odd'
    )
    assert sources.is_property(size)
    assert sources.signature(long, name="x" * 30, returns=False) == (
        "x" * 30 + "(\n    first_of_many: Odd,\n    second_of_many: int = -1,\n    *,\n"
        '    keyword: str = "it\\"s",\n)'
    )


def test_attributes_are_those_that_are_set_with_what_is_said_of_them() -> None:
    assert list(sources.attributes(sources.class_of(Odd))) == [
        ("start", "int | None", ""),
        ("other", "list[str]", "What else there is."),
    ]
