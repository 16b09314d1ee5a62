"""Replays as files, over plain HTTP."""

import asyncio
import sys
from pathlib import Path

import pytest

from cellrace_client import connect
from tests.e2e.test_daily import won as daily_won
from tests.e2e.test_ghosts import win
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 60


@pytest.mark.spec("12")
async def test_a_replay_is_fetched_as_a_file_and_verified(server: ServerProcess, tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        run = await win(ada)
        document = await ada.replay(run)
        for path in (f"/replays/{run}", f"/replays/{run}.json", f"/replays/{run}?download"):
            got = await server.get(path)
            assert (got.status, got.body) == (200, document)
        for header in (
            *("Content-Type: application/json", f'ETag: "{run}"', "Access-Control-Allow-Origin: *"),
            *("Cache-Control: public, max-age=3600", f"Content-Length: {len(document.encode())}"),
        ):
            assert f"{header}\r\n" in got.headers + "\r\n"
        assert got.headers.count("Cache-Control") == 1
        head = await server.get(f"/replays/{run}", "HEAD")
        assert (head.status, head.body) == (200, "")
        assert f"Content-Length: {len(document.encode())}" in head.headers
        for known, status in ((f'"{run}"', 304), (f'W/"{run}", "other-0"', 304), ('"other-0"', 200)):
            assert (await server.get(f"/replays/{run}", If_None_Match=known)).status == status
        kept = tmp_path / "run.json"
        kept.write_text(got.body, encoding="utf-8")
        command = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cellrace_client", "verify", kept
        )
        assert await command.wait() == 0


async def test_what_is_no_replay_is_said(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        for path in (
            "nosuchr-0",
            "nosuchr-0.json",
            "nosuchr",
            "NOSUCHR-0",
            "..%2Fx-0",
            "",
            "a-0/b-0",
            "a-100",
        ):
            assert (await server.get(f"/replays/{path}")).status == 404, path
        refused = await server.get("/replays/nosuchr-0", "POST")
        assert refused.status == 405
        assert "Traceback" not in server.log


async def test_a_run_of_the_daily_is_nobodys_file_while_the_day_lasts(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        race = await ada.dailies.play()
        run = await daily_won(race)
        while not await ada.dailies.top():  # noqa: ASYNC110 - booked in a moment
            await asyncio.sleep(0.02)
        got = await server.get(f"/replays/{run}")
        assert (got.status, got.body.partition(" ")[0]) == (403, "a")
        assert (await server.get(f"/replays/{run}", If_None_Match=f'"{run}"')).status == 403
