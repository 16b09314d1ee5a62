"""What `make run` starts, without starting it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("CELLRACE", "MAKE"))}


@pytest.mark.parametrize(
    ("environment", "arguments", "started"),
    [
        ({}, (), "cellrace-server --house-bots 3"),
        ({}, ("PORT=8618", "BOTS=0"), "cellrace-server --port 8618 --house-bots 0"),
        ({"CELLRACE_PORT": "8618", "CELLRACE_HOUSE_BOTS": "1"}, (), "cellrace-server"),
        ({"CELLRACE_PORT": "8618"}, ("PORT=8619",), "cellrace-server --port 8619 --house-bots 3"),
    ],
)
def test_make_run_leaves_to_the_server_what_is_not_named(
    environment: dict[str, str], arguments: tuple[str, ...], started: str
) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "run", *arguments],
        cwd=ROOT, env={**KEPT, **environment}, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    command = done.stdout.splitlines()[-1]
    assert command.startswith("exec ")
    assert " ".join(command.partition("bin/")[2].split()) == started
