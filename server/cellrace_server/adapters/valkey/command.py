"""What Valkey is told when it is started. All of it is on the command line: no file of ours to go stale."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

SOCKET_NAME = "valkey.sock"
FOLDER_PREFIX = "cellrace-"
# The shortest limit of any system we run on (macOS: 104 bytes with the closing zero; Linux has 108).
SOCKET_PATH_MOST = 103

Tether = Literal["tie", "guard"]


def store_arguments(socket: str, data_dir: Path) -> list[str]:
    """Durable before answered, never evicting, reachable by this user only."""
    options = {
        "port": "0",
        "unixsocket": socket,
        "unixsocketperm": "700",
        "dir": str(data_dir),
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "auto-aof-rewrite-percentage": "100",
        "auto-aof-rewrite-min-size": "64mb",
        "aof-load-truncated": "yes",
        "save": "",
        "maxmemory": "0",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": "",
        "loglevel": "notice",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def default_tether() -> Tether:
    return "tie" if sys.platform == "linux" else "guard"


def tethered(command: Sequence[str], tether: Tether) -> list[str]:
    """`command`, to be run so that it ends with this process; see `launch`."""
    launcher = Path(__file__).with_name("launch.py")
    return [sys.executable, "-I", "-S", str(launcher), tether, str(os.getpid()), *command]


def make_folder() -> Path:
    """A new folder that only this user can enter, with a name short enough for a socket in it."""
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108  # mkdtemp makes a private one in it
        folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=base))
        if len(os.fsencode(folder / SOCKET_NAME)) <= SOCKET_PATH_MOST:
            return folder
        folder.rmdir()
    raise OSError("no folder for temporary files has a name short enough for a socket in it")


def remove_folder(folder: Path) -> None:
    """Remove a folder that `make_folder` made, here or in a process that is gone; anything else stays."""
    if folder.name.startswith(FOLDER_PREFIX):
        with contextlib.suppress(OSError):
            (folder / SOCKET_NAME).unlink(missing_ok=True)
            folder.rmdir()
