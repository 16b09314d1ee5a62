"""`cellrace`: what it loads, what it prints where, how it ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cellrace_client.bots import house
from cellrace_client.cli import (
    EXIT_CANNOT_CREATE,
    EXIT_DATA,
    EXIT_NO_INPUT,
    EXIT_TRY_AGAIN,
    EXIT_UNAVAILABLE,
    EXIT_USAGE,
    main,
)
from cellrace_client.cli.amounts import column
from cellrace_client.cli.daily import missing
from cellrace_client.cli.draw import footer
from cellrace_client.cli.online import run_online
from cellrace_client.cli.profile import lines
from cellrace_client.errors import CannotConnect, Disconnected, RequestFailed
from cellrace_client.languages import Catalogue
from cellrace_engine import DealError, ReplayError
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.rows import RatingRow
from tests.support.lines import winning_line

NOWHERE = "ws://127.0.0.1:9/ws"
HEAVY = (
    "asyncio",
    "msgspec",
    "websockets",
    "rich",
    "textual",
    "cellrace_engine",
    "cellrace_protocol",
    "json",
    "typing",
    "urllib.parse",
)


def cellrace(*arguments: str, typed: str = "", home: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cellrace_client", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": "", "LANG": "C.UTF-8", "CELLRACER_HOME": str(home or Path("nowhere"))},
    )


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["doctor", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom cellrace_client.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], len(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    heavy, _, number = done.stderr.strip().rpartition(" ")
    assert heavy == "[]"
    assert int(number) < 200
    assert "usage: cellrace" in done.stdout


@pytest.mark.parametrize("command", ["bot", "top", "play"])
def test_what_is_not_understood_is_told_with_the_commands_own_usage(command: str) -> None:
    done = cellrace(command, "--cout", "2")
    assert done.returncode == EXIT_USAGE
    assert done.stderr.startswith(f"usage: cellrace {command} ")
    assert done.stderr.endswith(f"cellrace {command}: error: unrecognized arguments: --cout\n")


def test_a_deal_is_a_board_or_json() -> None:
    shown = cellrace("deal", "617")
    assert shown.stdout.startswith("FC1-C4-AAAAATJ  (number 617)")
    found = json.loads(cellrace("deal", "617", "--rules", "pocket+cells=2", "--json").stdout)
    assert found["deal"] == "FC1-C2-AAAAATJ"
    assert found["number"] == 617


def test_solved_deals_are_moves_and_others_are_a_status() -> None:
    solved = cellrace("solve", "617")
    assert solved.returncode == 0
    assert len(solved.stdout.split()) > 20
    lost = cellrace("solve", "11982", "--json", "--rules", "pocket+cells=1")
    assert lost.returncode == EXIT_DATA
    assert json.loads(lost.stdout)["moves"] == []


def test_what_is_no_deal_is_a_usage_error_on_standard_error() -> None:
    wrong = cellrace("deal", "0")
    assert wrong.returncode == EXIT_USAGE
    assert wrong.stdout == ""
    assert "there is no deal 0" in wrong.stderr


@pytest.mark.parametrize("command", ["deal", "solve"])
def test_rules_alone_are_no_deal(command: str) -> None:
    wrong = cellrace(command, "relaxed")
    assert wrong.returncode == EXIT_USAGE
    assert wrong.stderr == "cellrace: name a deal too (617, FC1-C4-AAAAAKH)\n"


def test_the_list_of_races_is_followed_or_json() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["races", "--follow", "--json", "--url", NOWHERE])
    assert ended.value.code == EXIT_USAGE


@pytest.mark.parametrize(
    ("number", "alone", "in_a_table"), [(1, "1 move", "   1 move |"), (70, "70 moves", "  70 moves|")]
)
def test_one_is_counted_as_one(number: int, alone: str, in_a_table: str) -> None:
    assert f"{column(number, 'move', 4)}|" == in_a_table
    assert f"52/52  {alone}  " in footer(52, number, "", done=True).plain


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 races, 0 won"), (1, "1 race, 1 won"), (2, "2 races, 2 won")]
)
def test_a_profile_counts_as_people_do(number: int, text: str) -> None:
    rating = RatingRow("classic", 1_500, 80, number, True, 0, 0)
    profile = e.Profile(1, "p", "Ada", Kind.HUMAN, 0, number, number, 1, [rating], [], [], [])
    shown = list(lines(profile, e.Runs(2, "p", 0, 0, [])))
    assert text in shown[1]
    assert shown[2].endswith(f" {number} ranked race{'' if number == 1 else 's'}")


def test_without_a_server_playing_says_what_to_do() -> None:
    done = cellrace("quick", "--url", NOWHERE)
    assert done.returncode == EXIT_UNAVAILABLE
    assert done.stdout == ""
    assert "--local" in done.stderr


def test_the_doctor_says_that_no_server_answers() -> None:
    done = cellrace("doctor", "--json", "--url", NOWHERE)
    assert done.returncode == EXIT_UNAVAILABLE
    assert json.loads(done.stdout)["server"]["good"] is False


def test_a_whole_game_alone_in_lines(tmp_path: Path) -> None:
    saved = tmp_path / "run.json"
    lines = ["12v3", "undo", *winning_line(), f"save {saved}", "players", "quit"]
    done = cellrace("play", "--local", "--plain", "617", typed="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert "there is no move to take back" in done.stdout
    assert "All cards are home" in done.stdout
    assert "column 2: AD 7S" in done.stdout
    assert cellrace("verify", str(saved)).returncode == 0
    shown = cellrace("play", "--local", "--plain", "617", typed=f"replay {saved}\nnonsense\nhelp\nquit\n")
    assert "52 cards home" in shown.stdout
    assert "nonsense is no command here" in shown.stdout


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "cellules libres"), ("nl", "basisstapels"), ("uk", "стовпець")]
)
def test_lines_are_in_the_players_language(language: str, words: str) -> None:
    done = cellrace("play", "--local", "--plain", "617", "--language", language, typed="hint\nquit\n")
    assert words in done.stdout


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial/first-race.md"])
def test_the_commands_that_pages_show_are_there(page: str) -> None:
    pages = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    text = "\n".join(re.findall(r"```sh\n(.*?)```", pages, re.DOTALL))
    shown = re.findall(r"^(?:\.venv/bin/)?cellrace ([a-z]+)(.*?)(?:  #.*)?$", text, re.MULTILINE)
    assert shown
    for command, rest in shown:
        usage = cellrace(command, "--help").stdout
        assert usage.startswith(f"usage: cellrace {command}")
        assert [flag for flag in re.findall(r"--[a-z-]+", rest) if flag not in usage] == []


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["nonsense"], ["--nonsense"], ["watch"], ["deal", "617", "--nonsense"], ["top", "--count", "many"],
        ["play", "--langu", "fr"], ["watch", "abc", "--url", "nowhere:x"], ["races", "--url", "ws://"],
        ["races", "--url", "ws://localhost:99999/ws"], ["races", "--url", "http://[x"], ["watch", "http://[x"],
        ["join", "http://[x/r/abc"], ["replay", "http://a:99999/g/x-0"], ["play", "--language", "de"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_told_with_the_usage_and_its_status(arguments: list[str]) -> None:
    done = cellrace(*arguments)
    assert done.returncode == EXIT_USAGE
    assert done.stdout == ""
    assert done.stderr.startswith("usage: cellrace")
    assert ": error: " in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
@pytest.mark.parametrize("command", [["daily", "--bot", "hard"], ["ghost", "run"], ["replay", "run"]])
def test_a_speed_is_above_0_before_anything_is_begun(command: list[str], speed: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--url", NOWHERE, f"--speed={speed}"])
    assert ended.value.code == EXIT_USAGE


@pytest.mark.parametrize("command", [["bot", "617", "--moves", "moves.txt"], ["demo"]])
def test_a_pace_is_0_or_more(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--pace=nan"])
    assert ended.value.code == EXIT_USAGE
    assert "--pace: nan is no finite number of 0 or more" in capsys.readouterr().err


def test_house_bots_have_a_speed(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        house.main(["--speed", "0", "--tokens", str(tmp_path / "bots.json")])
    assert ended.value.code == EXIT_USAGE


@pytest.mark.parametrize(
    "command", [["profile"], ["top", "617"], ["daily"], ["bot", "617", "--moves", os.devnull]]
)
def test_a_token_file_that_holds_none_is_named(command: list[str], tmp_path: Path) -> None:
    moves, token = tmp_path / "moves", tmp_path / "token"
    moves.write_text("2a")
    token.write_bytes(b"\xff")
    command = [str(moves) if word == os.devnull else word for word in command]
    done = cellrace(*command, "--token-file", str(token), "--url", NOWHERE)
    assert done.stderr == f"cellrace: {token}: it holds no token\n"
    assert done.returncode in (EXIT_NO_INPUT, EXIT_CANNOT_CREATE)


@pytest.mark.parametrize("count", [["--count", "-1"], ["--offset", "-1"]])
def test_rows_are_none_or_more(count: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "Ada", *count, "--url", NOWHERE]) == EXIT_USAGE
    assert capsys.readouterr().err == "cellrace: --count and --offset are 0 or more\n"


@pytest.mark.parametrize("way", ["--print", "--json"])
def test_a_race_against_a_run_is_not_opened_for_others(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", "617", "--against", "best", way, "--url", NOWHERE]) == EXIT_USAGE
    assert "--against is alone" in capsys.readouterr().err


def test_the_server_of_a_link_to_race_against_counts() -> None:
    done = cellrace("race", "--against", "http://127.0.0.1:9/g/abcdefg-0")
    assert done.returncode == EXIT_UNAVAILABLE
    assert NOWHERE in done.stderr


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (["replay", "nowhere/x.json"], EXIT_NO_INPUT),
        (["verify", "nowhere.json"], EXIT_NO_INPUT),
        (["bot", "617", "--moves", "nowhere.txt"], EXIT_NO_INPUT),
        (["top", "617", "--token-file", "nowhere.token"], EXIT_NO_INPUT),
        (["verify", "{none}"], EXIT_DATA),
        (["replay", "{none}"], EXIT_DATA),
        (["bot", "617", "--moves", "{none}"], EXIT_DATA),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_named(command: list[str], status: int, tmp_path: Path) -> None:
    none = tmp_path / "none"
    none.write_bytes(b"\xff")
    done = cellrace(*(word.format(none=none) for word in command))
    assert done.returncode == status
    name = command[-1].format(none=none)
    said = "it is no text" if status == EXIT_DATA else "No such file or directory"
    assert done.stderr == f"cellrace: {name}: {said}\n"


def test_what_cannot_be_written_has_another_status(capsys: pytest.CaptureFixture[str]) -> None:
    async def writing() -> int:
        raise FileNotFoundError(2, "No such file or directory", "nowhere/x")

    async def breaking() -> int:
        raise OSError("out of luck")

    assert run_online(writing()) == EXIT_CANNOT_CREATE
    assert run_online(breaking()) == EXIT_CANNOT_CREATE
    assert capsys.readouterr().err.splitlines()[-1] == "cellrace: out of luck"


def gone(cause: Exception) -> Disconnected:
    error = Disconnected("gone")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (CannotConnect(NOWHERE, "nobody is there"), EXIT_UNAVAILABLE),
        (CannotConnect(NOWHERE, "full", 5), EXIT_TRY_AGAIN),
        (Disconnected("gone"), EXIT_UNAVAILABLE),
        (gone(OSError()), EXIT_UNAVAILABLE),
        (gone(RequestFailed("revoked", "not any more")), EXIT_DATA),
        (RequestFailed("full", "all seats are taken"), EXIT_DATA),
        (RequestFailed("busy", "not now", 500), EXIT_TRY_AGAIN),
        (DealError("number", "there is no deal 0"), EXIT_USAGE),
        (ReplayError("version", "it is none"), EXIT_DATA),
    ],
    ids=repr,
)
def test_what_goes_wrong_has_a_status(
    error: Exception, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def failing() -> int:
        raise error

    assert run_online(failing()) == status
    said = capsys.readouterr().err
    assert said.startswith(f"cellrace: {error}\n")
    assert ("Is it running" in said) == (isinstance(error, CannotConnect) and status == EXIT_UNAVAILABLE)


@pytest.mark.parametrize(
    ("language", "said"), [("fr", "ce nom n’est pas souhaité ici"), ("", "таке ім’я тут")]
)
def test_a_name_that_is_refused_is_told_in_the_users_language_with_its_code(
    language: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the command, or that of the environment."""
    monkeypatch.setenv("LC_ALL", "uk_UA.UTF-8")

    async def refused() -> int:
        raise RequestFailed("bad_name", "this name is not wanted here", facts={"reason": "unwanted"})

    words = Catalogue(language) if language else None
    assert run_online(refused(), words) == EXIT_DATA
    told = capsys.readouterr().err
    assert told.startswith(f"cellrace: {said}")
    assert told.endswith(" (bad_name)\n")


def test_a_line_that_is_no_text_is_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cellrace_client", "play", "--local", "--plain"],
        input=b"\xff\nhelp\nquit\n",
        capture_output=True,
        timeout=60,
        check=False,
        env={"PATH": "", "LANG": "C.UTF-8", "CELLRACER_HOME": "nowhere"},
    )
    assert done.returncode == 0
    assert "\ufffd is no command here" in done.stdout.decode()
    assert "Races:" in done.stdout.decode()


def test_options_without_a_command_are_those_of_play() -> None:
    done = cellrace("--local", "--plain", "--language", "nl", typed="quit\n")
    assert done.returncode == 0, done.stderr
    assert cellrace("--nonsense").returncode == EXIT_USAGE


def test_who_reads_no_further_is_told_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async def printing() -> int:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):  # which ends the command with 0
        run_online(printing())
    assert capsys.readouterr().err == ""


def test_a_daily_whose_deal_is_being_chosen_is_told_so() -> None:
    assert [*missing(e.Dailies(1, "2026-11-30", 60_000, [], ["classic"]))] == [
        "classic: the deal is being chosen, ask again in a few seconds"
    ]
    assert len([*missing(e.Dailies(1, "2026-11-30", 60_000, []))]) == 1, "of a server that is older"
