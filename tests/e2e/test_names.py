"""Names as players see them: nobody has another's, and the host's wishes hold."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from cellrace_client import connect
from tests.support.server_process import server_process
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30

REFUSED = {
    "Konstantin Wladimir Ziolkowski": "un nom a de 1 à 24 caractères, celui-ci en a 30",
    "Ada!": "un nom n’a que lettres, chiffres, espaces et . _ - ’, pas de «\u202f!\u202f»",
    "***": "pas de «\u202f*\u202f»",
    "...": "un nom a au moins une lettre ou un chiffre",
    "A\u0301\u0302\u0303da": "une lettre porte au plus 2 signes",
    "\u0410da": "«\u202f\u0410da\u202f» mélange les lettres de plusieurs écritures",
    "The A.d.m.i.n": "ce nom n’est pas souhaité ici\u202f: choisissez-en un autre",
}


async def _refusal(url: str, name: str, folder: Path) -> str:
    """What the command line says to somebody French who wants to be called so."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", "quick", "--anonymous", "--language", "fr"),
        *("--name", name, "--url", url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "CELLRACER_HOME": str(folder), "PYTHONIOENCODING": "utf-8"},
    )
    _, said = await process.communicate()
    assert process.returncode == 65
    return said.decode()


@pytest.mark.spec("8.1")
async def test_why_a_name_is_refused_is_told_in_french(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(2 * WITHIN),
        server_process(tmp_path, "--blocked-names", "admin") as server,
    ):
        for name, words in REFUSED.items():
            said = await _refusal(server.url, name, tmp_path)
            assert said.startswith("cellrace: ")
            assert said.endswith(f"{words} (bad_name)\n")


@pytest.mark.spec("2.4")
async def test_a_name_that_is_taken_gets_a_number_and_keeps_it(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--blocked-names", "admin") as server,
        wire_client(server.url, name=None) as first,
        wire_client(server.url, name=None) as second,
        wire_client(server.url, name=None) as again,
    ):
        await first.say(["hello", 1, "The A.d.m.i.n"])
        assert (await first.hear())[1] == "bad_name"
        await first.hello("Ada")
        await second.hello("A.D.A")
        race = (await first.ask("create"))[3]
        await first.hear()
        assert (await second.ask("join", race))[6] == "A.D.A 2"
        assert [seat[1] for seat in (await second.hear())[19]] == ["Ada", "A.D.A 2"]
        assert (await first.hear_until("joined"))[6] == "A.D.A 2"
        assert (await again.hello("Ada", second.token))[3] == "A.D.A 2"
        async with connect(server.url, name="ada") as third:
            assert third.name == "ada"
            await third.create()
            assert third.name == "ada 3"
