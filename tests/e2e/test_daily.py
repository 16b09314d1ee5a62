"""The deal of the day on a real server: one attempt, secrecy, what a killed server remembers, the commitment."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cellrace_client import Client, Kind, RequestFailed, connect
from cellrace_client.boards import BoardQuery
from cellrace_protocol.commands import Scope
from tests.support.server_process import ServerProcess, server_process
from tests.support.winning import won

pytestmark = pytest.mark.asyncio

WITHIN = 60
SCRIPT = re.compile(r"```python\n(.*?)```", re.DOTALL)


async def refused(request: object) -> str:
    with pytest.raises(RequestFailed) as failed:
        await request  # type: ignore[misc]
    return failed.value.code


async def on_the_board(client: Client) -> list[str]:
    while not (rows := await client.dailies.top()):  # noqa: ASYNC110 - booked in a moment
        await asyncio.sleep(0.02)
    return [row.run for row in rows]


async def promises(client: Client) -> list[tuple[str, str]]:
    """All commitments."""
    rows = (await client.dailies.today()).rows
    return [(row.commitment, row.next_commitment) for row in rows]


@pytest.mark.spec("3.11")
@pytest.mark.spec("4.5")
async def test_one_attempt_then_practice_and_nobody_else_is_shown_the_deal(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, token=ada.token) as elsewhere,
        connect(server.url, name="Grace") as grace,
    ):
        await server.dailies_chosen()
        race = await ada.dailies.play()
        assert (await elsewhere.dailies.play()).id == race.id
        assert await refused(grace.watch(race.id)) == "day_not_over"
        assert await refused(grace.join(race.id)) in ("starting", "started")
        race = await ada.dailies.play()
        await won(race)
        run = f"{race.id}-0"
        assert await on_the_board(grace) == [run]
        assert await refused(grace.watch(race.id)) == "day_not_over"
        assert await refused(grace.replay(run)) == "day_not_over"
        assert "cellrace-replay" in await ada.replay(run)
        for client in (grace, ada):
            assert await refused(client.ghosts.race(run)) == "day_not_over"
        assert [row.deal for row in await grace.dailies.top()] == [""]
        assert [row.deal for row in (await grace.runs(ada.player)).rows] == [""]
        own = (await ada.runs()).rows
        assert [(row.run, row.deal != "", row.first) for row in own] == [(run, True, True)]
        assert [row.deal for row in await ada.dailies.top()] == [own[0].deal]
        for scope in (Scope.DAY, Scope.WEEK, Scope.EVER):
            assert (await grace.board(BoardQuery(scope=scope))).total == 0
        assert (await grace.board(BoardQuery(own[0].deal))).total == 0
        practice = await ada.dailies.play()
        model = await practice.until(lambda _: True)
        assert (model.practice, practice.id == race.id) == (True, False)
        today = await ada.dailies.today()
        assert [row.attempt for row in today.rows if row.rules == "classic"] == ["done"]
        assert [(row.streak, row.longest) for row in today.rows if row.rules == "classic"] == [(1, 1)]
        theirs = (await grace.dailies.today()).rows[0]
        assert (theirs.attempt, theirs.race, theirs.time, theirs.last_deal) == ("open", "", -1, "")
        assert await grace.dailies.top(kind=Kind.BOT) == []


async def test_the_script_in_the_documents_tells_a_kept_promise_from_a_broken_one(
    server: ServerProcess, tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / "docs/howto/daily.md").read_text(encoding="utf-8")
    script = tmp_path / "verify_daily.py"
    (text,) = SCRIPT.findall(page)
    script.write_text(text, encoding="utf-8")
    assert len(text.splitlines()) <= 10
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        await server.dailies_chosen()
        race = await ada.dailies.play()
        await race.until(lambda model: model.phase == "running")
        await race.give_up()
        model = await race.until(lambda model: model.phase == "ended")
        promised = (await ada.dailies.today()).rows[0].commitment
        assert model.commitment == promised

    def said(commitment: str, deal: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, script, commitment, deal, model.salt],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, (done.stdout or done.stderr)[:5]

    assert await asyncio.to_thread(said, promised, model.deal) == (0, "TRUE:")
    assert await asyncio.to_thread(said, promised, "FC1-C4-AAAAATJ") == (1, "FALSE")


async def test_a_killed_server_keeps_the_promise_and_the_attempt(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN):
        async with server_process(tmp_path / "data") as server, connect(server.url, name="Ada") as ada:
            await server.dailies_chosen()
            token, race = ada.token, await ada.dailies.play()
            await race.until(lambda model: model.phase == "running")
            promised = await promises(ada)
            await server.stop(signal.SIGKILL)
        async with server_process(tmp_path / "data") as server, connect(server.url, token=token) as ada:
            await server.dailies_chosen()
            assert await promises(ada) == promised
            today = await ada.dailies.today()
            assert (today.rows[0].attempt, today.rows[0].race) == ("under_way", race.id)
            assert (await ada.dailies.play()).id == race.id
