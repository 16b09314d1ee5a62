"""What every command that talks to a server shares: running it, and saying what went wrong."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

from cellrace_client.arrival import arrive
from cellrace_client.cli import (
    EXIT_CANNOT_CREATE,
    EXIT_DATA,
    EXIT_NO_INPUT,
    EXIT_TRY_AGAIN,
    EXIT_UNAVAILABLE,
    EXIT_USAGE,
)
from cellrace_client.client import Client, connect
from cellrace_client.errors import (
    CannotConnect,
    CellraceError,
    Disconnected,
    OptionOutOfRange,
    OptionsClash,
    RequestFailed,
)
from cellrace_client.faults import explained, noticed
from cellrace_client.files import NoText, Unreadable
from cellrace_client.identities import Identities, default_folder, token_in
from cellrace_client.languages import Catalogue, chosen
from cellrace_engine import DealError, EngineError, RulesError
from cellrace_protocol import events as e

Failure = CellraceError | EngineError | OSError
"""What may go wrong with a command, by nobody's mistake in this program."""


def run_online(command: Coroutine[None, None, int], words: Catalogue | None = None) -> int:
    """Run a command to its end; a failure becomes one line on standard error, in `words`, else in the user's language,
    and an exit status."""
    try:
        return asyncio.run(command)
    except BrokenPipeError:
        raise  # whoever reads has seen enough: nobody is told
    except (CellraceError, EngineError, OSError) as error:
        return failed(error, words)


def failed(error: Failure, words: Catalogue | None = None) -> int:
    """Say what went wrong on standard error; returns the exit status."""
    print(f"cellrace: {explained(words or Catalogue(chosen()), error)}", file=sys.stderr)
    status = status_of(error)
    if isinstance(error, CannotConnect) and status == EXIT_UNAVAILABLE:
        print(
            "Is it running (make run)? Addresses look like ws://127.0.0.1:8617/ws (--url).", file=sys.stderr
        )
    return status


def status_of(error: BaseException) -> int:
    """The exit status of a command that has failed of this, as in sysexits.h."""
    match error:
        case Disconnected(__cause__=RequestFailed() as cause):
            return status_of(cause)
        case CannotConnect(retry_after_s=again) | RequestFailed(retry_after=again) if again:
            return EXIT_TRY_AGAIN
        case CannotConnect() | Disconnected():
            return EXIT_UNAVAILABLE
        case DealError() | RulesError() | OptionOutOfRange() | OptionsClash():
            return EXIT_USAGE
        case Unreadable() if not isinstance(error, NoText):
            return EXIT_NO_INPUT
        case OSError() if not isinstance(error, NoText):
            return EXIT_CANNOT_CREATE
        case _:
            return EXIT_DATA


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
    """Show what the server has to say to everybody or to this connection, in the user's language."""
    print(f"cellrace: {noticed(Catalogue(chosen()), notice)}", file=sys.stderr, flush=True)
