"""What Valkey is told when it is started. All of it is on the command line: no file of ours to go stale."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

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
