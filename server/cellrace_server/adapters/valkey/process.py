"""One run of Valkey, from its start to its end."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from cellrace_server.adapters.valkey import resp
from cellrace_server.adapters.valkey.command import Tether, tethered
from cellrace_server.adapters.valkey.errors import ValkeyFailed

LOG_NAME = "valkey.log"
LOG_MOST = 4 << 20
LOG_TAIL = 2048
ASK_AGAIN = 0.02


class ValkeyProcess:
    """A running Valkey, in a session of its own: signals from a terminal do not reach it.

    It is tied to the thread that started it (see `launch`).
    """

    def __init__(self, process: asyncio.subprocess.Process, log_file: Path, log_start: int) -> None:
        self._process = process
        self._log_start = log_start
        self._exit = asyncio.ensure_future(process.wait())
        self.log_file = log_file

    @classmethod
    async def start(cls, command: Sequence[str], tether: Tether, data_dir: Path, lock: int) -> Self:
        """Start it, with `lock` (an open file) held by it as well. Does not wait until it answers."""
        log_file = data_dir / LOG_NAME
        _turn_over(log_file)
        log = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        log_start = os.fstat(log).st_size
        try:
            process = await asyncio.create_subprocess_exec(
                *tethered(command, tether),
                stdin=asyncio.subprocess.PIPE if tether == "guard" else asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,
            )
        finally:
            os.close(log)
        return cls(process, log_file, log_start)

    @property
    def pid(self) -> int:
        """Of the process we started: Valkey, or the guard around it."""
        return self._process.pid

    async def ready(self, socket: str, within: float) -> int:
        """Wait until it serves; its process id. At most `within` seconds pass without a sign of life.

        Raises `ValkeyFailed`. Cancelled: it runs on.
        """
        clock = asyncio.get_running_loop().time
        last_sign = clock()
        while not self._exit.done():
            state = await resp.health(socket)
            if state is resp.Health.READY and (pid := await resp.process_id(socket)) is not None:
                return pid
            if state is resp.Health.LOADING:
                last_sign = clock()
            if clock() - last_sign > within:
                raise self._failed(f"did not answer within {within:g} s")
            await asyncio.wait([self._exit], timeout=ASK_AGAIN)
        raise self._failed(f"could not start ({how_it_ended(self._exit.result())})")

    async def ended(self) -> int:
        """Wait for its end; its exit status, negative for a signal. Cancelled: nothing changes."""
        return await asyncio.shield(self._exit)

    async def stop(self, within: float) -> None:
        """Ask it to end, and after `within` seconds make it. Cancelled: made to at once, and waited for."""
        try:
            self._signal(signal.SIGTERM)
            await asyncio.wait([self._exit], timeout=within)
        finally:
            if not self._exit.done():
                self._signal(signal.SIGKILL)
                await asyncio.wait([self._exit])
            if self._process.stdin is not None:
                self._process.stdin.close()

    def log_tail(self) -> str:
        """The end of what this run has written to the log; empty if that cannot be read."""
        with contextlib.suppress(OSError), self.log_file.open("rb") as log:
            log.seek(max(self._log_start, self.log_file.stat().st_size - LOG_TAIL))
            return log.read().decode(errors="replace")
        return ""

    def _signal(self, number: signal.Signals) -> None:
        """To the whole group: a guard, and a child of Valkey that rewrites the log."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def _failed(self, why: str) -> ValkeyFailed:
        return ValkeyFailed(why, self.log_file, self.log_tail())


def how_it_ended(status: int) -> str:
    return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def _turn_over(log_file: Path) -> None:
    """Keep one older log, so that they cannot grow without end."""
    with contextlib.suppress(FileNotFoundError):
        if log_file.stat().st_size > LOG_MOST:
            log_file.replace(log_file.with_suffix(".log.1"))
