"""Replays on the screen: frames, and a projector that stops, steps, jumps and changes speed."""

import dataclasses
import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from cellrace_client.cli.keys import read_keys
from cellrace_client.cli.replay import press
from cellrace_client.film import Film, Projector
from cellrace_client.times import parse_time
from cellrace_engine import CLASSIC, DealCode, Line
from cellrace_engine.replay import Action, PlayerKind, PlayerRun, Replay, Result, to_json
from tests.support.lines import winning_line
from tests.support.processes import ending

ADA = (Action(1_000, "2a"), Action(2_000, "undo"), Action(5_000, "2a"), Action(5_000, "restart"))
GRACE = (Action(1_500, "2b"), Action(9_000, "2c"))
LINE = winning_line()


def replay(*runs: tuple[Action, ...]) -> Replay:
    players = tuple(PlayerRun(f"Player {n}", PlayerKind.HUMAN, run) for n, run in enumerate(runs))
    return Replay(CLASSIC, players, DealCode(4, 617))


def whole() -> Replay:
    """A run that wins, an action every second."""
    return replay(tuple(Action(1_000 * n, move) for n, move in enumerate(LINE, 1)))


def test_frames_are_everybodys_actions_in_the_order_of_time() -> None:
    film = Film(replay(ADA, GRACE))
    assert [(frame.t_ms, frame.player, frame.do) for frame in film.frames] == [
        (0, -1, ""),
        (1_000, 0, "2a"),
        (1_500, 1, "2b"),
        (2_000, 0, "undo"),
        (5_000, 0, "2a"),
        (5_000, 0, "restart"),
        (9_000, 1, "2c"),
    ]
    begin = Line.begin(CLASSIC, DealCode(4, 617).deal())
    assert film.frames[0].lines == (begin, begin)
    assert [line.moves for line in film.frames[-1].lines] == [0, 2]


def test_the_last_frame_of_a_win_is_the_win() -> None:
    assert Film(whole()).frames[-1].lines[0].won


def test_what_the_rules_refuse_is_no_film() -> None:
    with pytest.raises(ValueError, match="refused"):
        Film(replay((Action(1, "ah"),)))


def test_a_replay_without_an_action_is_one_frame() -> None:
    projector = Projector(Film(replay(())))
    projector.pass_time(1_000)
    assert (projector.over, projector.index) == (True, 0)


def test_time_passes_at_the_speed_set_and_not_at_all_when_stopped() -> None:
    projector = Projector(Film(whole()), speed=4)
    projector.pass_time(1_000)
    assert (projector.t_ms, projector.index) == (4_000, 4)
    projector.toggle()
    projector.pass_time(10_000)
    assert projector.index == 4
    projector.toggle()
    projector.pass_time(1e9)
    assert projector.over
    assert projector.frame.lines[0].won


def test_one_begins_where_one_wants() -> None:
    assert Projector(Film(whole()), t_ms=7_500).index == 7
    assert Projector(Film(whole()), t_ms=-5).index == 0
    assert Projector(Film(whole()), t_ms=1e12).over


def test_steps_go_through_actions_of_the_same_instant_one_by_one_and_stop_at_the_ends() -> None:
    projector = Projector(Film(replay(ADA, GRACE)), t_ms=2_000)
    seen: list[str] = []
    for _ in range(5):
        projector.step(1)
        seen.append(projector.frame.do)
    assert seen == ["2a", "restart", "2c", "2c", "2c"]
    assert not projector.playing
    projector.step(-99)
    assert (projector.index, projector.t_ms) == (0, 0)


def test_keys_do_what_the_help_says() -> None:
    projector = Projector(Film(whole()))
    for key, index in (
        ("down", 10),
        ("right", 11),
        ("up", 1),
        ("left", 0),
        ("end", len(LINE)),
        ("home", 0),
        ("x", 0),
    ):
        assert press(projector, key)
        assert projector.index == index, key
    for key, speed in (("+", 2), ("+", 4), ("-", 2)):
        assert press(projector, key)
        assert projector.speed == speed
    press(projector, " ")
    assert projector.playing
    assert not press(projector, "q")


def test_at_the_end_the_space_bar_shows_it_again() -> None:
    projector = Projector(Film(whole()), t_ms=1e12)
    projector.toggle()
    assert (projector.index, projector.playing) == (0, True)


def test_speeds_have_ends() -> None:
    projector = Projector(Film(whole()))
    for _ in range(20):
        projector.faster()
    assert projector.speed == 64
    for _ in range(20):
        projector.slower()
    assert projector.speed == 0.25


def test_keys_are_read_from_what_terminals_send() -> None:
    assert read_keys(b"\x1b[D\x1b[Cq \x1bOA\x1b[5~") == ["left", "right", "q", " ", "up", "page up"]
    assert read_keys(b"\x1b[24~x") == ["x"], "a key that nobody knows"
    assert read_keys("ä".encode()) == []


@pytest.mark.parametrize(
    ("text", "ms"),
    [("75", 75_000), ("1:15.5", 75_500), ("0", 0), ("x", None), ("-1", None), ("1:", None), ("nan", None)],
)
def test_times_as_people_write_them(text: str, ms: int | None) -> None:
    assert parse_time(text) == ms


def cellrace(*words: str, stdin: str = "") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "cellrace_client", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_command_prints_lines_and_documents_and_says_what_is_wrong(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    kept.write_text(to_json(whole()), encoding="utf-8")
    status, text = cellrace("replay", str(kept), "--plain", "--from", "0:03")
    assert (status, len(text.splitlines())) == (0, 1 + len(LINE) - 2)
    assert "52/52 home" in text.splitlines()[-1]
    status, text = cellrace("replay", "-", stdin=to_json(whole()))
    assert (status, json.loads(text)["deal"]) == (0, "FC1-C4-AAAAATJ")
    assert cellrace("replay", str(tmp_path / "none.json"))[0] == 66
    assert cellrace("replay", "-", "--plain", stdin="{}")[0] == 65
    assert cellrace("replay", "-", "--from", "soon")[0] == 64
    false = to_json(whole()).replace('"2a"', '"ah"', 1)
    status, text = cellrace("replay", "-", "--plain", stdin=false)
    assert status == 65
    assert "false" in text
    copy = tmp_path / "copy.json"
    assert cellrace("replay", str(kept), "--save", str(copy))[0] == 0
    assert cellrace("verify", str(copy))[0] == 0


def heard_until(terminal: int, what: bytes) -> None:
    """Read what is shown until `what` is."""
    seen = b""
    while what not in seen:
        assert select.select([terminal], [], [], 20)[0], seen
        seen += os.read(terminal, 65_536)


def test_on_a_terminal_it_is_shown_and_keys_are_heard(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    kept.write_text(to_json(whole()), encoding="utf-8")
    here, there = pty.openpty()
    command = [sys.executable, "-m", "cellrace_client", "replay", str(kept), "--speed", "0.01"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    program = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=environment)
    with ending(program) as process:
        os.close(there)
        heard_until(here, b"q quit")
        os.write(here, b"\x1b[F")
        heard_until(here, b"over")
        os.write(here, b"q")
        assert process.wait(timeout=20) == 0
    os.close(here)


KEYLESS = """
import sys
from cellrace_client.cli import keys, main
keys.os = type("System", (), {"name": "nt"})  # where terminals give no single keys
sys.exit(main(sys.argv[1:]))
"""


def test_on_a_terminal_without_keys_it_is_shown_to_its_end(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    kept.write_text(to_json(whole()), encoding="utf-8")
    here, there = pty.openpty()
    command = [sys.executable, "-c", KEYLESS, "replay", str(kept), "--speed", "100000"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    program = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=environment)
    with ending(program) as process:
        os.close(there)
        heard_until(here, b"over")
        assert process.wait(timeout=20) == 0
    os.close(here)


def test_names_are_shown_as_they_are() -> None:
    strange = "[b]Bob[/b] [/]"
    shown = subprocess.run(
        [sys.executable, "-m", "cellrace_client", "replay", "-"],
        input=to_json(Replay(CLASSIC, (PlayerRun(strange, PlayerKind.HUMAN, ()),), DealCode(4, 617))),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "100"},
    )
    assert strange in shown.stdout


def test_the_last_move_is_at_the_time_that_counts() -> None:
    counted = 1_000 * len(LINE) - 1
    run = dataclasses.replace(whole().players[0], result=Result(counted, len(LINE), 52, 0, 1))
    assert Film(Replay(CLASSIC, (run,), DealCode(4, 617))).length_ms == counted
