"""A disk that is full."""

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.adapters.valkey.supervisor import Patience
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.race_log import Append, RaceLog
from tests.support.samples import moves
from tests.support.waiting import eventually

SIZE = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of one mebibyte. Only root can make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", disk], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no right to mount a small file system")
    yield disk
    subprocess.run(["umount", disk], check=True)


async def fill(log: RaceLog) -> Append:
    """Append until there is no answer; what had none."""
    written = 0
    while True:
        batch = [Append("race", written, moves(100, first=written + 1))]
        try:
            assert await log.append(batch) == [None]
        except StoreUnavailable:
            return batch[0]
        written += 100


@pytest.mark.asyncio
async def test_a_full_disk_loses_nothing_and_heals_when_there_is_room(small_disk: Path) -> None:
    """Invariant 2. Valkey ends when it cannot write, and is started again until it can."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(SIZE * 3 // 4))
    patience = Patience(first_retry=0.01, last_retry=0.05)
    async with (
        EmbeddedValkey(small_disk / "data", patience=patience) as valkey,
        RedisStore(valkey.url) as store,
    ):
        unanswered = await fill(store.log)
        await eventually(lambda: valkey.pid is None or valkey.restarts > 0)
        ballast.unlink()

        answers: list[int | None] = []
        while not answers:
            await eventually(lambda: valkey.pid is not None)
            try:
                answers.extend(await store.log.append([unanswered]))
            except StoreUnavailable:
                continue
        assert answers == [None]
        assert list(await store.log.read("race")) == moves(unanswered.expected + 100)
        assert os.statvfs(small_disk).f_bavail > 0
