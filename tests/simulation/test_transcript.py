"""A seed is a history, to the last byte: what it sends and stores follows from nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SEED = 617
PATIENCE_S = 600


def playing(hash_seed: int, histories: int, transcript: Path) -> "subprocess.Popen[bytes]":
    """A process that plays the histories. Strings are hashed as `hash_seed` says, and objects lie where they may."""
    with transcript.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.simulation.transcript", str(SEED), str(histories)],
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
            stdout=output,
        )


@pytest.mark.parametrize("histories", [20, pytest.param(400, marks=pytest.mark.slow)])
def test_a_seed_is_the_same_histories_in_any_process(tmp_path: Path, histories: int) -> None:
    transcripts = [tmp_path / "one", tmp_path / "another"]
    processes = [
        playing(hash_seed, histories, transcript) for hash_seed, transcript in enumerate(transcripts, 1)
    ]
    assert [process.wait(PATIENCE_S) for process in processes] == [0, 0]
    lines, others = (transcript.read_text().splitlines() for transcript in transcripts)
    assert lines.count("a history") >= histories
    assert any("Started(" in line for line in lines)
    for number, (line, other) in enumerate(zip(lines, others, strict=False)):
        assert line == other, f"after {lines[max(0, number - 5) : number]}"
    assert len(lines) == len(others)
