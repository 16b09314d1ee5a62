"""The server killed around the finish: each result is on each of its boards exactly once (invariant 4)."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cellrace_client import Client, Race, connect
from cellrace_engine import DealCode
from cellrace_engine.replay import from_json, verify
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.core.ratings import Pool
from cellrace_server.ports.results import Look, Run
from tests.e2e.test_crashes import facts_of, killed_after
from tests.server.contracts.test_many_results import exact
from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, free_port
from tests.support.winning import winning_moves

pytestmark = pytest.mark.asyncio

SEED = 617
WITHIN = 40
DAILY = ("classic", "pocket+cells=2")
RANKED = ("classic", "pocket")
"""In turn: the second has boards of scores."""


async def nearly_won(race: Race) -> tuple[Race, str]:
    """Play until a single move is missing, once the race runs: the race and that move."""
    model = await race.until(lambda model: model.phase == "running")
    *moves, last = await asyncio.to_thread(winning_moves, model.deal, model.rules)
    await asyncio.gather(*(race.move(move) for move in moves))
    return race, last


async def won(race: Race, last: str) -> None:
    await race.move(last)
    await race.until(lambda model: model.phase == "ended")
    race.part()


class Races:
    """Those that are raced in a test, and what is to be found of each when all is over."""

    def __init__(self) -> None:
        self.runs: dict[str, list[str]] = defaultdict(list)
        """The races of each player that the player finishes."""
        self.rated: dict[str, list[str]] = defaultdict(list)
        """By rule set, in order."""
        self.attempts: list[tuple[str, str]] = []
        """Players and rule sets."""

    def begun(self, client: Client, race: Race) -> Race:
        self.runs[client.player].append(race.id)
        return race

    async def ranked(self, here: Client, there: Client, rules: str) -> list[Race]:
        """Two against each other on a deal that is drawn."""
        race = self.begun(here, await here.create(rules=rules, ranked=True, countdown_ms=0, delay_ms=0))
        other = self.begun(there, await there.join(race.id))
        self.rated[rules].append(race.id)
        for each in (race, other):
            each.ready()
        return [race, other]

    async def friendly(self, client: Client) -> Race:
        """One alone on a deal that was named."""
        race = self.begun(client, await client.create(str(DEAL), seats=1, countdown_ms=0))
        race.ready()
        return race

    async def attempt(self, client: Client, rules: str) -> Race:
        self.attempts.append((client.player, rules))
        return self.begun(client, await client.dailies.play(rules))


async def all_booked(client: Client, count: int) -> None:
    while (await client.runs()).total < count:  # noqa: ASYNC110 - booked in a moment
        await asyncio.sleep(0.02)


async def check(store: RedisStore, races: Races) -> None:
    """One run of each player a race, with its replay; each board has each player's best, and nothing else."""
    found: list[Run] = []
    for player, raced in races.runs.items():
        assert sorted(await store.careers.races(player, len(raced) + 1)) == sorted(raced)
        total, runs = await store.results.runs(player, len(raced) + 1)
        assert total == len(runs)
        assert sorted(run.race for run in runs) == sorted(raced)
        found += runs
    for run in found:
        replay = await store.results.replay(run.id)
        assert replay is not None
        assert verify(from_json(replay.decode())).failure is None
        assert run.first is not run.deal.startswith(str(DealCode(4, DEAL))), "only that one was named before"
    boards = exact(found)
    for board, standings in boards.items():
        page = await store.results.page(board, Look(100))
        assert [row.run.id for row in page.rows] == [standing.run for standing in standings]
        assert page.total == len(standings)
    kinds = {(board.split(":")[0], board.split(":")[-1]) for board in boards}
    everywhere = {(scope, sight) for scope in ("deal", "day", "week", "ever") for sight in ("any", "first")}
    assert kinds == everywhere | {("deal", "practised"), ("daily", "any")}
    assert any(":score:" in board for board in boards)
    assert list(await store.log.unsettled()) == []


async def check_counted(store: RedisStore, races: Races, rivals: Sequence[str]) -> None:
    """Ratings are counted once, those of one race after those of the other; and so are the days."""
    for rules, raced in races.rated.items():
        pool = Pool(rules)
        for player, rated in zip(rivals, await store.ratings.of(pool, rivals), strict=True):
            assert [step.race for step in await store.ratings.history(pool, player)] == raced
            assert rated is not None
            assert rated.races == len(raced)
    for player, rules in races.attempts:
        days = await store.dailies.days(player, rules)
        assert sum(byte.bit_count() for byte in days) == 1


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
async def test_results_survive_a_server_killed_around_the_finish(tmp_path: Path, kills: int) -> None:
    """Runs are finished at about the instant of each kill, before it, in it, or after the next start: both of a ranked
    race on a drawn deal, one on a deal that was named, and as long as there are some an attempt at a daily."""
    chance = random.Random(SEED)
    port = free_port()
    server = await ServerProcess.start(tmp_path, port)
    races = Races()
    try:
        async with AsyncExitStack() as stack, asyncio.timeout(WITHIN + 12 * kills):
            ada, grace, alan, *others = [
                await stack.enter_async_context(connect(server.url, name=f"{name} {number}"))
                for number, name in enumerate(["Ada", "Grace", "Alan", *["Edsger"] * min(kills // 2, 8)])
            ]
            await server.dailies_chosen()
            attempts = [await races.attempt(client, rules) for client in others for rules in DAILY]
            for kill in range(kills):
                racing = await races.ranked(ada, grace, RANKED[kill % 2])
                racing += [await races.friendly(alan), *attempts[kill : kill + 1]]
                ready = await asyncio.gather(*(nearly_won(race) for race in racing))
                finishing = asyncio.gather(*(won(race, last) for race, last in ready))
                await killed_after(server, chance.uniform(0, 0.04))
                server = await ServerProcess.start(tmp_path, port)
                await finishing
                for client in (ada, grace, alan):
                    await all_booked(client, kill + 1)
            for client in others:
                await all_booked(client, len(DAILY))
        assert await server.stop() == 0
    finally:
        if server.process.returncode is None:
            server.process.kill()
            await server.process.wait()
    async with facts_of(tmp_path) as store:
        await check(store, races)
        await check_counted(store, races, [ada.player, grace.player])


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
