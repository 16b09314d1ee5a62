"""What a process uses: CPU of all its threads, memory, and whether its core was what it waited for."""

import os
import time
from pathlib import Path
from typing import NamedTuple


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a process has used, all threads together, exact to the scheduler's own count."""
    return time.clock_gettime((~pid << 3) | 2)


def waited_s(pid: int) -> float:
    """Seconds that its threads were ready to run and another program had the core."""
    return sum(int(_words(task, "schedstat")[1]) for task in tasks(pid)) / 1e9


def idle(pid: int) -> bool:
    """Whether its main thread sleeps."""
    return _words(pid, "stat")[2] == "S"


def rss(pid: int) -> int:
    """Resident memory in bytes."""
    return int(_words(pid, "statm")[1]) * os.sysconf("SC_PAGE_SIZE")


def tasks(pid: int) -> list[int]:
    """The threads of a process."""
    return [int(entry.name) for entry in Path(f"/proc/{pid}/task").iterdir()]


def pin(pid: int, core: int) -> None:
    """Let a process, all its threads, run on one core and on no other; nothing where that cannot be had."""
    if core in os.sched_getaffinity(0) | os.sched_getaffinity(pid):
        for task in tasks(pid):
            os.sched_setaffinity(task, {core})


def _words(pid: int, name: str) -> list[str]:
    return Path(f"/proc/{pid}/{name}").read_text().split()


class Used(NamedTuple):
    """Seconds in a window: on the clock, of CPU, of CPU of the server's store, and waiting for a core that another
    program had."""

    wall: float
    cpu: float
    store: float
    waited: float

    @property
    def busy(self) -> float:
        """The part of the time in which the server ran or wanted to: near 1, its core is what limits it."""
        return min(1.0, (self.cpu + self.waited) / self.wall)


class Meter:
    """Measures a server process between `start` and `stop`, and the process of its store where it has one."""

    def __init__(self, pid: int, store: int | None = None) -> None:
        self.pid = pid
        self.store = store
        self._began = self._now()
        self.used = Used(0.0, 0.0, 0.0, 0.0)

    def start(self) -> None:
        """Begin a window."""
        self._began = self._now()

    def stop(self) -> None:
        """End it: what was used is in `used`."""
        self.used = Used(*(now - then for now, then in zip(self._now(), self._began, strict=True)))

    def _now(self) -> tuple[float, float, float, float]:
        store = cpu_s(self.store) if self.store is not None else 0.0
        return time.perf_counter(), cpu_s(self.pid), store, waited_s(self.pid)
