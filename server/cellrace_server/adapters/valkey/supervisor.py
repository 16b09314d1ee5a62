"""Keeps a Valkey of our own running on a data directory."""

import asyncio
import logging
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import quote

from cellrace_server.adapters.valkey.binary import find_binary
from cellrace_server.adapters.valkey.command import Tether, default_tether, store_arguments
from cellrace_server.adapters.valkey.directory import DataDirectory
from cellrace_server.adapters.valkey.errors import ValkeyFailed
from cellrace_server.adapters.valkey.folder import SOCKET_NAME, make_folder, remake_folder, remove_folder
from cellrace_server.adapters.valkey.process import ValkeyProcess, how_it_ended

logger = logging.getLogger(__name__)


class Patience(NamedTuple):
    """How long to wait for what, in seconds."""

    start: float = 15.0  # without a sign of life; loading is one
    stop: float = 3.0  # then it is killed, which loses nothing that was acknowledged
    leftover: float = 5.0
    first_retry: float = 0.05
    last_retry: float = 5.0


PATIENCE = Patience()


class EmbeddedValkey:
    """A Valkey on a unix socket, durable in `data_dir`, that ends with this process however that ends.

    `async with EmbeddedValkey(data_dir) as store:` starts it, and again whenever it ends by itself, on the
    same socket.
    To be entered in a thread that lives as long as the store is needed, the one its event loop runs in.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        binary: Path | None = None,
        patience: Patience = PATIENCE,
        tether: Tether | None = None,
    ) -> None:
        self._directory = DataDirectory(data_dir)
        self._binary = binary
        self._patience = patience
        self._tether: Tether = tether or default_tether()
        self._folder: Path | None = None
        self._process: ValkeyProcess | None = None
        self._watch: asyncio.Task[None] | None = None
        self._serving = asyncio.Condition()
        self.pid: int | None = None
        """Valkey's process id; `None` while it is away."""
        self.restarts = 0
        """How often it has come back after it had ended by itself."""

    @property
    def socket(self) -> str:
        """The path of its socket. Raises `ValueError` when it has not been started."""
        if self._folder is None:
            raise ValueError("the store is not running")
        return str(self._folder / SOCKET_NAME)

    @property
    def url(self) -> str:
        """Where to reach it. The same after every restart."""
        return f"unix://{quote(self.socket)}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def start(self) -> None:
        """Return once it serves what the data directory holds.

        Raises `ValkeyMissing`, `DataDirectoryUnusable`, `DataDirectoryBusy`, `LeftoverValkey`, `ValkeyFailed`.
        Failed or cancelled: nothing is left behind.
        """
        binary = self._binary or find_binary()
        try:
            await self._directory.take(self._patience.leftover)
            self._folder = make_folder()
            self._command = [str(binary), *store_arguments(self.socket, self._directory.path)]
            await self._run()
        except BaseException:
            await self.aclose()
            raise
        self._watch = asyncio.create_task(self._keep_running(), name="embedded valkey")

    async def aclose(self) -> None:
        """Stop it and remove what was temporary. Harmless when repeated. Cancelled: killed, the rest done."""
        try:
            if self._watch is not None:
                self._watch.cancel()
                await asyncio.wait([self._watch])
        finally:
            await self._stop_valkey()

    async def _stop_valkey(self) -> None:
        try:
            if self._process is not None:
                await self._process.stop(self._patience.stop)
        finally:
            self.pid = self._watch = self._process = None
            if self._folder is not None:
                remove_folder(self._folder)
            self._directory.release()

    async def came_back(self, restarts: int = 1) -> None:
        """Wait until it has come back that often and serves. Cancelled: nothing changes."""
        async with self._serving:
            await self._serving.wait_for(lambda: self.restarts >= restarts and self.pid is not None)

    async def _run(self) -> None:
        """Start Valkey once and wait until it serves. Raises `ValkeyFailed`, with nothing left running."""
        self._directory.note(self.socket, None)
        self._process = process = await ValkeyProcess.start(
            self._command, self._tether, self._directory.path, self._directory.store_lock
        )
        self._directory.note(self.socket, process.pid)
        try:
            self.pid = await process.ready(self.socket, self._patience.start)
        except BaseException:
            await process.stop(0)
            raise
        self._directory.note(self.socket, self.pid)

    async def _keep_running(self) -> None:
        while self._process is not None:
            status = await self._process.ended()
            self.pid = None
            logger.error(
                "the embedded Valkey ended (%s) and is started again; its log ends with:\n%s",
                how_it_ended(status),
                self._process.log_tail(),
            )
            await self._run_again()

    async def _run_again(self) -> None:
        delay = self._patience.first_retry
        while True:
            await asyncio.sleep(delay)
            try:
                remake_folder(Path(self.socket).parent)
                await self._run()
                break
            except (ValkeyFailed, OSError) as error:
                logger.error("the embedded Valkey does not come back: %s", error)  # noqa: TRY400  # the text says all
            delay = min(2 * delay, self._patience.last_retry)
        async with self._serving:
            self.restarts += 1
            self._serving.notify_all()
        logger.warning("the embedded Valkey serves again after restart %d", self.restarts)
