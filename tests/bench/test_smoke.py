"""The benchmarks of the server run to their end, for a moment each. What they measure is asserted nowhere."""

import asyncio
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.asyncio

WITHIN = 180
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ratings", "Glicko-2"),
        pytest.param("page", "eight boards", marks=pytest.mark.slow),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("race", "goal"),
                ("fanout", "picows"),
                ("memory", "KiB"),
                ("join", "µs"),
                ("stalled", "missed"),
            )
        ),
    ],
)
async def test_a_benchmark_still_runs(name: str, says: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench", name, "--moment"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN):
        shown, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    assert says in shown.decode()
