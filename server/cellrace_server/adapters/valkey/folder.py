"""The folder the socket is in: temporary, private, with a short name."""

import contextlib
import os
import tempfile
import time
from pathlib import Path

SOCKET_NAME = "valkey.sock"
FOLDER_PREFIX = "cellrace-store-"
# The shortest limit of any system we run on (macOS: 104 bytes with the closing zero; Linux has 108).
SOCKET_PATH_MOST = 103
STALE_S = 3_600


def make_folder() -> Path:
    """A new folder that only this user can enter, with a name short enough for a socket in it. Empty ones that
    servers left behind when they were killed are removed on the way."""
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108  # mkdtemp makes a private one in it
        folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=base))
        if len(os.fsencode(folder / SOCKET_NAME)) <= SOCKET_PATH_MOST:
            _sweep(folder.parent)
            return folder
        folder.rmdir()
    raise OSError("no folder for temporary files has a name short enough for a socket in it")


def remake_folder(folder: Path) -> None:
    """Make it again if something has tidied it away. Raises `OSError` if somebody else has made it since."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")


def remove_folder(folder: Path) -> None:
    """Remove a folder that `make_folder` made, here or in a process that is gone; anything else stays."""
    if folder.name.startswith(FOLDER_PREFIX):
        with contextlib.suppress(OSError):
            (folder / SOCKET_NAME).unlink(missing_ok=True)
            folder.rmdir()


def _sweep(base: Path) -> None:
    """Remove what is ours, empty and has been so for an hour. One that is in use has a socket in it, but for the
    moments of a restart, and is made again then if need be."""
    for folder in base.glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):
            about = folder.lstat()
            if about.st_uid == os.getuid() and about.st_mtime < time.time() - STALE_S:
                folder.rmdir()
