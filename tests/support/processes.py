"""Other processes: looking at them, and not outliving the test that started them."""

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import AnyStr


@contextmanager
def ending(process: "subprocess.Popen[AnyStr]") -> "Generator[subprocess.Popen[AnyStr]]":
    """The process, which ends with the block: one that does not end by itself fails its test, and holds up no other."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def alive(pid: int) -> bool:
    """Whether a process runs. One that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return not Path("/proc/self").exists()
    return state != "Z"
