"""How every command ends against a real server: its status, and what stands where. The table of `docs/howto/client.md`
is this one."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cellrace_client import sync
from cellrace_client.cli import (
    EXIT_DATA,
    EXIT_INTERRUPTED,
    EXIT_NO_INPUT,
    EXIT_TRY_AGAIN,
    EXIT_UNAVAILABLE,
    EXIT_USAGE,
    main,
)
from tests.support.lines import winning_line
from tests.support.processes import ending

NOWHERE = "ws://127.0.0.1:9/ws"
WITHIN = 60
MIXED = "a\u0434a"
"""Of two scripts in one word: no name that a server takes."""


class World(NamedTuple):
    """A server, and races on it that nobody can join any more: one is full, one runs, one is over. `run` is on the
    of deal 617; `bad` is a file with a token that is none, `none` the link of a race that there is not."""

    url: str
    folder: Path
    full: str
    running: str
    over: str
    run: str
    bad: Path
    moves: Path
    none: str

    def words(self, text: str) -> list[str]:
        """A command line with its names put in, and the server, if it wants one."""
        return [word.format(**self._asdict()) for word in text.split()]


def environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CELLRACE", "REDIS_"))}
    return {**kept, "CELLRACER_HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "TERM": "dumb"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("statuses")
    process = subprocess.Popen(
        [sys.executable, "-m", "cellrace_server", "--port", "0", "--data-dir", str(folder / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(folder),
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        url = next(word.rstrip(")") for word in line.split() if word.startswith("ws://"))
        with sync.connect(url, name="Ada") as ada, sync.connect(url, name="Grace") as grace:
            yield made(url, folder, ada, grace)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def made(url: str, folder: Path, ada: sync.Client, grace: sync.Client) -> World:
    full = ada.create("618", public=False)
    grace.join(full.id)
    running = ada.create("619", public=False, countdown_ms=0)
    seat = grace.join(running.id)
    running.ready()
    seat.ready()
    running.until(lambda model: model.phase == "running")
    over = ada.create("617", seats=1, countdown_ms=0)
    over.ready()
    over.until(lambda model: model.phase == "running")
    for move in winning_line():
        over.move(move)
    over.until(lambda model: model.phase == "ended")
    ada.create("624")  # which is on the list
    bad, moves = folder / "bad.token", folder / "moves.txt"
    bad.write_text("nobody's\n")
    moves.write_text("2a\n2b 11\n")
    return World(
        url,
        folder,
        full.id,
        running.id,
        over.id,
        f"{over.id}-0",
        bad,
        moves,
        ada.link(over).replace(over.id, "abcdefg"),
    )


class Ended(NamedTuple):
    """How a command has ended."""

    status: int | str | None
    out: str
    err: str


class Shell:
    """Runs commands in this process, as from a script: there is no terminal, and what is typed ends."""

    def __init__(self, world: World, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._world = world
        self._capsys = capsys
        self._patch = patch

    def run(self, line: str, typed: str = "") -> Ended:
        self._patch.setattr(sys, "stdin", io.StringIO(typed.format(**self._world._asdict())))
        try:
            status: int | str | None = main(self._world.words(line))
        except SystemExit as error:
            status = error.code
        said = self._capsys.readouterr()
        return Ended(status, said.out, said.err)

    def ends(self, line: str, status: int, *, out: bool = False, typed: str = "") -> str:
        """Run it; what it has said on standard error. `out`: something may stand on standard output."""
        done = self.run(line, typed)
        assert done.status == status, (line, done)
        assert done.err.strip(), line
        if not out:
            assert done.out == ""
        return done.err


@pytest.fixture
def shell(world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name, value in environment(world.folder).items():
        monkeypatch.setenv(name, value)
    return Shell(world, capsys, monkeypatch)


ONLINE = [
    "play", "play 617", "quick", "quick --ranked", "race", "race --json", "race --print 617", "race --against best 617",
    "join {full}", "join {full} --json", "watch {over}", "watch --lines {over}", "watch --json {over}",
    "races", "races --json", "races --follow", "bot",
    "bot {full}", "bot 617 --json", "bot 617 --count 2", "daily", "daily --json", "daily --bot hard", "ghost {run}",
    "ghost --json {run}", "daily --day 2026-01-01", "quick --ghost {run}",
    "top 617", "top --day", "top --ratings --json", "profile Ada", "profile Ada --json", "replay {run}",
]  # fmt: skip


@pytest.mark.parametrize("line", ONLINE)
def test_no_server(shell: Shell, line: str) -> None:
    said = shell.ends(f"{line} --url {NOWHERE}", EXIT_UNAVAILABLE)
    assert NOWHERE in said
    assert any(line.startswith("cellrace: ") for line in said.splitlines())


def test_no_server_to_check(shell: Shell) -> None:
    assert NOWHERE in shell.ends(f"conformance {NOWHERE} --only lobby", EXIT_UNAVAILABLE)
    doctor = shell.run(f"doctor --url {NOWHERE}")
    assert (doctor.status, doctor.err) == (EXIT_UNAVAILABLE, "")
    assert "does not answer" in doctor.out


IN_LINES = {
    "join nosuch": "there is no race nosuch",
    "join {full}": "all seats are taken",
    "join {running}": "the race has started",
    "join {over}": "the race is over",
    "play {none}": "there is no race abcdefg",
    "play nosuch": "there is no race nosuch",
    "race --against best 999": "there is no such run",
    "race --against abcdefg-0": "there is no replay abcdefg-0",
    "quick --anonymous --name " + MIXED: "bad_name",
    "race --anonymous --name " + MIXED: "bad_name",
    "race --anonymous --name " + "x" * 25: "bad_name",
}
"""What plays in lines says first who one is: that may stand on standard output."""


@pytest.mark.parametrize("line", IN_LINES)
def test_playing_that_the_server_refuses(shell: Shell, line: str) -> None:
    said = shell.ends(f"{line} --url {{url}}", EXIT_DATA, out=True)
    assert IN_LINES[line] in said


REFUSED = {
    "watch nosuch": "there is no race nosuch",
    "watch --lines nosuch": "there is no race nosuch",
    "bot nosuch": "there is no race nosuch",
    "bot {full}": "seats are taken",
    "bot {running}": "started",
    "bot {over}": "over",
    "bot 617 --kind ghost --ghost nosuch-0": "there is no replay nosuch-0",
    "bot 617 --token-file {bad}": "bad_token",
    "bot 617 --name " + MIXED: "bad_name",
    "bot 617 --moves {moves}": "line 2: 11: ",
    "daily --token-file {bad}": "bad_token",
    "daily --bot hard --token-file {bad}": "bad_token",
    "daily --bot hard --rules relaxed": "",
    "ghost nosuch-0": "there is no replay nosuch-0",
    "top 617 --token-file {bad}": "bad_token",
    "profile Nobody": "there is no player Nobody",
    "profile --token-file {bad}": "bad_token",
    "replay nosuch-0": "there is no replay nosuch-0",
    "race --json --name " + MIXED: "bad_name",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_the_server_refuses(shell: Shell, line: str) -> None:
    assert REFUSED[line] in shell.ends(f"{line} --url {{url}}", EXIT_DATA)


def test_refused_with_json_is_a_line_of_json_too(shell: Shell) -> None:
    """A bot tells each race, also one that there is not."""
    shell.ends("bot nosuch --json --url {url}", EXIT_DATA, out=True)


UNFINISHED = {
    "quick": "",
    "race": "",
    "race 617": "ready\n2a\n",
    "race --against {run}": "ready\n",
    "play 620": "",
    "join 621": "ready\n",
    "play": "practice 617\n2a\n2b\n",
    "play --local 617": "2a\n",
    "play --plain": "watch {running}\n",
}


@pytest.mark.parametrize("line", UNFINISHED)
def test_input_that_ends_before_there_is_a_result(shell: Shell, line: str) -> None:
    said = shell.ends(f"{line} --url {{url}}", EXIT_NO_INPUT, out=True, typed=UNFINISHED[line])
    assert "the input ended before there was a result" in said


DONE = {
    "play": "races\nboards 617\ndaily\n",
    "play --plain": "watch {over}\n",
    "play --local 617": "\n".join([*winning_line(), ""]),
    "quick": "quit\n",
    "race --anonymous --name विवेकानंदविवेकानंदविवेकानंद": "leave\n",  # 15 letters of 27 code points
    "race": "leave\n",
    "watch {over}": "",
    "top 617": "",
    "profile Ada": "",
    "replay {run}": "",
}


@pytest.mark.parametrize("line", DONE)
def test_what_is_done_ends_with_0_and_says_nothing_beside(shell: Shell, line: str) -> None:
    done = shell.run(f"{line} --url {{url}}", DONE[line])
    assert (done.status, done.err) == (0, "")
    assert done.out


def test_the_list_of_races_says_beside_it_only_where_one_has_a_seat(shell: Shell) -> None:
    """A test before this one may have left a race that goes on."""
    done = shell.run("races --url {url}", "")
    assert done.status == 0
    assert done.out
    assert all(re.match(r"your race \w+ goes on: ", line) for line in done.err.splitlines())


def test_the_last_command_counts(shell: Shell) -> None:
    for typed, status in (
        ("join nosuch\n", EXIT_DATA),
        ("nonsense\n", EXIT_DATA),
        ("join 0\n", EXIT_USAGE),
        ("replay nowhere/x.json\n", EXIT_NO_INPUT),
        ("join nosuch\nquit\n", EXIT_DATA),
    ):
        shell.ends("play --url {url}", status, out=True, typed=typed)
    assert shell.run("play --url {url}", "join nosuch\nraces\n").status == 0


WRONG = [
    "race 0", "race 617 --rules nope", "race --json 0", "play 0", "play --local 0", "join 0", "join FC1-C3-AAAAATJ",
    "race --against best", "race --against best 0", "bot 0", "bot 617 --rules nope", "top 0", "top 617 --rules nope",
    "top", "top 617 --day", "top --day yesterday", "top --week 2026-13-01", "daily --day foo",
    "top 617 --by luck", "daily --bot hard --rules nope", "deal 0", "solve 0", "watch", "join",
    "replay", "replay {run} --from x", "profile --count -1", "ghost", "quick nonsense", "races x", "verify",
    "demo --pace x", "doctor x", "bot --moves {moves}", "conformance x", "create",
]  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_wrong_arguments_need_no_server_to_be_told(shell: Shell, line: str) -> None:
    said = shell.ends(line, EXIT_USAGE)
    assert "usage: " in said or said.startswith("cellrace: ")
    assert "Is it running" not in said


HELD = ["quick", "race", "watch {full}", "watch --lines {running}", "races --follow", "bot"]


@pytest.mark.parametrize("line", HELD)
def test_ctrl_c(world: World, line: str) -> None:
    words = world.words(f"{line} --url {world.url}")
    program = subprocess.Popen(
        [sys.executable, "-m", "cellrace_client", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(world.folder),
    )
    with ending(program) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()  # it has arrived
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=WITHIN)
    assert process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in said


def test_nobody_comes(shell: Shell) -> None:
    """A bot that has waited long enough has done nothing: it may again."""
    done = shell.run("bot 623 --patience 0.1 --url {url}")
    assert done.status == EXIT_TRY_AGAIN
    assert "nobody came" in done.out
