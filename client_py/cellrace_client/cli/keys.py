"""Keys as they are pressed, on terminals that have them one by one."""

import asyncio
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

ESCAPES = {
    b"\x1b[D": "left",
    b"\x1b[C": "right",
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x1bOD": "left",
    b"\x1bOC": "right",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
}


def read_keys(typed: bytes) -> list[str]:
    """What was pressed: arrows and the like by name, everything else as its letter. Unknown sequences are left out."""
    keys: list[str] = []
    while typed:
        known = next((code for code in ESCAPES if typed.startswith(code)), None)
        if known is not None:
            keys.append(ESCAPES[known])
            typed = typed[len(known) :]
        elif typed.startswith((b"\x1b[", b"\x1bO")):
            end = next((at for at, byte in enumerate(typed[2:], 3) if 0x40 <= byte <= 0x7E), len(typed))
            typed = typed[end:]
        else:
            keys.append(typed[:1].decode("ascii", "ignore"))
            typed = typed[1:]
    return [key for key in keys if key]


@contextmanager
def pressed() -> Generator["asyncio.Queue[str] | None"]:
    """The keys pressed from now on, in a running event loop; `None` where standard input is no such terminal, and none
    can come. The terminal is as it was afterwards."""
    if not sys.stdin.isatty() or os.name != "posix":
        yield None
        return
    queue: asyncio.Queue[str] = asyncio.Queue()
    import termios  # noqa: PLC0415 - POSIX only
    import tty  # noqa: PLC0415 - POSIX only

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    loop = asyncio.get_running_loop()

    def read() -> None:
        typed = os.read(terminal, 1_024)
        if not typed:  # the terminal is gone
            loop.remove_reader(terminal)
        for key in read_keys(typed):
            queue.put_nowait(key)

    tty.setcbreak(terminal)
    loop.add_reader(terminal, read)
    try:
        yield queue
    finally:
        loop.remove_reader(terminal)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
