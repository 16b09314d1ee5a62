"""Commands whose results programs read: one JSON document a line, on standard output alone."""

import asyncio
import io
import json
import os
import pty
import sys
from pathlib import Path
from typing import Any

import pytest

from cellrace_client import connect
from cellrace_client.cli import EXIT_DATA, main
from cellrace_client.cli.conformance import report_json
from cellrace_client.cli.progress import EVERY_S, Progress
from cellrace_client.conformance import Verdict
from cellrace_client.identities import HOME, Identities
from cellrace_client.practice import Practice
from cellrace_engine import CLASSIC, DealCode
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, Script, scripted, snapshot
from tests.support.lines import winning_line

WITHIN = 60
END = e.End(2, 6, 0, "all_done", [e.Place(1, 0, 52, 94, 67_312, 12, 3)], "FC1-C4-AAAAATJ", "")


def read(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    practice = Practice(CLASSIC, DealCode.parse("617", 4))
    for second, move in enumerate(winning_line(), 1):
        assert practice.move(move, 1_000 * second) is None
    path = tmp_path / "run.json"
    path.write_text(practice.document("Ada"))
    return path


def test_verify_says_in_json_what_is_true(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(run_file)]) == 0
    (found,) = read(capsys.readouterr().out)
    assert (found["true"], found["deal"]) == (True, "FC1-C4-AAAAATJ")
    (player,) = found["players"]
    assert (player["name"], player["won"], player["home"]) == ("Ada", True, 52)
    run_file.write_text("{}")
    assert main(["verify", "--json", str(run_file)]) == EXIT_DATA
    (found,) = read(capsys.readouterr().out)
    assert found["true"] is False
    assert found["why"]


def test_replay_says_each_action_in_json(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", "--from", "10", str(run_file)]) == 0
    lines = read(capsys.readouterr().out)
    assert lines[0] == {"time": 10_000, "player": "Ada", "do": winning_line()[9], "home": 0, "moves": 10} | {
        "home": lines[0]["home"]
    }
    assert lines[-1]["home"] == 52


def test_conformance_says_each_conversation_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = Verdict("race", ("1.1", "2")), Verdict("join", ("3",), "no answer", 4, "3.1")
    assert report_json([good]) == 0
    assert report_json([good, bad]) == EXIT_DATA
    lines = read(capsys.readouterr().out)
    assert [line["ok"] for line in lines] == [True, True, False]
    assert lines[-1] == {
        "conversation": "join", "clauses": ["3"], "fault": "no answer", "step": 4, "clause": "3.1", "ok": False
    }  # fmt: skip


async def cellrace(url: str, *words: str, home: Path | None = None) -> tuple[int, str, str]:
    environment = {**os.environ, **({HOME: str(home)} if home is not None else {})}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", *words, "--url", url),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


async def ended(said: Said) -> None:
    await said.greet()
    asked = await said.hear()
    await said.say(e.Entered(getattr(asked, "r", 0), 2, "race", 0, 1), snapshot(5), END)
    await said.socket.wait_closed()


@pytest.mark.asyncio
async def test_watch_says_each_event_in_json() -> None:
    async with scripted(ended) as url:
        status, out, _ = await cellrace(url, "watch", "race", "--json")
    assert status == 0
    first, last = read(out)
    assert (first["event"], first["race"], first["phase"]) == ("snap", "race", "running")
    assert (last["event"], last["standings"][0]["time"]) == ("end", 67_312)


@pytest.mark.asyncio
async def test_ghost_says_in_json_how_it_went() -> None:
    async with scripted(ended) as url:
        status, out, errors = await cellrace(url, "ghost", "run-1", "--json")
    assert status == 0, errors
    (found,) = read(out)
    assert (found["race"], found["end"]) == ("race", "all_done")
    assert found["standings"][0]["name"] == "Me"
    assert "watch it with" in errors


@pytest.mark.asyncio
async def test_join_takes_a_seat_and_says_where_in_json(tmp_path: Path) -> None:
    async with scripted(ended) as url:
        status, out, errors = await cellrace(url, "join", "617", "--json", home=tmp_path)
        assert list((tmp_path / "identities").iterdir()), "whoever comes back has the seat"
    assert status == 0, errors
    (found,) = read(out)
    assert (found["race"], found["seat"], found["players"]) == ("race", 0, ["Me"])
    assert found["link"].endswith("/r/race")


def renewing(token: str) -> Script:
    async def server(said: Said) -> None:
        assert (await said.greet("old")).token == "old"
        if token:
            asked = await said.hear()
            assert isinstance(asked, c.Renew)
            await said.say(e.Renewed(asked.r, token))
        await said.socket.wait_closed()

    return server


@pytest.mark.asyncio
async def test_a_token_is_renewed_and_kept_and_shown_to_who_asks(tmp_path: Path) -> None:
    async with scripted(renewing(""), renewing("new-and-secret")) as url:
        kept = Identities(tmp_path / "identities")
        assert (await cellrace(url, "token", home=tmp_path))[0] == 66
        kept.keep(url, "old")
        status, out, errors = await cellrace(url, "token", home=tmp_path)
        assert (status, "old" in out + errors) == (0, False)
        status, out, errors = await cellrace(url, "token", "--renew", home=tmp_path)
        assert status == 0, errors
        assert "secret" not in out + errors
        assert kept.token(url) == "new-and-secret"


@pytest.mark.asyncio
async def test_a_token_in_a_file_is_shown_alone_and_renewed_there(tmp_path: Path) -> None:
    path = tmp_path / "bot.token"
    path.write_text("old\n")
    async with scripted(renewing(""), renewing("new")) as url:
        shown = await cellrace(url, "token", "--show", "--token-file", str(path))
        renewed = await cellrace(url, "token", "--renew", "--show", "--token-file", str(path))
    assert [out for _, out, _ in (shown, renewed)] == ["old\n", "new\n"]
    assert path.read_text() == "new\n"


def test_progress_is_for_terminals_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("cellrace_client.cli.progress.time.monotonic", lambda: now[0])
    quiet = io.StringIO()
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        for stream in (quiet, terminal):
            now[0] = 0.0
            with Progress(stream) as progress:
                progress.tell("too soon")
                now[0] += 2 * EVERY_S
                assert not progress.goes_on("looking …")
                progress.tell("a moment ago")
        said = ""
        while said.count("\x1b[K") < 2:
            said += os.read(ours, 1_000).decode()
    os.close(ours)
    assert quiet.getvalue() == ""
    assert "looking … (0 s)" in said
    assert said.endswith("\r\x1b[K")
    assert "soon" not in said
    assert "moment" not in said


def test_the_library_runs_on_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        said.socket.transport.abort()

    async def again(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        await said.say(e.Entered(getattr(resume, "r", 0), 2, "race", 0, 1))
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Applied(2, 6, 5, 1, []))
        await said.socket.wait_closed()

    async def race() -> str:
        async with scripted(server, again) as url, connect(url) as client:
            race = await client.join("617")
            await race.move("2a")
            return type(asyncio.get_running_loop()).__module__

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(race()).startswith("uvloop")
