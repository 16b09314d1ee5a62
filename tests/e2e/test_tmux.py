"""The program as it is: in a terminal, by keys, with what is on the screen read back."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.support.waiting import eventually

pytestmark = [pytest.mark.asyncio, pytest.mark.tool("tmux")]

WITHIN = 40


class Terminal:
    """A terminal of 80 by 24 in a tmux server of its own."""

    def __init__(self, socket: Path, home: Path) -> None:
        self._tmux = ("tmux", "-S", str(socket), "-f", "/dev/null")
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",  # as where it is installed
            "CELLRACER_HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        self._run("new-session", "-d", "-x", "80", "-y", "24", "env PS1=prompt: sh", environment=environment)

    def _run(self, *arguments: str, environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], capture_output=True, text=True, timeout=10, check=True, env=environment
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)

    def start(self, *arguments: str) -> None:
        self.type(shlex.join([sys.executable, "-m", "cellrace_client", *arguments]))
        self.press("Enter")

    @property
    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    @property
    def modes(self) -> str:
        """Whether the alternate screen is on, and whether the mouse is reported."""
        return self._run("display-message", "-p", "#{alternate_on}#{mouse_any_flag}#{cursor_flag}").strip()

    @property
    def program(self) -> int:
        """The process that runs in the shell."""
        shell = self._run("display-message", "-p", "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, timeout=10, check=True)
        return int(found.stdout.split()[0])

    async def shows(self, *words: str) -> None:
        await eventually(lambda: all(word in self.screen for word in words), WITHIN)

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, timeout=10, check=False)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[tuple[Terminal, Terminal]]:
    both = tuple(Terminal(tmp_path / f"tmux-{name}", tmp_path / name) for name in ("a", "b"))
    yield both[0], both[1]
    for terminal in both:
        terminal.close()


async def test_two_race_in_terminals_and_leave_them_clean(
    server: ServerProcess, terminals: tuple[Terminal, Terminal]
) -> None:
    ada, grace = terminals
    before = ada.modes
    ada.start("race", "617", "--url", server.url, "--name", "Ada")
    await ada.shows("cellrace join")
    race = re.search(r"cellrace (\w+) ", ada.screen)
    assert race is not None
    grace.start("join", race[1], "--url", server.url, "--name", "Grace")
    await grace.shows("Ada", "press Enter")
    assert ada.modes != before
    ada.press("Enter")
    grace.press("Enter")
    await ada.shows("FC1-C4-AAAAATJ", "7♦")
    await grace.shows("7♦")
    for text in winning_line():
        plain, _, count = text.partition("v")
        ada.type(f"{plain[0]}v{count}{plain[1]}" if count else plain)
    await ada.shows("52/52")
    await grace.shows("home in")
    grace.type("gg")
    await grace.shows("The race is over")
    await ada.shows("The race is over")
    ada.press("Escape")
    await ada.shows("Quick race")
    ada.press("C-q")
    await eventually(lambda: ada.modes == before, WITHIN)
    os.kill(grace.program, signal.SIGTERM)
    await eventually(lambda: grace.modes == before, WITHIN)
    assert "prompt:" in ada.screen
    assert "Traceback" not in ada.screen + grace.screen


async def test_whoever_goes_while_their_race_goes_on_is_told_the_way_back(
    server: ServerProcess, terminals: tuple[Terminal, Terminal]
) -> None:
    ada, grace = terminals
    before = ada.modes
    ada.start("race", "617", "--seats", "1", "--countdown", "0", "--url", server.url, "--name", "Ada")
    grace.start("race", "617", "--plain", "--seats", "1", "--countdown", "0", "--url", server.url)
    await ada.shows("press Enter")
    await grace.shows("press Enter")
    ada.press("Enter")
    grace.press("Enter")
    await ada.shows("7♦")
    await grace.shows("column 8")
    ada.press("C-q")
    await ada.shows("Press Ctrl-Q once more")
    os.kill(grace.program, signal.SIGTERM)
    await grace.shows("goes on: cellrace join", "prompt:")
    ada.press("C-q")
    await eventually(lambda: ada.modes == before, WITHIN)
    await ada.shows("goes on: cellrace join", server.url)
    assert "Traceback" not in ada.screen + grace.screen


async def test_with_no_server_at_hand_one_can_practise(terminals: tuple[Terminal, Terminal]) -> None:
    here, there = terminals
    here.start("play", "--url", "ws://127.0.0.1:9/ws")
    await here.shows("Practise alone instead (p)")
    here.type("p")
    here.press("Enter")
    await here.shows("practice", "0/52")
    there.start("play", "--url", "ws://127.0.0.1:9/ws", "--language", "nl")
    await there.shows("Er antwoordt geen server")
    there.press("Enter")
    await eventually(lambda: there.screen.count("prompt:") == 2, WITHIN)
