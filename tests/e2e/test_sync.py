"""The library without `await` against a real server."""

import inspect
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellrace_client
from cellrace_client import ActionRefused, CannotConnect, Disconnected, Kind, RequestFailed, sync
from cellrace_client.dailies import Dailies
from cellrace_client.ghosts import Ghosts
from cellrace_client.players import Players
from cellrace_protocol import events as e
from tests.support.lines import winning_line
from tests.support.processes import ending

WITHIN = 60
NOT_FOR_CALLERS = {
    "open",
    "close",
    "keep_token",
    "send",
    "later",
    "parted",
    "hear",
    "told",
    "resume",
    "entered_again",
    "channel_lost",
    "begin",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("sync")
    process = subprocess.Popen(
        [sys.executable, "-m", "cellrace_server", "--port", "0", "--data-dir", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        yield next(word.rstrip(")") for word in line.split() if word.startswith("ws://"))
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def test_a_script_races_to_the_end(url: str) -> None:
    before = threads()
    with sync.connect(url, name="Ada", kind=Kind.BOT) as client:
        race = client.create("617", seats=1, countdown_ms=0)
        race.ready()
        model = race.until(lambda model: model.phase == "running")
        first, *rest = winning_line()
        with pytest.raises(ActionRefused):
            race.move("12v9")
        race.begin(first).result(WITHIN)
        assert model.seats[0].moves == 0, "it is a copy"
        assert race.line is not None
        assert race.line.moves == 1
        for move in rest:
            assert race.legal_moves()
            race.move(move)
        kinds = [type(event) for event in race]
        assert (kinds[0], kinds[-1]) == (e.Snapshot, e.End)
        assert race.model is not None
        assert (race.model.seats[0].home, race.over) == (52, True)
        assert client.link(race).endswith(f"/r/{race.id}")
        with pytest.raises(RequestFailed) as unknown:
            client.watch("nosuchr")
        assert unknown.value.code == "not_found"
        assert client.players.profile().kind is Kind.BOT
        assert next(iter(client.follow())) is not None
    assert threads() == before
    with pytest.raises(Disconnected):
        client.races()
    with pytest.raises(Disconnected):
        race.move("2a")


def test_two_scripts_meet_and_rematch(url: str) -> None:
    with sync.connect(url, name="Grace") as grace, sync.connect(url, name="Alan") as alan:
        race = grace.create("617")
        other = alan.join(race.id)
        race.ready()
        other.ready()
        race.until(lambda model: model.phase == "running")
        race.give_up()
        other.give_up()
        race.until(lambda model: model.phase == "ended")
        again = grace.rematch(race)
        assert alan.gathered().id == again.id


def test_races_and_lists_are_blocks(url: str) -> None:
    with sync.connect(url, name="Ada") as client:
        with client.create("625") as race, client.follow() as races:
            assert not race.closed
        assert race.closed
        assert len([*races]) <= 1, "it is followed no more"
        last = client.create("626")
    with last:
        assert last.closed, "the client has gone first"


def test_errors_come_through_and_leave_no_thread() -> None:
    before = threads()
    with pytest.raises(CannotConnect), sync.connect("ws://127.0.0.1:9/ws"):
        pass
    assert threads() == before


def test_what_would_wait_for_itself_is_an_error(url: str) -> None:
    with sync.connect(url) as client:
        race = client.create(play=False)

        def asks(_: object) -> bool:
            return bool(client.races())

        with pytest.raises(RuntimeError, match="own thread"):
            race.until(asks)


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("awaited", "without"),
    [
        (cellrace_client.Client, sync.Client),
        (cellrace_client.Race, sync.Race),
        (Dailies, sync.Dailies),
        (Players, sync.Players),
        (Ghosts, sync.Ghosts),
    ],
)
def test_all_that_can_be_awaited_is_there_without(awaited: type, without: type) -> None:
    assert public(awaited) - public(without) - NOT_FOR_CALLERS == set()


def test_the_example_of_the_documents_runs(url: str) -> None:
    page = (Path(__file__).parents[2] / "docs/howto/client.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(from cellrace_client\.sync .*?)```", page, re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) <= 10
    script = found[1].replace("ws://127.0.0.1:8617/ws", url)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=WITHIN, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\d+ cards home after \d+ moves\n", done.stdout)


def test_the_bot_of_the_reference_races(url: str) -> None:
    page = (Path(__file__).parents[2] / "docs/reference/client.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(import asyncio\n.*?)```", page, re.DOTALL)
    assert found is not None
    script = found[1].replace("ws://127.0.0.1:8617/ws", url)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=WITHIN, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\d+ cards home, \d+ moves\n", done.stdout)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_what_waits(url: str) -> None:
    script = (
        "import sys\nfrom cellrace_client.sync import connect\n"
        f"with connect({url!r}) as client:\n    race = client.create(play=False)\n"
        "    print('waiting', flush=True)\n    race.until(lambda model: False)\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with ending(program) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=WITHIN)
    assert "KeyboardInterrupt" in err
    assert process.returncode in (-signal.SIGINT, 130)
