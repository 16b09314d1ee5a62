"""Whether a server answers, and starting one here."""

import importlib.util
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

from cellrace_client.connection import dial
from cellrace_client.errors import CannotConnect, ServerNotStarted
from cellrace_protocol.codecs import MSGPACK

START_S = 60.0
STOP_S = 10.0
ENDS_S = 1.0
"""How long one that has said nothing, or closed its output, has for ending by itself."""


async def answers(url: str) -> bool:
    """Whether a server is there: one that says when to come again is."""
    try:
        connection = await dial(url, MSGPACK)
    except CannotConnect as error:
        return error.retry_after_s > 0
    await connection.close()
    return True


def can_start_server() -> bool:
    """Whether the server is installed beside this program."""
    return importlib.util.find_spec("cellrace_server") is not None


class Started(NamedTuple):
    """A server that listens at `url`; `stop` ends it."""

    process: "subprocess.Popen[bytes]"
    url: str


def start_server(*options: str) -> Started:
    """Start a server here, with these options and else as usual, and wait until it listens. It says nothing on this
    terminal. Raises `ServerNotStarted`."""
    return started([sys.executable, "-m", "cellrace_server", *options])


def started(
    command: Sequence[str], environment: Mapping[str, str] | None = None, within_s: float = START_S
) -> Started:
    """Start a server by this command, and wait until it has said where it listens. Raises `ServerNotStarted` where it
    cannot be started, or ends, or takes too long: then nothing is left of it."""
    with tempfile.TemporaryFile() as errors:
        process = _process(command, environment, errors)
        try:
            line = _first_line(process, within_s)
            url = next((word.rstrip(")") for word in line.split() if word.startswith("ws://")), "")
            why = "" if url else _last_word(process, errors, within_s)
        except BaseException:
            stop(process)
            raise
    if not url:
        stop(process)
        raise ServerNotStarted(why)
    return Started(process, url)


def _process(
    command: Sequence[str], environment: Mapping[str, str] | None, errors: IO[bytes]
) -> "subprocess.Popen[bytes]":
    try:
        # Without a buffer, so that it can be closed while somebody waits for a line of it.
        return subprocess.Popen(  # noqa: S603 - the command is the caller's
            command, bufsize=0, stdout=subprocess.PIPE, stderr=errors, env=environment
        )
    except OSError as error:
        raise ServerNotStarted(error.strerror or str(error)) from error


def _first_line(process: "subprocess.Popen[bytes]", within_s: float) -> str:
    """What it says first; empty where it says nothing in time, or ends."""
    stdout = process.stdout
    assert stdout is not None, "it is a pipe"
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(stdout.readline()), daemon=True).start()
    try:
        return lines.get(timeout=within_s).decode()
    except queue.Empty:
        return ""


def _last_word(process: "subprocess.Popen[bytes]", errors: IO[bytes], within_s: float) -> str:
    try:
        status = process.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        return f"it does not listen after {within_s:g} s"
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"it ended with status {status}"


def stop(process: "subprocess.Popen[bytes]") -> None:
    """End a server: kindly, then not. Harmless when repeated."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
