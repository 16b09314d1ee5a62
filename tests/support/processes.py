"""Looking at other processes."""

import os
from pathlib import Path


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
