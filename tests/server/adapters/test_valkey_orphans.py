"""The embedded Valkey when its server is gone, and what the next server makes of it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from cellrace_server.adapters.valkey import DataDirectoryBusy, EmbeddedValkey, LeftoverValkey, resp
from cellrace_server.adapters.valkey.binary import find_binary
from cellrace_server.adapters.valkey.command import Tether, store_arguments
from cellrace_server.adapters.valkey.folder import SOCKET_NAME, make_folder, remove_folder
from cellrace_server.adapters.valkey.lock import LockFile
from cellrace_server.adapters.valkey.supervisor import Patience
from tests.support.processes import alive
from tests.support.waiting import eventually

TETHERS: tuple[Tether, ...] = ("tie", "guard")


@asynccontextmanager
async def other_server(
    data_dir: Path, tether: Tether = "tie"
) -> AsyncGenerator[tuple[asyncio.subprocess.Process, int, str]]:
    """Another process with its embedded store, in a group of its own: it, its Valkey's pid, the socket."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.store_program", str(data_dir), tether),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(20):
            pid, socket = (await process.stdout.readline()).decode().split()
        yield process, int(pid), socket
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(20):
            await process.communicate()


@pytest.mark.asyncio
@pytest.mark.parametrize("tether", TETHERS)
async def test_a_killed_server_leaves_no_valkey(tmp_path: Path, tether: Tether) -> None:
    async with other_server(tmp_path, tether) as (server, valkey, socket):
        await resp.ask(socket, "SET colour red")
        server.kill()
        await eventually(lambda: not alive(valkey))
    async with EmbeddedValkey(tmp_path) as store:
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"
        assert not Path(socket).parent.exists()


@pytest.mark.asyncio
@pytest.mark.parametrize("tether", TETHERS)
async def test_a_server_is_followed_at_once(tmp_path: Path, tether: Tether) -> None:
    async with other_server(tmp_path, tether) as (server, _, socket):
        await resp.ask(socket, "SET colour red")
        server.kill()
        await server.wait()
        async with EmbeddedValkey(tmp_path) as store:  # while the other Valkey may still be ending
            assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"


@pytest.mark.asyncio
@pytest.mark.parametrize("tether", TETHERS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_the_whole_group_ends_the_server_first(
    tmp_path: Path, tether: Tether, number: signal.Signals
) -> None:
    async with other_server(tmp_path, tether) as (server, valkey, socket):
        os.killpg(server.pid, number)
        async with asyncio.timeout(10):
            assert await server.wait() == 0
        assert not alive(valkey)
        assert not Path(socket).parent.exists()
    log = (tmp_path / "valkey.log").read_text()
    assert "Received SIGINT" not in log
    assert log.count("Received SIGTERM") == 1


@pytest.mark.asyncio
async def test_a_second_server_on_the_directory_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    async with other_server(tmp_path) as (server, _, socket):
        with pytest.raises(DataDirectoryBusy, match=f"process {server.pid}. Stop that one") as refused:
            await EmbeddedValkey(tmp_path).start()
        assert refused.value.pid == server.pid
        assert await resp.health(socket) is resp.Health.READY


@contextmanager
def leftover(data_dir: Path) -> Generator[tuple["subprocess.Popen[bytes]", Path]]:
    """A Valkey on the directory that nobody looks after, and its socket."""
    data_dir.mkdir()
    lock = LockFile(data_dir / "valkey.lock")
    assert lock.take()
    socket = make_folder() / SOCKET_NAME
    with subprocess.Popen(
        [find_binary(), *store_arguments(str(socket), data_dir)],
        stdout=subprocess.DEVNULL,
        pass_fds=(lock.fileno(),),
    ) as process:
        lock.note(str(socket), str(process.pid))
        lock.release()
        try:
            yield process, socket
        finally:
            process.kill()
            remove_folder(socket.parent)


@pytest.mark.asyncio
async def test_a_leftover_is_asked_to_end_and_its_data_is_taken_over(tmp_path: Path) -> None:
    with leftover(tmp_path / "data") as (process, socket):
        await eventually(socket.exists)
        await resp.ask(str(socket), "SET colour red")
        async with EmbeddedValkey(tmp_path / "data") as store:
            assert process.wait(10) == 0
            assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"


@pytest.mark.asyncio
async def test_a_leftover_that_does_not_end_is_named(tmp_path: Path) -> None:
    with leftover(tmp_path / "data") as (process, socket):
        await eventually(socket.exists)
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(LeftoverValkey, match=f"process {process.pid}, .* Stop it by hand"):
            await EmbeddedValkey(tmp_path / "data", patience=Patience(leftover=0.1)).start()
