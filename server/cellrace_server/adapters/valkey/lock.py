"""A lock that ends with the processes that hold it, whatever kills them."""

import os
from pathlib import Path


class LockFile:
    """An advisory lock on a file, with a note in it for whoever finds it taken.

    The lock belongs to the open file: a child that is given `fileno()` holds it too, until both are gone.
    The file itself stays: removing it could let two processes hold two locks of one name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def take(self) -> bool:
        """Take the lock if nobody has it; never waits."""
        import fcntl  # noqa: PLC0415  # not there on Windows, where this is never called

        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        return True

    def fileno(self) -> int:
        """The open file that carries the lock. Raises `ValueError` when it is not taken."""
        if self._fd is None:
            raise ValueError(f"{self.path} is not locked")
        return self._fd

    def note(self, *lines: str) -> None:
        """Replace the note. The lock must be taken."""
        os.ftruncate(self.fileno(), 0)
        os.pwrite(self.fileno(), "\n".join(lines).encode(), 0)

    def noted(self) -> list[str]:
        """The lines of the last note, by whomever; none if there is none. Needs no lock."""
        try:
            return self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []

    def release(self) -> None:
        """Give up our share of the lock. Harmless when repeated."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
