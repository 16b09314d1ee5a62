"""The terminal program is stopped, woken, told to end, or loses its terminal: it leaves all as it was, and goes."""

import asyncio
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

WITHIN = 30
CTRL_Q = b"\x11"
SHOWN, GONE = b"\x1b[?1049h", b"\x1b[?1049l"


class Program:
    """`play --local` in a terminal of its own, whose other end we hold."""

    def __init__(self, home: Path) -> None:
        self.ours, self.its = pty.openpty()
        os.set_blocking(self.ours, False)
        termios.tcsetwinsize(self.its, (24, 80))
        self.modes = termios.tcgetattr(self.its)
        self.said = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cellrace_client", "play", "--local", "617"],
            stdin=self.its,
            stdout=self.its,
            stderr=self.its,
            env={**os.environ, "CELLRACER_HOME": str(home), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no threads yet
        )

    def heard(self) -> bytes:
        with suppress(BlockingIOError):
            self.said += os.read(self.ours, 1 << 16)
        return self.said

    async def shows(self, times: int = 1) -> None:
        """It has taken the terminal so often, and has drawn a board since."""
        await eventually(
            lambda: self.heard().count(SHOWN) == times and b"0/52" in self.said.rpartition(SHOWN)[2], WITHIN
        )

    async def ended(self) -> int:
        await eventually(lambda: self.process.poll() is not None, WITHIN)
        return self.process.wait()

    @property
    def raw(self) -> bool:
        return not termios.tcgetattr(self.its)[3] & termios.ICANON


@pytest_asyncio.fixture
async def program(tmp_path: Path) -> AsyncIterator[Program]:
    running = Program(tmp_path)
    try:
        await running.shows()
        yield running
    finally:
        running.process.kill()
        running.process.wait()
        for end in (running.ours, running.its):
            with suppress(OSError):  # the test has
                os.close(end)


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGTSTP])
async def test_after_a_sleep_it_goes_on_and_leaves_the_terminal_as_it_was(
    program: Program, how: signal.Signals
) -> None:
    program.process.send_signal(how)
    _, status = await asyncio.to_thread(os.waitpid, program.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    termios.tcsetattr(program.its, termios.TCSANOW, program.modes)  # as a shell does
    program.process.send_signal(signal.SIGCONT)
    await program.shows(2)
    assert program.raw
    os.write(program.ours, CTRL_Q)
    await eventually(lambda: program.heard().count(GONE) == 2, WITHIN)
    assert await program.ended() == 0
    assert termios.tcgetattr(program.its) == program.modes


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
async def test_told_to_end_it_leaves_the_terminal_as_it_was(program: Program, told: signal.Signals) -> None:
    program.process.send_signal(told)
    await eventually(lambda: program.heard().count(GONE) == 1, WITHIN)
    assert await program.ended() == 128 + told
    assert termios.tcgetattr(program.its) == program.modes


@pytest.mark.parametrize("told_before", [False, True])
async def test_with_its_terminal_it_goes(program: Program, told_before: bool) -> None:
    if told_before:
        program.process.send_signal(signal.SIGTERM)
        await eventually(lambda: program.heard().count(GONE) == 1, WITHIN)
    os.close(program.its)
    os.close(program.ours)
    by_itself, cut_short = {128 + signal.SIGTERM, 128 + signal.SIGHUP}, {-signal.SIGHUP}
    assert await program.ended() in (by_itself | cut_short if told_before else by_itself)
