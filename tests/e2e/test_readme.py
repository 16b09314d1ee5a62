"""What the README shows works as it stands there."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.support.server_process import ServerProcess

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
DEFAULT = "ws://127.0.0.1:8617/ws"

pytestmark = pytest.mark.asyncio


async def test_two_of_the_library_examples_race_each_other(server: ServerProcess) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert DEFAULT in example
    program = example.replace(DEFAULT, server.url)
    outputs = await asyncio.gather(run(program), run(program))
    assert [status for status, _ in outputs] == [0, 0]
    assert all("Place(place=1" in output for _, output in outputs)


async def run(program: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(30):
        output, _ = await process.communicate()
    return process.returncode, output.decode()
