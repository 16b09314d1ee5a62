"""As much of the Redis protocol as a supervisor needs: one inline command, one answer, one connection."""

import asyncio
import enum
import re

ANSWER_WITHIN = 1.0


class Health(enum.Enum):
    """What a PING found."""

    READY = enum.auto()
    LOADING = enum.auto()
    SILENT = enum.auto()


async def ask(socket: str, command: str) -> bytes:
    """The first bytes of the answer to an inline command, at most 64 KiB; empty if it hung up instead.

    Raises `OSError` when nobody listens, `TimeoutError` after a second without an answer.
    """
    async with asyncio.timeout(ANSWER_WITHIN):
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            writer.write(command.encode() + b"\r\n")
            return await reader.read(65536)
        finally:
            writer.close()


async def health(socket: str) -> Health:
    """How the store on a socket is doing, as far as it says."""
    try:
        answer = await ask(socket, "PING")
    except (OSError, TimeoutError):
        return Health.SILENT
    if answer.startswith(b"+PONG"):
        return Health.READY
    return Health.LOADING if answer.startswith(b"-LOADING") else Health.SILENT


async def process_id(socket: str) -> int | None:
    """The process id of the server that listens, by its own account."""
    try:
        found = re.search(rb"process_id:(\d+)", await ask(socket, "INFO server"))
    except (OSError, TimeoutError):
        return None
    return int(found[1]) if found else None


async def shut_down(socket: str) -> None:
    """Ask the server that listens to end, if one does. Returns before it has."""
    try:
        await ask(socket, "SHUTDOWN")
    except (OSError, TimeoutError):
        return
