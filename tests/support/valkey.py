"""A real Valkey for tests, by our own supervisor."""

import asyncio
import socket
import subprocess
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import hiredis

from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.adapters.valkey.binary import find_binary
from cellrace_server.adapters.valkey.command import tethered
from tests.support.processes import ending
from tests.support.waiting import LOOK_AGAIN

WITHIN = 30


@contextmanager
def valkey_in_thread(data_dir: Path) -> Generator[str]:
    """The URL of a Valkey that outlives the event loops of single tests: it has a loop and a thread of its own."""
    serving: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    thread = threading.Thread(target=asyncio.run, args=(_serve(data_dir, serving),), name="valkey")
    thread.start()
    try:
        url, loop, over = serving.result(WITHIN)
        yield url
        loop.call_soon_threadsafe(over.set)
    finally:
        thread.join(WITHIN)


async def _serve(
    data_dir: Path, serving: "Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]]"
) -> None:
    over = asyncio.Event()
    try:
        async with EmbeddedValkey(data_dir) as store:
            serving.set_result((store.url, asyncio.get_running_loop(), over))
            await over.wait()
    except BaseException as error:
        if not serving.done():
            serving.set_exception(error)
        raise


@contextmanager
def plain_valkey(folder: Path, *options: str) -> Generator[tuple[str, int]]:
    """A Valkey without a supervisor on a TCP port: the port's number is free, its process id. Nothing is kept."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [
        str(find_binary()),
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        str(folder),
        "--save",
        "",
    ]
    program = subprocess.Popen(tethered([*command, *options], "tie"), stdout=subprocess.DEVNULL)
    with ending(program) as process:
        _await_port(port)
        yield f"127.0.0.1:{port}", process.pid


def _await_port(port: int) -> None:
    deadline = time.monotonic() + WITHIN
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < deadline, "Valkey does not answer"
            time.sleep(LOOK_AGAIN)
        else:
            return


def tell(store: str, *commands: str) -> list[bytes]:
    """Send inline commands to the store at a unix socket's path or `host:port`; its whole answers, as it wrote them."""
    host, colon, port = store.rpartition(":")
    with socket.socket(socket.AF_INET if colon else socket.AF_UNIX) as connection:
        connection.settimeout(WITHIN)
        connection.connect((host, int(port)) if colon else store)
        answers: list[bytes] = []
        for command in commands:
            connection.sendall(command.encode() + b"\r\n")
            answers.append(_answer(connection))
        return answers


def _answer(connection: socket.socket) -> bytes:
    """One answer and its pieces, however many there are."""
    reader, answer = hiredis.Reader(), b""
    while reader.gets() is False:
        piece = connection.recv(65536)
        assert piece, f"the store closed the connection after {answer!r}"
        reader.feed(piece)
        answer += piece
    return answer
