"""Who the house bots are: their tokens, kept in a file so that the same bots come back."""

import json
import logging
import os
from pathlib import Path
from typing import TextIO, cast

FILES_MOST = 64

logger = logging.getLogger("cellrace.house")


class Roster:
    """Tokens by number. The file is this process's alone while it lives: where another process has it, the next one
    (`house-bots-2.json`) is taken. Raises `OSError` for a folder that cannot be written."""

    def __init__(self, path: Path) -> None:
        self._file = _locked(path)
        self._tokens: dict[str, str] = {}
        try:
            found = cast("object", json.loads(self._file.read() or "{}"))
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            kept = cast("dict[str, object]", found)
            self._tokens = {number: token for number, token in kept.items() if isinstance(token, str)}
        else:
            logger.warning("%s holds no tokens of bots: they begin anew", self._file.name)

    def token(self, number: int) -> str:
        """The token of a bot; empty for one that has never been here."""
        return self._tokens.get(str(number), "")

    def keep(self, number: int, token: str) -> None:
        """Have the bot come back."""
        if self.token(number) == token:
            return
        self._tokens[str(number)] = token
        self._file.seek(0)
        self._file.truncate()
        json.dump(self._tokens, self._file)
        self._file.flush()

    def forget(self, number: int) -> None:
        """The bot's token is good for nothing any more: it comes as somebody new."""
        self.keep(number, "")

    def close(self) -> None:
        """Let another process have the file."""
        self._file.close()


def _locked(path: Path) -> TextIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    for number in range(1, FILES_MOST + 1):
        name = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        file = os.fdopen(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
        if _lock(file):
            return file
        file.close()
    raise OSError(f"{FILES_MOST} processes use {path.parent} already")


def _lock(file: TextIO) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - there is none on Windows, where one process has to be enough
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
