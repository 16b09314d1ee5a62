"""Starting a server of one's own: it listens, or it is said why not."""

import argparse
import subprocess
import sys

import pytest

from cellrace_client.cli import DEFAULT_URL, play
from cellrace_client.cli.start import Started, start_server, started, stop
from cellrace_client.errors import ServerNotStarted


def program(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_it_is_there_when_it_has_said_where_and_gone_when_it_is_stopped() -> None:
    server = started(
        program("print('listens (on ws://127.0.0.1:1/ws)', flush=True); import signal; signal.pause()")
    )
    assert server.url == "ws://127.0.0.1:1/ws"
    assert server.process.poll() is None
    stop(server.process)
    stop(server.process)
    assert server.process.poll() is not None


def test_a_server_that_cannot_listen_says_why() -> None:
    with pytest.raises(ServerNotStarted, match="Expected int <= 65535"):
        start_server("--port", "99999")
    with pytest.raises(ServerNotStarted, match="it ended with status 3"):
        started(program("raise SystemExit(3)"))
    with pytest.raises(ServerNotStarted, match="No such file"):
        started(["nowhere/cellrace-server"])


def test_a_server_that_says_nothing_is_not_waited_for_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def kept(*arguments: object, **options: object) -> "subprocess.Popen[bytes]":
        processes.append(popen(*arguments, **options))  # type: ignore[call-overload]
        return processes[-1]

    monkeypatch.setattr("subprocess.Popen", kept)
    monkeypatch.setattr("cellrace_client.cli.start.ENDS_S", 0.01)
    with pytest.raises(ServerNotStarted, match=r"it does not listen after 0\.01 s"):
        started(program("import signal; signal.pause()"), within_s=0.01)
    assert [process.poll() is None for process in processes] == [False]


class Terminal:
    """Somebody at a terminal who answers with this."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return f"{self._answer}\n"


def test_who_wants_a_server_that_does_not_start_is_told_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_server(*_: str) -> Started:
        raise ServerNotStarted("the port is taken")

    async def answers(_: str) -> bool:
        return False

    monkeypatch.setattr(play, "start_server", no_server)
    monkeypatch.setattr(play, "answers", answers)
    monkeypatch.setattr("sys.stdin", Terminal("s"))
    arguments = argparse.Namespace(
        command="quick", url=DEFAULT_URL, language="en", local=False, plain=True, anonymous=True, name=""
    )
    assert play.run(arguments) == 69
    assert "the server did not start: the port is taken" in capsys.readouterr().err
