"""Two players and a spectator race deal 617 against a real server with a real store."""

import asyncio
from pathlib import Path

import pytest

from cellrace_client import Client, Race, RaceModel, connect
from cellrace_engine.replay import from_json, verify
from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON
from cellrace_protocol.commands import Kind
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess, server_process

pytestmark = pytest.mark.asyncio

WITHIN = 30


async def pipelined(race: Race, moves: list[str]) -> None:
    """All moves at once, answers awaited afterwards."""
    await asyncio.gather(*(race.move(move) for move in moves))


async def ready_to_race(*races: Race) -> None:
    for race in races:
        race.ready()
    for race in races:
        await race.until(lambda model: model.phase == "running")


async def watched(race: Race) -> list[object]:
    """Every event of a race to its end."""
    return [event async for event in race]


async def test_a_race_from_end_to_end_with_a_spectator_on_the_other_codec(tmp_path: Path) -> None:
    """Two players race deal 617, a third watches (on JSON); the result stands on a board after a restart, and its
    replay re-runs to the same final position and time."""
    async with asyncio.timeout(2 * WITHIN), server_process(tmp_path) as server:
        async with (
            connect(server.url, name="Ada") as ada,
            connect(server.url, name="Grace") as grace,
            connect(server.url, name="Alan", codec=JSON) as alan,
        ):
            mine = await ada.create(str(DEAL), countdown_ms=50)
            theirs = await grace.join(mine.id)
            seen = await alan.watch(mine.id)
            watching = asyncio.create_task(watched(seen))
            await ready_to_race(mine, theirs)
            await asyncio.gather(pipelined(mine, winning_line()), pipelined(theirs, ["2a", "2b"]))
            await theirs.undo()
            await theirs.give_up()
            models = [await race.until(lambda model: model.phase == "ended") for race in (mine, theirs, seen)]
            check_standings(models)
            events = await watching
            assert [event.k for event in events if isinstance(event, e.RaceMessage)] == list(
                range(events[0].k + 1, models[2].k + 1)  # type: ignore[attr-defined]
            )
            won = models[0].standings[0].time
            run = await booked(ada, mine.id, won)
        assert await server.stop() == 0
        async with server_process(tmp_path) as again, connect(again.url) as anybody:
            assert (await anybody.top(str(DEAL)))[0].run == run
            await check_replay(anybody, run, won)


def check_standings(models: list[RaceModel]) -> None:
    for model in models:
        assert [(row.place, row.seat, row.home) for row in model.standings] == [(1, 0, 52), (2, 1, 0)]
        assert model.standings == models[0].standings
        assert model.seats[0].home == 52
    for model in (models[0], models[2]):  # the winner and the spectator see the winner's board
        assert model.seats[0].board is not None
        assert model.seats[0].board.home == 52
    assert models[0].salt
    assert models[0].deal == "FC1-C4-AAAAATJ"


async def booked(client: Client, race: str, time: int) -> str:
    """The name of the run on the board, as soon as it stands there."""
    while not (rows := await client.top(str(DEAL))):
        pass
    (row,) = rows
    assert (row.place, row.name, row.time, row.run) == (1, "Ada", time, f"{race}-0")
    return row.run


async def check_replay(client: Client, run: str, time: int) -> None:
    replay = from_json(await client.replay(run))
    verification = verify(replay)
    assert verification.failure is None
    assert verification.lines[0].won
    result = replay.players[0].result
    assert result is not None
    assert result.time_ms == time


async def test_bots_and_people_have_boards_of_their_own(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Line bot", kind=Kind.BOT) as bot:
        race = await bot.create(str(DEAL), seats=1, countdown_ms=0)
        await ready_to_race(race)
        await pipelined(race, winning_line())
        while not (rows := await bot.top(str(DEAL), kind=Kind.BOT)):
            pass
        assert [row.name for row in rows] == ["Line bot"]
        assert await bot.top(str(DEAL)) == []


async def test_a_deal_named_by_two_players_is_one_race(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        first, second = await asyncio.gather(ada.join("617"), grace.join("FC1-C4-AAAAATJ"))
        assert first.id == second.id
        assert {first.seat, second.seat} == {0, 1}
