"""What every command that talks to a server shares: running it, and saying what went wrong."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

from cellrace_client.arrival import arrive
from cellrace_client.cli import EXIT_CANNOT_CREATE, EXIT_DATA, EXIT_NO_INPUT, EXIT_UNAVAILABLE
from cellrace_client.client import Client, connect
from cellrace_client.errors import CannotConnect, CellraceError
from cellrace_client.files import NoText, Unreadable, why
from cellrace_client.identities import Identities, default_folder, token_in
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
    except BrokenPipeError:
        raise  # whoever reads has seen enough: nobody is told
    except OSError as error:
        return failed(error)
    except CellraceError as error:
        print(f"cellrace: {error}", file=sys.stderr)
        return EXIT_DATA


def failed(error: OSError) -> int:
    """Say what is wrong with a file; returns the exit status."""
    print(f"cellrace: {why(error)}", file=sys.stderr)
    if isinstance(error, NoText):
        return EXIT_DATA
    return EXIT_NO_INPUT if isinstance(error, Unreadable) else EXIT_CANNOT_CREATE


def is_known(url: str, token_file: str | None) -> bool:
    """Whether there is an identity that `as_oneself` would come with."""
    return bool(token_file or Identities(default_folder()).token(url))


@asynccontextmanager
async def as_oneself(url: str, token_file: str | None) -> AsyncGenerator[Client]:
    """Connect with the identity that is kept in a file, where one is named; else as whom one has played there, if one
    has. Raises what `connect` raises, and `OSError` for a file that cannot be read."""
    if token_file:
        coming = connect(url, token=token_in(Path(token_file)))
    else:
        coming = arrive(url, Identities(default_folder()), name="", on_notice=lambda _: None)
    async with coming as client:
        yield client


def say(notice: e.Notice) -> None:
    """Show what the server has to say to everybody or to this connection."""
    print(f"cellrace: the server says: {notice.text}", file=sys.stderr, flush=True)
