"""What every command that talks to a server shares: running it, and saying what went wrong."""

import asyncio
import sys
from collections.abc import Coroutine

from cellrace_client.cli import EXIT_DATA, EXIT_UNAVAILABLE
from cellrace_client.errors import CannotConnect, CellraceError


def run_online(command: Coroutine[None, None, int]) -> int:
    """Run a command to its end; a failure becomes one line on standard error and an exit status."""
    try:
        return asyncio.run(command)
    except CannotConnect as error:
        print(f"cellrace: {error}; is the server running? (make run, or --url)", file=sys.stderr)
        return EXIT_UNAVAILABLE
    except CellraceError as error:
        print(f"cellrace: {error}", file=sys.stderr)
        return EXIT_DATA


def clock(ms: int) -> str:
    """Race time for people: `1:07.312`."""
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes}:{rest // 1_000:02d}.{rest % 1_000:03d}"
