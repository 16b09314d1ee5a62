"""What `cellrace play` begins with, against a server that says exactly what a test has written down."""

import asyncio
import sys

import pytest

from cellrace_client.cli import EXIT_NO_INPUT
from cellrace_client.openings import joining
from cellrace_engine import DealError
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted, snapshot

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def played(url: str, *arguments: str) -> str:
    """What the program says that is started like this, and has nothing typed in."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", *arguments, "--anonymous", "--url", url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN):
        output, _ = await process.communicate()
    assert process.returncode == EXIT_NO_INPUT, "nothing is typed in, and so nothing comes of it"
    return output.decode()


async def looked_at(said: Said) -> None:
    """Answer whoever only looks whether there is a server."""
    await said.socket.wait_closed()


@pytest.mark.parametrize(
    ("arguments", "what", "rules"),
    [
        (["play", "617"], "617", "classic"),
        (["play", "617", "--rules", "relaxed"], "FC1-C4-AAAAATJ", "relaxed"),
        (["join", "617", "pocket+cells=2"], "FC1-C2-AAAAATJ", "pocket+cells=2"),
        (["join", "bacedif"], "bacedif", "classic"),
    ],
)
async def test_a_deal_is_joined_under_the_rules_that_are_named(
    arguments: list[str], what: str, rules: str
) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.enter()
        assert isinstance(asked, c.Join)
        assert (asked.what, asked.rules) == (what, rules)
        await said.socket.wait_closed()

    async with scripted(looked_at, server) as url:
        assert "Me" in await played(url, *arguments)


async def test_rules_without_a_deal_open_a_race_under_them() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Create)
        assert (asked.deal, asked.rules) == ("", "relaxed")
        await said.say(e.Entered(asked.r, 2, "race", 0, 1), snapshot(5))
        await said.socket.wait_closed()

    async with scripted(looked_at, server) as url:
        assert "Me" in await played(url, "play", "--rules", "relaxed")


async def test_rules_beside_what_is_no_deal_are_refused() -> None:
    with pytest.raises(DealError):
        joining("bacedif relaxed")
