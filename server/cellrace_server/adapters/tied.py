"""Child processes that end with this one, however it ends: their standard input is a pipe that only this process holds
open, and they leave when it closes."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process


async def start_module(module: str, *arguments: str, stderr: int | None = None) -> Process:
    """Start `python -m module` with pipes for input and output.

    It has a session of its own, so that the terminal's Ctrl-C reaches this process only. It must end by itself at the
    end of its input: nothing else ends it when this process is killed. Raises `OSError`.
    """
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=stderr,
        start_new_session=True,
    )


def kill(process: Process) -> None:
    """End it at once; `process.wait()` then returns soon. Harmless when repeated."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
