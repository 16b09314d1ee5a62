"""Who one is on each server, kept between runs: a file a server in the platform's data directory, for its owner's eyes
only."""

import errno
import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

import platformdirs

from cellrace_client.files import NoText, Unreadable, text_of
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


def token_in(path: Path) -> str:
    """The token that a file begins with. Raises `Unreadable`, also for what is no text."""
    try:
        return text_of(path).partition("\n")[0].strip()
    except NoText as error:
        raise Unreadable(errno.EILSEQ, "it holds no token", str(path)) from error


def keep_token(path: Path, token: str, about: str = "") -> None:
    """Keep a token in a file for its owner's eyes only, with a line about it. The file is the old one or the new one,
    never half written. Raises `OSError`."""
    new: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # for its owner alone
        os.close(descriptor)
        new = Path(name)
        new.write_text("".join(f"{line}\n" for line in (token, about) if line), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
    finally:
        if new is not None:
            new.unlink(missing_ok=True)


def _is_kept(path: Path, token: str) -> bool:
    """Whether a file holds this token already, for nobody else to see."""
    try:
        return token_in(path) == token and not path.stat().st_mode & 0o077
    except OSError:
        return False


class TokenFile:
    """Where a program keeps who it is between runs, if it was told a file; without one nothing is kept."""

    def __init__(self, name: str | None) -> None:
        self._path = Path(name) if name else None

    def token(self) -> str:
        """The token kept there; empty where there is none yet. Raises `Unreadable` for what holds none."""
        return token_in(self._path) if self._path is not None and self._path.exists() else ""

    def keep(self, token: str) -> None:
        """Keep it. Raises `OSError`."""
        if self._path is not None:
            keep_token(self._path, token)


class Identities:
    """Tokens by the server's address, a file each, for their owner's eyes only. With no folder nothing is kept. For
    `connect(url, keep=Identities.of("my-bot"))`."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @classmethod
    def of(cls, program: str = "") -> Self:
        """Those of a program, by a name that can be a folder's, in the platform's data directory (or in the folder
        that the environment's `CELLRACER_HOME` names); without a name those of who plays at the terminal here.
        Nothing is made before there is something to keep. Raises `ValueError` for a name that is no folder's."""
        if program in (".", "..") or Path(program).name != program:
            raise ValueError(f"{program} names no folder")
        return cls(default_folder() / program if program else default_folder())

    def token(self, url: str) -> str:
        """The token for a server; empty where there is none, or where it cannot be read."""
        if self._folder is None:
            return ""
        with suppress(OSError):
            return token_in(self._file(self._folder, url))
        return ""

    def keep(self, url: str, token: str) -> None:
        """Keep the token for a server. No file is ever half written. Raises `OSError` where there
        is no place to write."""
        if self._folder is None:
            return
        file = self._file(self._folder, url)
        if not _is_kept(file, token):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            keep_token(file, token, url)

    def forget(self, url: str) -> None:
        """Keep nothing for a server any more. Raises `OSError`."""
        if self._folder is not None:
            self._file(self._folder, url).unlink(missing_ok=True)

    def _file(self, folder: Path, url: str) -> Path:
        return folder / hashlib.sha256(url.encode()).hexdigest()[:24]
