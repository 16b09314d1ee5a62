"""The specification is covered: every clause that binds is cited by a test."""

import re
from pathlib import Path

from cellrace_client.conformance import conversations
from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES

ROOT = Path(__file__).parents[2]
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
CLAUSE = re.compile(r"^\*\*(\d+\.\d+)\*\*(.*?)(?=^\*\*\d+\.\d+\*\*|^#)", re.MULTILINE | re.DOTALL)


def clauses() -> dict[str, str]:
    return dict(CLAUSE.findall(SPEC + "\n#"))


def cited_by_tests() -> set[str]:
    """Clauses named by a marker, or shown by a conversation (all of which run against the server)."""
    found = {step.clause for talk in conversations() for step in talk.steps if step.clause}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for marker in re.findall(r"mark\.spec\(([^)]*)\)", path.read_text(encoding="utf-8")):
            found.update(re.findall(r"\d+\.\d+", marker))
    return found


def test_every_clause_that_says_must_is_cited() -> None:
    binding = {number for number, text in clauses().items() if re.search(r"\bmust\b", text)}
    assert binding, "the specification binds somebody to something"
    assert binding - cited_by_tests() == set()


def test_nothing_is_cited_that_is_not_there() -> None:
    assert cited_by_tests() - clauses().keys() == set()


def test_every_message_has_a_clause() -> None:
    shown = set(re.findall(r"^\*\*9\.\d+\*\* `(\w+)`", SPEC, re.MULTILINE))
    assert shown == CLIENT_MESSAGES.keys() | SERVER_MESSAGES.keys()


def test_clauses_are_numbered_once() -> None:
    numbers = [number for number, _ in CLAUSE.findall(SPEC + "\n#")]
    assert len(numbers) == len(set(numbers))
