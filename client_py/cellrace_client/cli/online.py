"""What every command that talks to a server shares: running it, and saying what went wrong."""

import asyncio
import sys
from collections.abc import Coroutine

from cellrace_client.cli import EXIT_CANNOT_CREATE, EXIT_DATA, EXIT_UNAVAILABLE
from cellrace_client.errors import CannotConnect, CellraceError
from cellrace_protocol import events as e


def run_online(command: Coroutine[None, None, int]) -> int:
    """Run a command to its end; a failure becomes one line on standard error and an exit status."""
    try:
        return asyncio.run(command)
    except CannotConnect as error:
        print(f"cellrace: {error}", file=sys.stderr)
        print(
            "Is it running (make run)? Addresses look like ws://127.0.0.1:8617/ws (--url).", file=sys.stderr
        )
        return EXIT_UNAVAILABLE
    except OSError as error:
        print(f"cellrace: {error.filename}: {error.strerror}", file=sys.stderr)
        return EXIT_CANNOT_CREATE
    except CellraceError as error:
        print(f"cellrace: {error}", file=sys.stderr)
        return EXIT_DATA


def say(notice: e.Notice) -> None:
    """Show what the server has to say to everybody or to this connection."""
    print(f"cellrace: the server says: {notice.text}", file=sys.stderr, flush=True)


def counted(number: int, what: str) -> str:
    """So many of it."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def cards(number: int) -> str:
    return counted(number, "card")
