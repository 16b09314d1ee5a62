"""`cellrace bot`: several bots race each other on a real server and end by themselves."""

import asyncio
import json
import sys

import pytest

from cellrace_client import Kind, connect
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 90
RULES = "classic+undo_depth=5"


async def bots(server: ServerProcess, *arguments: str) -> tuple[int, str, str]:
    """The command to its end: its status, what it printed, and what it said on standard error."""
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", "bot", *arguments, "--url", server.url),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN):
        out, err = await command.communicate()
    assert command.returncode is not None
    return command.returncode, out.decode(), err.decode()


async def test_bots_race_each_other_so_often_and_end(server: ServerProcess) -> None:
    arguments = (
        "--count",
        "4",
        "--races",
        "2",
        "--speed",
        "500",
        "--bot",
        "hard",
        "--name",
        "Robot",
        "--json",
    )
    status, out, err = await bots(server, *arguments)
    outcomes = [json.loads(line) for line in out.splitlines()]
    assert (status, len(outcomes)) == (0, 8), err
    assert {outcome["bot"] for outcome in outcomes} == {f"Robot {number}" for number in range(1, 5)}
    assert sum(outcome["place"] == 1 for outcome in outcomes) >= 4
    assert all(outcome["end"] in ("home", "gave_up") and outcome["moves"] for outcome in outcomes)
    begun, ended = err.splitlines()
    assert begun == "4 bots, 2 races each: waiting for races"
    assert ended.startswith("4 bots: 4 races, ")
    assert err.endswith("wins, 0 faults\n")
    async with connect(server.url) as client:
        assert (await client.players.profile("Robot 1")).kind is Kind.BOT


async def test_who_meets_nobody_goes(server: ServerProcess) -> None:
    status, out, err = await bots(server, "--count", "3", "--patience", "3", "--speed", "500")
    assert err.startswith("3 bots: waiting for races\nthey race in twos: one stays alone")
    assert "nobody came" not in err
    assert err.count(": home in ") + err.count(" home\n") == 2
    assert (status, out.splitlines()[-1]) == (0, out.strip()), "one line"
    assert out.startswith("3 bots: 1 race, ")
    assert out.endswith("one stayed alone\n")


async def test_the_odd_one_goes_when_no_other_is_left(server: ServerProcess) -> None:
    status, out, _ = await bots(server, "--count", "3", "--speed", "500")
    assert (status, out.endswith("one stayed alone\n")) == (0, True)


async def test_a_bot_does_what_a_run_did_in_its_time(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        race = await ada.create("617", rules=RULES, seats=1, countdown_ms=0)
        race.ready()
        await race.until(lambda model: model.phase == "running")
        await race.move("1a")
        await race.undo()
        for move in winning_line():
            await race.move(move)
        await race.until(lambda model: model.phase == "ended")
        while not await ada.top("617", rules=RULES):  # noqa: ASYNC110 - booked in a moment
            await asyncio.sleep(0.02)
        link = ada.ghosts.link(f"{race.id}-0")
        status, out, err = await bots(server, "--kind", "ghost", "--ghost", link, "--count", "2", "--json")
    outcomes = [json.loads(line) for line in out.splitlines()]
    assert (status, len(outcomes)) == (0, 2), err
    for outcome in outcomes:
        assert (outcome["end"], outcome["rules"], outcome["home"]) == ("home", RULES, 52)
        assert outcome["moves"] == len(winning_line())


async def test_a_race_that_is_not_there_is_a_fault(server: ServerProcess) -> None:
    status, out, err = await bots(server, "nosuchr", "--count", "2", "--name", "Robot")
    assert (status, out) == (65, "2 bots: 0 races, 0 wins, 2 faults\n")
    assert "Robot 2: " in err
