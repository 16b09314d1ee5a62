"""Who the house bots are and where they race, kept in a file so that the same bots come back to the same races."""

import logging
import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

FILES_MOST = 64

logger = logging.getLogger("cellrace.house")


class Entry(NamedTuple):
    """A bot's token, and the race that it is in; either may be empty."""

    token: str = ""
    race: str = ""


NOBODY = Entry()


class Roster:
    """Entries by number. The file is this process's alone while it lives: where another process has it, the next one
    (`house-bots-2.json`) is taken. Raises `OSError` for a folder that cannot be written."""

    def __init__(self, path: Path) -> None:
        self._file, name = _locked(path)
        kept = self._file.read()
        self._size = len(kept)
        self._entries: dict[str, Entry] = {}
        try:
            self._entries = msgspec.json.decode(kept or b"{}", type=dict[str, Entry])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            logger.warning("%s holds no bots: they begin anew", name)

    def entry(self, number: int) -> Entry:
        """What is kept of a bot; `NOBODY` for one that has never been here."""
        return self._entries.get(str(number), NOBODY)

    def keep(self, number: int, token: str) -> None:
        """Have the bot come back."""
        self._put(number, self.entry(number)._replace(token=token))

    def send(self, number: int, race: str) -> None:
        """Have the bot come back there; with an empty name, nowhere."""
        self._put(number, self.entry(number)._replace(race=race))

    def forget(self, number: int) -> None:
        """The bot's token is good for nothing any more: it comes as somebody new."""
        self._put(number, NOBODY)

    def close(self) -> None:
        """Let another process have the file."""
        self._file.close()

    def _put(self, number: int, entry: Entry) -> None:
        """In one write, over all that was there: a process that is killed leaves the old file or the new one."""
        if self.entry(number) == entry:
            return
        self._entries[str(number)] = entry
        text = msgspec.json.encode(self._entries)
        self._file.seek(0)
        self._file.write(text.ljust(self._size))
        self._file.flush()
        self._size = max(self._size, len(text))


def _locked(path: Path) -> tuple[BinaryIO, Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    for number in range(1, FILES_MOST + 1):
        name = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        file = os.fdopen(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        if _lock(file):
            return file, name
        file.close()
    raise OSError(f"{FILES_MOST} processes use {path.parent} already")


def _lock(file: BinaryIO) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - there is none on Windows, where one process has to be enough
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
