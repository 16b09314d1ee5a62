"""Nothing stays behind of a few thousand races of bots. `make bench-races` is the same with 50,000."""

import asyncio
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

RACES = 3_000
WITHIN = 600
ROOT = Path(__file__).parents[2]


async def test_memory_tasks_sockets_and_keys_return_to_their_base_line() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench", "races", "--races", str(RACES)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN):
        shown, complaints = await process.communicate()
    assert process.returncode == 0, (shown + complaints).decode()
