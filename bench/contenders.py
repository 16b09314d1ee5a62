"""The servers of a contest, each a process of its own on the server's core."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.meter import Meter, pin

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = CORES[0], CORES[-1]
STOP_S = 15

EVERYTHING_ON = (
    "--limits-exempt",
    *(
        word
        for scope in ("connection", "address")
        for kind in ("messages", "hellos", "creations", "joins", "queries", "connections")
        if (scope, kind) != ("connection", "connections")
        for word in (f"--{scope}-{kind}", "100000000/100000000")
    ),
    *("--connections-most", "12000", "--log-level", "warning"),
)
"""The complete server with its defaults: limits count for this machine too, but are never reached."""


class Contender(NamedTuple):
    """A running server."""

    pid: int
    port: int
    store: int | None = None

    def meter(self) -> Meter:
        return Meter(self.pid, self.store)


@contextmanager
def _running(arguments: Sequence[str]) -> Generator[Contender]:
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        port = 0
        while not port:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{arguments[0]} did not start")
            port = _port(line)
        store = _child(process.pid, b"valkey-server")
        pin(process.pid, SERVER_CORE)
        if store is not None:
            pin(store, LOAD_CORE)
        yield Contender(process.pid, port, store)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _port(line: str) -> int:
    """From `port 123`, or from what the complete server says."""
    words = line.split()
    if words[:1] == ["port"]:
        return int(words[1])
    url = next((word for word in words if word.startswith("ws://")), "")
    return int(url.rsplit(":", 1)[1].split("/", maxsplit=1)[0]) if url else 0


def _child(pid: int, name: bytes) -> int | None:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and name in (entry / "cmdline").read_bytes():
                    return int(entry.name)
            except OSError:
                continue
    return None


@contextmanager
def cellrace(*flags: str, log: bool = True) -> Generator[Contender]:
    """The complete server with a store of its own; without `log`, what it appends is not stored anywhere."""
    module = "cellrace_server" if log else "bench.yardsticks.logless"
    with tempfile.TemporaryDirectory() as folder:
        arguments = (module, "--port", "0", "--data-dir", folder, *EVERYTHING_ON, *flags)
        with _running(arguments) as contender:
            yield contender


@contextmanager
def yardstick(name: str) -> Generator[Contender]:
    """One of `bench.yardsticks`."""
    with _running((f"bench.yardsticks.{name}",)) as contender:
        yield contender


def pin_generator() -> None:
    """This process stays away from the server's core."""
    pin(os.getpid(), LOAD_CORE)
