"""Who one is on each server, kept between runs: a file a server in the platform's data directory, for its owner's eyes
only."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from cellrace_protocol.errors import ErrorCode

HOME = "CELLRACER_HOME"
"""The environment variable that names another directory. What begins with CELLRACE_ is a setting of the server."""

TOKEN_REFUSED = frozenset({ErrorCode.BAD_TOKEN, ErrorCode.BAD_FIELD, ErrorCode.REVOKED})
"""What a server says at the door to whoever brings a token that is good for nothing any more."""


def default_folder() -> Path:
    """Where identities are kept."""
    return (
        Path(os.environ.get(HOME) or platformdirs.user_data_dir("cellrace", appauthor=False)) / "identities"
    )


class Identities:
    """Tokens by the server's address. With no folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def token(self, url: str) -> str:
        """The token for a server; empty where there is none, or where it cannot be read."""
        if self._folder is None:
            return ""
        with suppress(OSError, UnicodeDecodeError):
            return self._file(self._folder, url).read_text(encoding="utf-8").split("\n")[0].strip()
        return ""

    def keep(self, url: str, token: str) -> None:
        """Keep the token for a server. No file is ever half written. Raises `OSError` where there
        is no place to write."""
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._file(self._folder, url)
        new = path.with_suffix(f".{os.getpid()}")
        new.touch(mode=0o600)
        new.write_text(f"{token}\n{url}\n", encoding="utf-8")
        new.replace(path)

    def _file(self, folder: Path, url: str) -> Path:
        return folder / hashlib.sha256(url.encode()).hexdigest()[:24]
