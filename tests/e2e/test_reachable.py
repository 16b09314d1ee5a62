"""What the library can ask for, people reach from their terminals: options of races, boards of the day, profiles."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from cellrace_client import Kind, connect
from cellrace_client.identities import HOME
from tests.client.plain.people import Person
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def cellrace(server: ServerProcess, home: Path, *words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", *words, "--url", server.url),
        env={**os.environ, HOME: str(home)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return out.decode()


async def test_a_race_of_ones_own_and_what_is_told_of_it(server: ServerProcess, tmp_path: Path) -> None:
    """A series of two alone and together, then the boards, runs and profile of who has won."""
    async with asyncio.timeout(WITHIN):
        options = ["--seats", "2", "--best-of", "3", "--limit", "5", "--countdown", "0", "--bots", "--public"]
        opened = json.loads(await cellrace(server, tmp_path, "race", "617", *options, "--json"))
        async with connect(server.url, name="Bot", kind=Kind.BOT) as client:
            race = await client.join(opened["race"])
            assert race.model is None or race.model.best_of == 3
            ada = Person(server.url, "Ada", tmp_path / "identities")
            ada.type(f"join {opened['race']}")
            await ada.hears("Best of 3, game 1. Ada: 0, Bot: 0")
            race.ready()
            ada.type("ready")
            await ada.hears("go! the deal is 617")
            ada.type("33", "board Ada", *winning_line()[:0])
            ada.type("restart", *winning_line())
            await ada.hears("Ada, 52 cards home")
            await race.give_up()
            await ada.hears("Best of 3, game 1. Ada: 1, Bot: 0")
            ada.type(
                "leave", f"boards {DEAL} around", "runs", "profile", "ratings", "create seats 1 617", "quit"
            )
            await ada.ends()
        said = "\n".join(ada.said)
        assert "you: place 1 of 1" in said
        assert "1 race, 1 won, 1 finished" in said
        assert "nobody has a rating yet" in said
        assert "Friends join with" in said
        assert "1 race, 1 won" in await cellrace(server, tmp_path, "profile")
        assert "Ada" in await cellrace(server, tmp_path, "top", "617", "--around")
        before = await cellrace(server, tmp_path, "token", "--show")
        assert "Ada" in await cellrace(server, tmp_path, "token", "--renew")
        assert await cellrace(server, tmp_path, "token", "--show") != before
        assert "Ada" in await cellrace(server, tmp_path, "token")


async def test_the_board_of_the_day_is_asked_for_by_what_counts(
    server: ServerProcess, tmp_path: Path
) -> None:
    async with asyncio.timeout(WITHIN):
        await cellrace(server, tmp_path, "daily", "--bot", "hard", "--speed", "1000", "--name", "Solvo")
        shown = await cellrace(server, tmp_path, "daily", "--by", "moves")
        assert "days are UTC" in shown
        assert "bots:" in shown
        day = shown.partition(":")[0]
        top = json.loads(
            await cellrace(server, tmp_path, "daily", "--day", day, "--bots", "--json", "--by", "moves")
        )
        assert top["rows"], top
        assert (top["by"], top["rows"][0]["name"]) == ("moves", "Solvo")
