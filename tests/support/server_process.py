"""The real server as a process of its own: started, asked over HTTP, killed."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Self

from cellrace_server.core.dailies import DAILY_RULES
from tests.support.plain_http import Answer, fetch
from tests.support.processes import alive
from tests.support.waiting import eventually, eventually_answers

START_S = 30
STOP_S = 10


class ServerProcess:
    """`async with server_process(folder) as server`: `url` is where clients connect; `log` all it said on stderr."""

    def __init__(self, process: asyncio.subprocess.Process, data_dir: Path, log: Path, url: str) -> None:
        self.process = process
        self.data_dir = data_dir
        self.url = url
        self._log = log
        self.port = int(url.rsplit(":", 1)[1].split("/", maxsplit=1)[0])

    @classmethod
    async def start(cls, data_dir: Path, port: int = 0, *arguments: str, development: bool = False) -> Self:
        """Start a server and wait until it says where it listens. Python's development mode looks for more faults, and
        takes more time and memory."""
        log = _log_in(data_dir)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CELLRACE_", "REDIS_"))}
        with log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *(("-X", "dev") if development else ()), "-m", "cellrace_server"),
                *("--port", str(port), "--data-dir", str(data_dir), *arguments),
                stdout=asyncio.subprocess.PIPE,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        assert process.stdout is not None
        async with asyncio.timeout(START_S):
            line = (await process.stdout.readline()).decode()
            await process.stdout.readline()
        url = next((word.rstrip(")") for word in line.split() if word.startswith("ws://")), None)
        assert url is not None, f"the server did not start: {log.read_text()}"
        return cls(process, data_dir, log, url)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def rss(self) -> int:
        """Resident memory in bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def valkeys(self) -> list[int]:
        """The process ids of this server's embedded stores."""
        return valkeys_in(self.data_dir)

    async def stop(self, number: signal.Signals = signal.SIGTERM, within: float = STOP_S) -> int:
        """Send a signal and wait for the end; returns the exit status."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        async with asyncio.timeout(within):
            return await self.process.wait()

    async def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """One plain HTTP request. Raises `OSError` when nobody listens."""
        return await fetch(self.port, path, method, **headers)

    async def gauge(self, name: str) -> float:
        """A number from `/metrics`."""
        text = (await self.get("/metrics")).body
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))

    async def dailies_chosen(self) -> None:
        """Wait until all deals of today and tomorrow are chosen: they are solved beside the rest, which may take long
        where the machine is busy."""

        async def chosen() -> bool:
            answer = await self.get("/api/v1/dailies")
            return answer.status == HTTPStatus.OK and len(json.loads(answer.body)["tomorrow"]) == len(
                DAILY_RULES
            )

        await eventually_answers(chosen, START_S, every=0.1)

    async def name(self) -> str:
        """What it says it is."""
        return str(json.loads((await self.get("/version")).body)["name"])


def _log_in(data_dir: Path) -> Path:
    data_dir.mkdir(parents=True, exist_ok=True)
    return data_dir / "server.log"


def valkeys_in(data_dir: Path) -> list[int]:
    """The stores that run on a data directory: they live in it, or name it where they are being started."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            at_home = (entry / "cwd").readlink() == data_dir.resolve()
        except OSError:
            continue
        if b"valkey-server" in words[0] and (at_home or os.fsencode(data_dir) in words):
            found.append(int(entry.name))
    return [pid for pid in found if alive(pid)]


@asynccontextmanager
async def server_process(
    data_dir: Path, *arguments: str, port: int = 0, development: bool = False
) -> AsyncGenerator[ServerProcess]:
    """A running server, gone at the end together with its store."""
    server = await ServerProcess.start(data_dir, port, *arguments, development=development)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            server.process.kill()
        await server.process.wait()
        await eventually(lambda: not valkeys_in(data_dir))


def free_port() -> int:
    """A port that was free a moment ago, for a server that comes back on the same one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
