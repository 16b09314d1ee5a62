"""What the README shows works as it stands there."""

import asyncio
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.server_process import ServerProcess

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
TUTORIAL = (Path(__file__).parents[2] / "docs/tutorial/first-bot.md").read_text(encoding="utf-8")
DEFAULT = "ws://127.0.0.1:8617/ws"

pytestmark = pytest.mark.asyncio


async def test_the_library_example_races(server: ServerProcess) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert DEFAULT in example
    program = example.replace(DEFAULT, server.url)
    status, output = await run(program)
    assert status == 0, output
    lines = output.splitlines()
    assert len(lines) == 4, "both say how it ended"
    assert len(set(lines)) == 2
    assert sorted(re.sub(r"\d+ moves|^\d. ", "", line) for line in set(lines)) == [
        "Ada: 52 cards home, ",
        "Grace: 52 cards home, ",
    ]


@pytest.mark.parametrize("number", range(2))
async def test_the_first_bot_of_the_tutorial_comes_home(
    server: ServerProcess, number: int, tmp_path: Path
) -> None:
    """Both programs of it: the one that solves, and the one that looks no further than a move."""
    program = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)[number]
    assert len(program.splitlines()) <= 30
    assert DEFAULT in program
    program = program.replace(DEFAULT, server.url).replace("asyncio.sleep(0.3)", "asyncio.sleep(0)")
    status, output = await run(program, {"CELLRACER_HOME": str(tmp_path)})
    assert status == 0, output
    assert re.search(r"home in \d+\.\d s" if number == 0 else r"\d+ cards home", output)
    assert (tmp_path / "identities").exists()


async def run(program: str, environment: Mapping[str, str] | None = None) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program),
        env={**os.environ, **(environment or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(30):
        output, _ = await process.communicate()
    return process.returncode, output.decode()
