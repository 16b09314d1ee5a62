"""`make demo` is this command."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.support.server_process import valkeys_in

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def cellrace(*arguments: str) -> tuple[int, str]:
    """Run the command to its end; exit status and all it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(WITHIN):
            output, _ = await process.communicate()
        assert processes_of(process.pid) == []
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, output.decode()


def processes_of(session: int) -> list[str]:
    """What still runs of a command and all that it has started."""
    left: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:
            continue
        if fields and fields[0] != "Z" and int(fields[3]) == session:
            left.append((entry / "cmdline").read_text())
    return left


async def test_the_demo_ends_with_a_winner_and_its_row_is_there_the_next_time(tmp_path: Path) -> None:
    """`make demo` ends with a winner, exit 0, and every one of its processes gone; started again on the same data
    directory, the board still has the row; the replay re-runs to the same final position and time."""
    runs: list[str] = []
    for _ in range(2):
        status, output = await cellrace("demo", "--pace", "0", "--data-dir", str(tmp_path))
        assert status == 0, output
        assert valkeys_in(tmp_path) == []
        assert "Traceback" not in output
        assert "1. Ada" in output
        assert "52/52 home" in output
        runs.append(output)
    rows = [line.split() for line in runs[1].splitlines() if " run " in line]
    ada = next(row for row in rows if row[1] == "Ada")
    status, output = await cellrace("verify", str(tmp_path / f"{ada[-1]}.json"))
    assert status == 0
    assert output.startswith(f"TRUE: Ada, 617 (FC1-C4-AAAAATJ): won, {ada[2]}, {ada[3]} moves")
