"""One server a data directory, and one Valkey."""

import asyncio
import os
from pathlib import Path

from cellrace_server.adapters.valkey import resp
from cellrace_server.adapters.valkey.errors import DataDirectoryBusy, DataDirectoryUnusable, LeftoverValkey
from cellrace_server.adapters.valkey.folder import SOCKET_NAME, remove_folder
from cellrace_server.adapters.valkey.lock import LockFile

TRY_AGAIN = 0.05


class DataDirectory:
    """Where the embedded store keeps its data, and who may use it.

    Two locks: `server.lock` is ours alone and ends with us; `valkey.lock` is shared with the Valkey we start
    and ends with the later of both, so a Valkey that outlived its server is found without trusting process
    ids.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self._server = LockFile(self.path / "server.lock")
        self._store = LockFile(self.path / "valkey.lock")

    @property
    def store_lock(self) -> int:
        """The open file that Valkey has to hold as well."""
        return self._store.fileno()

    async def take(self, patience: float) -> None:
        """Make the directory if need be and lock it. A Valkey that an earlier server left there is asked to
        end, and has `patience` seconds for it.

        Raises `DataDirectoryUnusable`, `DataDirectoryBusy`, `LeftoverValkey`. Call `release` whatever comes of it.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            alone = self._server.take()
        except OSError as error:
            raise DataDirectoryUnusable(self.path, error.strerror or str(error)) from error
        if not alone:
            raise DataDirectoryBusy(self.path, _number(self._server.noted(), 0))
        self._server.note(str(os.getpid()))
        if not self._store.take():
            await self._outlast(patience)
        self._remove_old_folder()

    def note(self, socket: str, pid: int | None) -> None:
        """Leave word for the next server: where our Valkey listens, and which process it is."""
        self._store.note(socket, "" if pid is None else str(pid))

    def release(self) -> None:
        """Harmless when repeated, and when nothing was taken."""
        self._store.release()
        self._server.release()

    async def _outlast(self, patience: float) -> None:
        clock = asyncio.get_running_loop().time
        deadline = clock() + patience
        noted = self._store.noted()
        if noted:
            await resp.shut_down(noted[0])
        while not self._store.take():
            if clock() >= deadline:
                raise LeftoverValkey(self.path, _number(noted, 1))
            await asyncio.sleep(TRY_AGAIN)

    def _remove_old_folder(self) -> None:
        noted = self._store.noted()
        if noted and (socket := Path(noted[0])).name == SOCKET_NAME:
            remove_folder(socket.parent)


def _number(lines: list[str], index: int) -> int | None:
    return int(lines[index]) if len(lines) > index and lines[index].isdecimal() else None
