"""Where the admin socket is: in the data directory, for its owner only."""

import contextlib
import errno
import os
import socket
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

PATH_MOST = 103
"""Bytes of the path of a socket on any system we run on (macOS: 104 with the closing zero; Linux has 108)."""

DIAL_S = 2.0
OPEN_FOLDERS = Path("/proc/self/fd")


class SocketUnusable(Exception):
    """Why there can be no socket at `path`, or nobody answers there, in words for the host."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"admin socket {path}: {why}")
        self.path = path
        self.why = why


class SocketTaken(SocketUnusable):
    """A server listens there."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, "another server listens there: give this one another (--admin-socket), or none ('')"
        )


class NobodyThere(SocketUnusable):
    """No server listens there."""


class NotAllowed(SocketUnusable):
    """The socket is another user's."""


@contextmanager
def _short(path: Path) -> Generator[str]:
    """A name for the socket that the system takes. Raises `SocketUnusable` where it takes none."""
    name = os.fspath(path)
    if len(os.fsencode(name)) <= PATH_MOST:
        yield name
        return
    if not OPEN_FOLDERS.is_dir():
        why = f"its path has {len(os.fsencode(name))} bytes, {PATH_MOST} are the most: set a shorter one"
        raise SocketUnusable(path, f"{why} (--admin-socket)")
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"{OPEN_FOLDERS}/{folder}/{path.name}"
    finally:
        os.close(folder)


def dial(path: Path, timeout: float = DIAL_S) -> socket.socket:
    """A connection to the server there. Raises `NobodyThere`, `NotAllowed`, `SocketUnusable`."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    try:
        with _short(path) as name:
            connection.connect(name)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
        connection.close()
        raise NobodyThere(path, "no server listens there") from error
    except PermissionError as error:
        connection.close()
        raise NotAllowed(path, "it is another user's: only who runs the server may use it") from error
    except OSError as error:
        connection.close()
        raise SocketUnusable(path, error.strerror or str(error)) from error
    return connection


def alive(path: Path) -> bool:
    """Whether a server listens there, also another user's."""
    try:
        dial(path).close()
    except NobodyThere:
        return False
    except SocketUnusable:
        return True
    return True


class Place:
    """A listening socket at `path`, with mode 0600. What a dead server left there is replaced.

    Raises `SocketTaken`, `SocketUnusable`. `leave` takes it away again, unless somebody else is there by then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._bind()
            self.socket.listen()
            self._inode = path.stat().st_ino
        except OSError as error:
            self.socket.close()
            raise SocketUnusable(path, error.strerror or str(error)) from error
        except SocketUnusable:
            self.socket.close()
            raise

    def leave(self) -> None:
        self.socket.close()
        with contextlib.suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()

    def _bind(self) -> None:
        try:
            self._bind_once()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            if not stat.S_ISSOCK(self.path.lstat().st_mode):
                raise SocketUnusable(self.path, "something else is there that is no socket") from error
            if alive(self.path):
                raise SocketTaken(self.path) from None
            self.path.unlink(missing_ok=True)
            self._bind_once()

    def _bind_once(self) -> None:
        with _short(self.path) as name:
            before = os.umask(0o177)
            try:
                self.socket.bind(name)
            finally:
                os.umask(before)


def own(path: Path) -> Path:
    """The socket of this process beside `path`, for one of several servers that share a data directory; those that
    dead ones left there are removed."""
    for other in siblings(path):
        if not alive(other):
            other.unlink(missing_ok=True)
    return path.with_stem(f"{path.stem}-{os.getpid()}")


def siblings(path: Path) -> list[Path]:
    """The sockets beside `path` that `own` has named."""
    return sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))
