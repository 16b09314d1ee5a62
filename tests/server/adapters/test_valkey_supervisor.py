"""The embedded Valkey while its server lives."""

import asyncio
import logging
import os
import signal
from pathlib import Path

import pytest
import uvloop

from cellrace_server.adapters.valkey import (
    DataDirectoryBusy,
    DataDirectoryUnusable,
    EmbeddedValkey,
    ValkeyFailed,
    resp,
)
from cellrace_server.adapters.valkey.command import Tether
from cellrace_server.adapters.valkey.folder import FOLDER_PREFIX, SOCKET_NAME, make_folder, remove_folder
from cellrace_server.adapters.valkey.supervisor import Patience
from tests.support.processes import alive
from tests.support.waiting import eventually

IMPATIENT = Patience(start=5, stop=0.2, leftover=0.2, first_retry=0.01, last_retry=0.05)
TETHERS: tuple[Tether, ...] = ("tie", "guard")


async def option(store: EmbeddedValkey, name: str) -> str:
    return (await resp.ask(store.socket, f"CONFIG GET {name}")).decode().split("\r\n")[-2]


def log_increment(data_dir: Path) -> Path:
    (path,) = (data_dir / "appendonlydir").glob("*.incr.aof")
    return path


@pytest.mark.asyncio
async def test_serves_this_user_only_and_durably(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as store:
        assert store.url == f"unix://{store.socket}"
        assert Path(store.socket).parent.stat().st_mode & 0o777 == 0o700
        settings = {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "no-appendfsync-on-rewrite": "no",
            "save": "",
            "maxmemory-policy": "noeviction",
            "aof-load-truncated": "yes",
        }
        assert {name: await option(store, name) for name in settings} == settings
        folder = Path(store.socket).parent
    assert not folder.exists()


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["with spaces", 'it\'s "quoted"', "back\\slash ü", "--port 6379"])
async def test_keeps_its_data_in_a_directory_of_any_name(tmp_path: Path, name: str) -> None:
    async with EmbeddedValkey(tmp_path / name / "data") as store:
        await resp.ask(store.socket, "SET colour red")
    async with EmbeddedValkey(tmp_path / name / "data") as store:
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"
    assert sorted(path.name for path in (tmp_path / name / "data").iterdir()) == [
        "appendonlydir",
        "server.lock",
        "valkey.lock",
        "valkey.log",
    ]


@pytest.mark.asyncio
@pytest.mark.parametrize("tether", TETHERS)
async def test_comes_back_on_the_same_socket_when_killed(
    tmp_path: Path, tether: Tether, caplog: pytest.LogCaptureFixture
) -> None:
    async with EmbeddedValkey(tmp_path, tether=tether, patience=IMPATIENT) as store:
        url, pid = store.url, store.pid
        assert pid is not None
        await resp.ask(store.socket, "SET colour red")
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(10):
            await store.came_back()
        assert (store.restarts, store.url) == (1, url)
        assert store.pid not in (pid, None)
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"
    assert "the embedded Valkey ended" in caplog.text


@pytest.mark.asyncio
async def test_tries_until_it_comes_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with EmbeddedValkey(tmp_path, patience=IMPATIENT) as store:
        await resp.ask(store.socket, "SET colour red")
        increment = log_increment(tmp_path)
        good = increment.read_bytes()
        increment.write_bytes(b"rubbish\r\n" + good)
        assert store.pid is not None
        os.kill(store.pid, signal.SIGKILL)
        await eventually(lambda: caplog.text.count("does not come back") >= 3)
        assert "Bad file format" in caplog.text
        increment.write_bytes(good)
        async with asyncio.timeout(10):
            await store.came_back()
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"


@pytest.mark.asyncio
async def test_a_log_cut_short_is_loaded(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as store:
        await resp.ask(store.socket, "SET colour red")
        await resp.ask(store.socket, "SET colour blue")
    increment = log_increment(tmp_path)
    increment.write_bytes(increment.read_bytes()[:-4])
    async with EmbeddedValkey(tmp_path) as store:
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"


@pytest.mark.asyncio
async def test_a_log_that_cannot_be_loaded_is_reported_with_what_valkey_said(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as store:
        await resp.ask(store.socket, "SET colour red")
    increment = log_increment(tmp_path)
    good = increment.read_bytes()
    increment.write_bytes(b"rubbish\r\n" + good)
    with pytest.raises(ValkeyFailed, match=r"could not start \(exit status 1\)") as failure:
        await EmbeddedValkey(tmp_path).start()
    assert "Bad file format reading the append only file" in str(failure.value)
    increment.write_bytes(good)
    async with EmbeddedValkey(tmp_path) as store:  # nothing was left locked
        assert await resp.ask(store.socket, "GET colour") == b"$3\r\nred\r\n"


@pytest.mark.asyncio
async def test_a_binary_that_is_not_valkey_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ValkeyFailed, match="could not start"):
        await EmbeddedValkey(tmp_path, binary=Path("/bin/false")).start()


@pytest.mark.asyncio
async def test_an_answer_that_does_not_come_is_reported(tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\necho asleep\nexec tail -f /dev/null\n")
    sleeper.chmod(0o700)
    patience = IMPATIENT._replace(start=1.5)
    with pytest.raises(ValkeyFailed, match=r"did not answer within 1\.5 s[\s\S]*asleep"):
        await EmbeddedValkey(tmp_path / "data", binary=sleeper, patience=patience).start()


@pytest.mark.asyncio
@pytest.mark.parametrize("tether", TETHERS)
async def test_one_that_does_not_end_is_killed(tmp_path: Path, tether: Tether) -> None:
    async with EmbeddedValkey(tmp_path, tether=tether, patience=IMPATIENT) as store:
        pid = store.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
    await eventually(lambda: not alive(pid))


@pytest.mark.asyncio
async def test_a_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "valkey.log").touch()
    starting = asyncio.create_task(EmbeddedValkey(tmp_path).start())
    await eventually(lambda: b"Valkey" in (tmp_path / "valkey.log").read_bytes() or starting.done())
    starting.cancel()
    await asyncio.wait([starting])
    if not starting.cancelled():  # it was faster than we looked
        pytest.fail("the start was not to be cancelled")
    async with EmbeddedValkey(tmp_path, patience=Patience(leftover=0)):
        pass


@pytest.mark.asyncio
async def test_a_directory_in_use_is_refused_in_the_same_process_too(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as store:
        with pytest.raises(DataDirectoryBusy, match=f"in use by another server, process {os.getpid()}"):
            await EmbeddedValkey(tmp_path).start()
        assert await resp.health(store.socket) is resp.Health.READY


@pytest.mark.asyncio
async def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataDirectoryUnusable, match="cannot be used: Not a directory"):
        await EmbeddedValkey(tmp_path / "file" / "data").start()


@pytest.mark.asyncio
async def test_a_long_name_of_the_temporary_folder_is_avoided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 80)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    async with EmbeddedValkey(tmp_path) as store:
        assert store.socket.startswith("/tmp/cellrace-store-")  # noqa: S108
    assert list(long.iterdir()) == []


def test_folders_left_by_killed_servers_are_swept_up(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = tmp_path_factory.mktemp("t")  # a short name: there is a socket in it
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    stale, used, fresh = (tmp_path / f"{FOLDER_PREFIX}{name}" for name in ("stale", "used", "fresh"))
    other = tmp_path / "other"
    for folder in (stale, used, fresh, other):
        folder.mkdir()
    (used / SOCKET_NAME).touch()
    for folder in (stale, used, other):
        os.utime(folder, (0, 0))
    made = make_folder()
    assert sorted(tmp_path.iterdir()) == sorted([used, fresh, other, made])


@pytest.mark.asyncio
async def test_comes_back_though_its_folder_was_tidied_away(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path, patience=IMPATIENT) as store:
        socket = Path(store.socket)
        remove_folder(socket.parent)
        assert store.pid is not None
        os.kill(store.pid, signal.SIGKILL)
        async with asyncio.timeout(10):
            await store.came_back()
        assert socket.parent.stat().st_mode & 0o777 == 0o700
    assert not socket.parent.exists()


@pytest.mark.asyncio
async def test_the_log_is_turned_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cellrace_server.adapters.valkey.process.LOG_MOST", 10)
    for _ in range(2):
        async with EmbeddedValkey(tmp_path):
            pass
    assert (tmp_path / "valkey.log.1").exists()


def test_works_on_uvloop(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def crash_once() -> None:
        async with EmbeddedValkey(tmp_path, patience=IMPATIENT) as store:
            assert store.pid is not None
            os.kill(store.pid, signal.SIGKILL)
            async with asyncio.timeout(10):
                await store.came_back()

    caplog.set_level(logging.CRITICAL)
    uvloop.run(crash_once())
