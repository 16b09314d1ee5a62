"""Runs a command that must not outlive the process which asked for it.

A program of its own, started as `python -I -S launch.py HOW PARENT COMMAND…`, because what it does must
happen in the child before the command runs, and code between fork and exec is not safe beside threads.

HOW is one of

`tie`   Linux. The kernel sends the command SIGTERM when the *thread* that started this program ends; here
        that is the thread the event loop runs in. This program becomes the command.
`guard` Elsewhere. Standard input is a pipe whose other end only the parent has. This program starts the
        command, sends it SIGTERM when the pipe closes, and ends with it.
"""

import os
import signal
import subprocess  # the command is the caller's
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PARENT_GONE = 75


def main(arguments: Sequence[str]) -> int:
    how, parent, *command = arguments
    return tie(int(parent), command) if how == "tie" else guard(command)


def tie(parent: int, command: Sequence[str]) -> NoReturn:
    """Become the command, tied to the parent by the kernel. Does not return; raises `OSError`."""
    import ctypes  # noqa: PLC0415  # not needed on the other way, and slow to load

    if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
        raise OSError("prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it ended before the call above, so no signal will come
        sys.exit(PARENT_GONE)
    os.execv(command[0], list(command))  # noqa: S606  # does not return


def guard(command: Sequence[str]) -> int:
    """Run the command until it ends or the parent is gone. Returns its exit status."""
    # The stop signal goes to the whole process group: the command ends, and then this program, not before it.
    signal.signal(signal.SIGTERM, _go_on)
    # close_fds=False hands on the lock that was handed to us.
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False) as process:  # noqa: S603
        threading.Thread(target=_end_at_close, args=(process,), daemon=True).start()
        status = process.wait()
    return status if status >= 0 else 128 - status


def _go_on(number: int, frame: FrameType | None, /) -> None:
    """A handler, because a signal that is ignored here would stay ignored in the command."""


def _end_at_close(process: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 4096):
        pass
    process.terminate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
