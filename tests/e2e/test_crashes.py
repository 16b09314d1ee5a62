"""Server and store killed in the middle of races: nothing acknowledged is lost or doubled (invariant 2)."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cellrace_client import Client, Race, connect
from cellrace_client.session import Do
from cellrace_engine import CLASSIC, Line, Refusal, deal, parse_move
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.core.facts import AnyFact, GaveUp, Moved, Restarted, Undone
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess, free_port, server_process
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

ROUND = 6
SEED = 617


class Player:
    """A seat and everything that was acknowledged to it, in order."""

    def __init__(self, race: Race) -> None:
        self.race = race
        self.acknowledged: list[str | Do] = []

    async def act(self, *actions: str | Do) -> None:
        """Pipelined: all sent at once. Each must be acknowledged, however often the server goes down."""
        await asyncio.gather(*(self._one(action) for action in actions))

    async def _one(self, action: str | Do) -> None:
        if isinstance(action, str):
            await self.race.move(action)
        elif action is Do.UNDO:
            await self.race.undo()
        elif action is Do.RESTART:
            await self.race.restart()
        else:
            await self.race.give_up()
        self.acknowledged.append(action)


async def seated(ada: Client, grace: Client) -> tuple[Player, Player]:
    """Two players in a race that runs."""
    first = await ada.create(str(DEAL), countdown_ms=0)
    second = await grace.join(first.id)
    for race in (first, second):
        race.ready()
    for race in (first, second):
        await race.until(lambda model: model.phase == "running")
    return Player(first), Player(second)


@asynccontextmanager
async def facts_of(data_dir: Path) -> AsyncGenerator[RedisStore]:
    """The store that a server has left behind."""
    async with EmbeddedValkey(data_dir) as valkey, RedisStore(valkey.url, shared=False) as store:
        yield store


def check_log(facts: list[AnyFact], seat: int, acknowledged: list[str | Do]) -> None:
    """The log has each acknowledged action of a seat exactly once, in order, and no other."""
    actions = [
        fact for fact in facts if isinstance(fact, Moved | Undone | Restarted | GaveUp) and fact.seat == seat
    ]
    assert [fact.n for fact in actions] == list(range(1, len(acknowledged) + 1))
    line = Line.begin(CLASSIC, deal(DEAL))
    for fact, action in zip(actions, acknowledged, strict=True):
        match fact:
            case Moved():
                assert isinstance(action, str)
                assert fact.move == parse_move(action, line)
                after: Line | Refusal = line.play(fact.move)
            case Undone():
                assert action is Do.UNDO
                after = line.undo()
            case Restarted():
                assert action is Do.RESTART
                after = line.restart()
            case GaveUp():
                assert action is Do.GIVE_UP
                after = line
        assert isinstance(after, Line)
        line = after


async def finish(ada: Player, grace: Player) -> None:
    """One wins, the other gives up."""
    await ada.act(Do.RESTART)
    await ada.act(*winning_line())
    await grace.act(Do.GIVE_UP)
    for player in (ada, grace):
        model = await player.race.until(lambda model: model.phase == "ended")
        assert [row.seat for row in model.standings] == [0, 1]


def to_and_fro(chance: random.Random, count: int) -> list[str | Do]:
    """Actions that are legal in any order in which they keep turns: a card to a cell, and back."""
    card = chance.choice(["2a", "2b", "1c", "3d", "5a"])
    return [card if turn % 2 == 0 else Do.UNDO for turn in range(count)]


@pytest.mark.parametrize("kills", [8, pytest.param(20, marks=pytest.mark.slow)])
async def test_the_server_killed_at_many_instants_loses_and_doubles_nothing(
    tmp_path: Path, kills: int
) -> None:
    """Server killed with SIGKILL in the middle of the race and started again on the same data: both clients resume by
    themselves and finish; no acknowledged move is missing, none is doubled."""
    chance = random.Random(SEED)
    port = free_port()
    server = await ServerProcess.start(tmp_path, port)
    try:
        async with (
            asyncio.timeout(300),
            connect(server.url, name="Ada") as first,
            connect(server.url, name="Grace") as second,
            connect(server.url, name="Alan") as third,
        ):
            ada, grace = await seated(first, second)
            watched = await third.watch(ada.race.id)
            amid = 0
            for _ in range(kills):
                playing = asyncio.gather(
                    ada.act(*to_and_fro(chance, ROUND)), grace.act(*to_and_fro(chance, ROUND))
                )
                await killed_after(server, chance.uniform(0, 0.012))
                amid += not playing.done()
                server = await ServerProcess.start(tmp_path, port)
                await playing
            assert amid >= kills // 4, "kills came while moves were under way"
            await finish(ada, grace)
            model = await watched.until(lambda model: model.phase == "ended")
            assert [(seat.home, seat.gave_up) for seat in model.seats] == [(52, False), (0, True)]
            while not (rows := await third.top(str(DEAL))):  # noqa: ASYNC110 - booked in a moment
                await asyncio.sleep(0)
            assert len(rows) == 1
        assert await server.stop() == 0
    finally:
        if server.process.returncode is None:
            server.process.kill()
            await server.process.wait()
    async with facts_of(tmp_path) as store:
        facts = list(await store.log.read(ada.race.id))
        assert list(await store.log.unsettled()) == []
    check_log(facts, 0, ada.acknowledged)
    check_log(facts, 1, grace.acknowledged)


async def killed_after(server: ServerProcess, seconds: float) -> None:
    """Kill a server at an instant of the test's choice, and wait until it is gone."""
    asyncio.get_running_loop().call_later(seconds, server.process.kill)
    assert await server.process.wait() == -signal.SIGKILL


async def test_the_store_killed_in_mid_race_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """While the store is away moves are put off, sockets stay open, and the outage is taken off everybody's time."""
    chance = random.Random(SEED)
    async with asyncio.timeout(120), server_process(tmp_path) as server:
        async with connect(server.url, name="Ada") as first, connect(server.url, name="Grace") as second:
            ada, grace = await seated(first, second)
            for _ in range(5):
                playing = asyncio.gather(
                    ada.act(*to_and_fro(chance, ROUND)), grace.act(*to_and_fro(chance, ROUND))
                )
                (valkey,) = server.valkeys
                os.kill(valkey, signal.SIGKILL)
                await playing
                await eventually(lambda: len(server.valkeys) == 1)
            await finish(ada, grace)
            assert first.notices == []
        assert await server.stop() == 0
        assert "Traceback" not in server.log
    async with facts_of(tmp_path) as store:
        facts = list(await store.log.read(ada.race.id))
    check_log(facts, 0, ada.acknowledged)
    check_log(facts, 1, grace.acknowledged)
