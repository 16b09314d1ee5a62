"""Texts that are read from files, and what is said where they cannot be."""

import errno
import sys
from pathlib import Path


class Unreadable(OSError):
    """What is to be read is not there, or cannot be read: of errors of files, the one that is about reading."""


class NoText(Unreadable):
    """What is to be read is no text."""


def text_of(path: Path) -> str:
    """What a file holds. Raises `Unreadable`."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise NoText(errno.EILSEQ, "it is no text", str(path)) from None
    except OSError as error:
        raise Unreadable(error.errno, error.strerror or str(error), str(path)) from error


def typed_in() -> str:
    """All of standard input. Raises `NoText`."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise NoText(errno.EILSEQ, "it is no text", "standard input") from None


def why(error: OSError) -> str:
    """What went wrong with which file, in a line."""
    return f"{error.filename}: {error.strerror}" if error.filename is not None else str(error)
