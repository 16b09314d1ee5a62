"""The line mode against a real server: two people race in lines, a third looks on."""

import asyncio
import json
import sys

import pytest

from tests.client.plain.people import WITHIN, Person
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


async def test_two_race_in_lines_while_a_third_looks_on(server: ServerProcess) -> None:
    ada, grace, third = (Person(server.url, name) for name in ("Ada", "Grace", "Eve"))
    ada.type("race 617")
    invited = await ada.hears("cellrace join")
    race = invited.split("cellrace join ")[1].split()[0]
    grace.type(f"join {race}")
    await ada.hears("Grace")
    third.type("races")
    await third.hears("no race is open or running")  # it is for friends, and on no list
    third.type(f"watch {race}")
    await third.hears("Grace")
    ada.type("ready")
    grace.type("")
    await ada.hears("go! the deal is 617 (FC1-C4-AAAAATJ")
    await grace.hears("column 2: AD 7S")
    grace.type("2a", "2", "77", "undo", "players", "hint")
    await grace.hears("2a. KS to free cell a; column 2 ends with TS. 0 cards home")
    await grace.hears("undo. 0 cards home")
    ada.type(*winning_line())
    await grace.hears("Ada, 52 cards home")
    third.type("board")
    await third.hears("free cells: a empty")
    grace.type("give up")
    for person in (ada, grace, third):
        await person.hears("The race is over")
        await person.hears("1. Ada (you): " if person is ada else "1. Ada: ")
    ada.type("rematch")
    await eventually(lambda: sum("cellrace join" in line for line in grace.said) == 2, WITHIN)
    ada.type("daily", "boards", "boards 617", "leave", "quit")
    await ada.hears("the next comes in")
    await ada.hears("back in the lobby")
    grace.type("end")
    third.type("end")
    async with asyncio.timeout(WITHIN):
        await asyncio.gather(ada.task, grace.task, third.task)


async def test_a_race_can_be_opened_for_others_and_printed(server: ServerProcess) -> None:
    opened = await cellrace("race", "617", "pocket", "--json", "--url", server.url)
    found = json.loads(opened)
    assert found["link"].endswith(f"/r/{found['race']}")
    ada = Person(server.url, "Ada")
    ada.type(f"join {found['race']}", "quit")
    await ada.hears("Ada, 0 cards home")
    rows = json.loads(await cellrace("races", "--json", "--url", server.url))
    assert [row["rules"] for row in rows] in ([], ["pocket"])
    async with asyncio.timeout(WITHIN):
        await ada.task


async def test_a_race_of_strangers_is_on_the_list(server: ServerProcess) -> None:
    ada, third = Person(server.url, "Ada"), Person(server.url, "Eve")
    ada.type("quick")
    await ada.hears("Ada")
    async with asyncio.timeout(WITHIN):
        while not any("open, classic: Ada" in line for line in third.said):  # it takes a second
            heard = len(third.said)
            third.type("races")
            await eventually(lambda heard=heard: len(third.said) > heard, WITHIN)  # type: ignore[misc]
        ada.type("leave", "quit")
        third.type("quit")
        await asyncio.gather(ada.task, third.task)


async def cellrace(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", *arguments), stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(WITHIN):
        output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode()
