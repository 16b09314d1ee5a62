"""Everything that can be the matter with a store, in the middle of a race (invariant 2).

Nothing that was acknowledged is lost, nothing is doubled, no healthy connection is closed, and play goes on within
three seconds of the store's return.
"""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from cellrace_client import connect
from cellrace_client.session import Do
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from tests.e2e.test_crashes import Player, check_log, finish, seated
from tests.support.proxy import FaultyProxy
from tests.support.server_process import ServerProcess, server_process
from tests.support.valkey import tell
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

GOES_ON_S = 3.0


@dataclass
class Store:
    """A store behind a proxy, and the server that uses it."""

    valkey: EmbeddedValkey
    proxy: FaultyProxy
    server: ServerProcess

    def tell(self, *commands: str) -> None:
        """Speak to the store itself, past the proxy."""
        for answer in tell(self.valkey.url.removeprefix("unix://"), *commands):
            assert answer.startswith(b"+OK"), answer

    @property
    def pid(self) -> int:
        assert self.valkey.pid is not None
        return self.valkey.pid

    async def lasts(self, seconds: float) -> None:
        """The fault is there for so long; a store that is away is a matter of real time."""
        until = asyncio.get_running_loop().time() + seconds
        await eventually(lambda: asyncio.get_running_loop().time() >= until, within=seconds + 5)


@pytest_asyncio.fixture
async def store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    socket = tmp_path_factory.mktemp("p") / "s"
    async with (
        EmbeddedValkey(tmp_path / "store") as valkey,
        FaultyProxy(valkey.url.removeprefix("unix://"), socket) as proxy,
        server_process(tmp_path / "server", "--redis", proxy.url) as server,
    ):
        yield Store(valkey, proxy, server)


async def killed(store: Store) -> None:
    restarts = store.valkey.restarts
    os.kill(store.pid, signal.SIGKILL)
    await eventually(lambda: store.valkey.restarts > restarts and store.valkey.pid is not None)


async def stopped(store: Store) -> None:
    os.kill(store.pid, signal.SIGSTOP)
    try:
        await store.lasts(10)
    finally:
        os.kill(store.pid, signal.SIGCONT)


async def slow(store: Store) -> None:
    store.proxy.delay_s = 2
    await store.lasts(5)
    store.proxy.delay_s = 0


async def full(store: Store) -> None:
    store.tell("CONFIG SET maxmemory-policy noeviction", "CONFIG SET maxmemory 1")
    await store.lasts(1)
    store.tell("CONFIG SET maxmemory 0")


async def read_only(store: Store) -> None:
    store.tell("REPLICAOF 127.0.0.1 1")
    await store.lasts(1)
    store.tell("REPLICAOF NO ONE")


async def scripts_forgotten(store: Store) -> None:
    for _ in range(5):
        store.tell("SCRIPT FLUSH")
        await store.lasts(0.05)


async def answers_lost(store: Store) -> None:
    for _ in range(5):
        store.proxy.lose_answers = 1
        await eventually(lambda: store.proxy.lose_answers == 0)


FAULTS: list[Callable[[Store], Awaitable[None]]] = [
    killed,
    stopped,
    slow,
    full,
    read_only,
    scripts_forgotten,
    answers_lost,
]


async def play_on(player: Player, over: asyncio.Event, acts: list[float]) -> None:
    """A card to a cell and back, again and again; `acts` has the instants at which that was acknowledged."""
    actions: list[str | Do] = ["2a", Do.UNDO]
    for action in itertools.cycle(actions):
        if over.is_set():
            return
        await player.act(action)
        acts.append(asyncio.get_running_loop().time())


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_race_goes_on_after(fault: Callable[[Store], Awaitable[None]], store: Store) -> None:
    loop = asyncio.get_running_loop()
    url = store.server.url
    async with asyncio.timeout(60), connect(url, name="Ada") as first, connect(url, name="Grace") as second:
        ada, grace = await seated(first, second)
        acts: tuple[list[float], list[float]] = ([], [])
        over = asyncio.Event()
        async with asyncio.TaskGroup() as playing:
            for player, mine in zip((ada, grace), acts, strict=True):
                playing.create_task(play_on(player, over, mine))
            await eventually(lambda: all(len(mine) > 5 for mine in acts))
            await fault(store)
            returned = loop.time()
            for mine in acts:
                known = len(mine)
                await eventually(lambda mine=mine, known=known: len(mine) > known, within=GOES_ON_S)  # type: ignore[misc]
            assert loop.time() - returned < GOES_ON_S
            over.set()
        await finish(ada, grace)
        assert await store.server.gauge("cellrace_connections_accepted_total") == 2, "none was closed"
        assert first.notices == second.notices == []
    assert await store.server.stop() == 0
    assert "Traceback" not in store.server.log
    async with RedisStore(store.valkey.url) as reader:
        facts = list(await reader.log.read(ada.race.id))
        assert list(await reader.log.unsettled()) == []
    check_log(facts, 0, ada.acknowledged)
    check_log(facts, 1, grace.acknowledged)
