"""The server killed around the finish: each result is on each of its boards exactly once (invariant 4)."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from cellrace_client import Client, Race, connect
from cellrace_engine.replay import from_json, verify
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.core.boards import entries
from cellrace_server.core.ratings import Pool
from cellrace_server.ports.results import Look, Run
from tests.e2e.test_crashes import facts_of, killed_after
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess, free_port

pytestmark = pytest.mark.asyncio

SEED = 617
LINE = winning_line()
PLAYERS = 3


async def nearly_won(client: Client) -> Race:
    """A race of one in which a single move is missing."""
    race = await client.create(str(DEAL), seats=1, countdown_ms=0)
    race.ready()
    await race.until(lambda model: model.phase == "running")
    await asyncio.gather(*(race.move(move) for move in LINE[:-1]))
    return race


async def won(race: Race) -> None:
    await race.move(LINE[-1])
    await race.until(lambda model: model.phase == "ended")


async def all_booked(client: Client, count: int) -> None:
    while (await client.runs()).total < count:
        pass


async def check(store: RedisStore, players: Sequence[str], races: Sequence[str]) -> None:
    """One run a race, with its replay; each board has each player's best, and nothing else."""
    found: list[Run] = []
    for player in players:
        counted_races = await store.careers.races(player, len(races) + 1)
        assert len(counted_races) == len(races) // len(players)
        assert set(counted_races) <= set(races)
        total, runs = await store.results.runs(player, len(races) + 1)
        assert total == len(runs)
        found += runs
    assert sorted(run.race for run in found) == sorted(races)
    for run in found:
        replay = await store.results.replay(run.id)
        assert replay is not None
        assert verify(from_json(replay.decode())).failure is None
    assert not any(run.first for run in found), "they named the deal themselves"
    counted: dict[str, dict[str, tuple[int, int, str]]] = {}
    for run in found:
        for board, value in entries(run):
            rows = counted.setdefault(board, {})
            row = (value, run.at, run.id)
            rows[run.player.id] = min(rows.get(run.player.id, row), row)
    for board, rows in counted.items():
        page = await store.results.page(board, Look(100))
        assert [row.run.id for row in page.rows] == [name for _, _, name in sorted(rows.values())]
    assert list(await store.log.unsettled()) == []


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
async def test_results_survive_a_server_killed_around_the_finish(tmp_path: Path, kills: int) -> None:
    """Three races are finished at about the instant of each kill: before it, in it, or after the next start."""
    chance = random.Random(SEED)
    port = free_port()
    server = await ServerProcess.start(tmp_path, port)
    races: list[str] = []
    try:
        async with (
            asyncio.timeout(20 + 12 * kills),
            connect(server.url, name="Ada") as ada,
            connect(server.url, name="Grace") as grace,
            connect(server.url, name="Alan") as alan,
        ):
            clients = (ada, grace, alan)
            for kill in range(1, kills + 1):
                ready = await asyncio.gather(*(nearly_won(client) for client in clients))
                races += [race.id for race in ready]
                finishing = asyncio.gather(*(won(race) for race in ready))
                await killed_after(server, chance.uniform(0, 0.04))
                server = await ServerProcess.start(tmp_path, port)
                await finishing
                for client in clients:
                    await all_booked(client, kill)
            players = [client.player for client in clients]
        assert await server.stop() == 0
    finally:
        if server.process.returncode is None:
            server.process.kill()
            await server.process.wait()
    async with facts_of(tmp_path) as store:
        await check(store, players, races)


async def abandoned(winner: Client, loser: Client) -> Race:
    """A ranked race in which all is decided but for the loser's giving up; the loser's side of it."""
    race = await winner.create(seats=2, ranked=True, countdown_ms=0, delay_ms=0)
    other = await loser.join(race.id)
    for each in (race, other):
        each.ready()
        await each.until(lambda model: model.phase in ("running", "lobby"))
    await race.until(lambda model: model.phase == "running")
    await other.until(lambda model: model.phase == "running")
    await race.give_up()
    return other


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
async def test_races_are_rated_once_by_a_server_killed_around_their_end(tmp_path: Path, kills: int) -> None:
    chance = random.Random(SEED)
    port = free_port()
    server = await ServerProcess.start(tmp_path, port)
    races: list[str] = []
    try:
        async with (
            asyncio.timeout(20 + 12 * kills),
            connect(server.url, name="Ada") as ada,
            connect(server.url, name="Grace") as grace,
        ):
            for kill in range(1, kills + 1):
                race = await abandoned(ada, grace)
                races.append(race.id)
                ending = asyncio.gather(race.give_up())
                await killed_after(server, chance.uniform(0, 0.03))
                server = await ServerProcess.start(tmp_path, port)
                await ending
                while len((await ada.players.profile(history=100)).steps) < kill:
                    pass
            players = [ada.player, grace.player]
        assert await server.stop() == 0
    finally:
        if server.process.returncode is None:
            server.process.kill()
            await server.process.wait()
    async with facts_of(tmp_path) as store:
        for player in players:
            steps = await store.ratings.history(Pool("classic"), player)
            assert [step.race for step in steps] == races
            (rated,) = await store.ratings.of(Pool("classic"), [player])
            assert rated is not None
            assert rated.races == kills
            assert (await store.careers.of(player)).races == kills
        assert list(await store.log.unsettled()) == []
