"""Whether a server answers, and starting one here."""

import importlib.util
import subprocess
import sys

from cellrace_client.connection import dial
from cellrace_client.errors import CannotConnect
from cellrace_protocol.codecs import MSGPACK

START_S = 30


async def answers(url: str) -> bool:
    """Whether a server accepts a connection there."""
    try:
        connection = await dial(url, MSGPACK)
    except CannotConnect:
        return False
    await connection.close()
    return True


def can_start_server() -> bool:
    """Whether the server is installed beside this program."""
    return importlib.util.find_spec("cellrace_server") is not None


def start_server() -> "subprocess.Popen[bytes]":
    """Start a server on the usual port, with its usual data and three bots, and wait until it listens. It ends with
    whoever started it. Raises `OSError` where it does not start."""
    server = subprocess.Popen(
        [sys.executable, "-m", "cellrace_server", "--house-bots", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert server.stdout is not None
    if not server.stdout.readline():
        server.wait(START_S)
        raise OSError(f"the server ended with status {server.returncode}")
    return server
