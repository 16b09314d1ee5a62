"""Real Valkey, killed, stopped, cut off and confused while we write to it."""

import asyncio
import itertools
import os
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.adapters.valkey.supervisor import Patience
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.race_log import Append, RaceLog
from cellrace_server.ports.results import Look, Page, Row
from cellrace_server.ports.sightings import Sight
from tests.support.proxy import FaultyProxy
from tests.support.samples import BOARD, book, moves, run
from tests.support.valkey import tell
from tests.support.waiting import eventually, until_answered

pytestmark = pytest.mark.asyncio

QUICK = Patience(first_retry=0.01, last_retry=0.05)


@pytest_asyncio.fixture
async def proxy(empty_valkey: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FaultyProxy]:
    socket = tmp_path_factory.mktemp("p") / "s"
    async with FaultyProxy(empty_valkey.removeprefix("unix://"), socket) as between:
        yield between


@pytest_asyncio.fixture
async def store(proxy: FaultyProxy) -> AsyncIterator[RedisStore]:
    """Reached through the proxy."""
    async with RedisStore(proxy.url, timeout=2) as reached:
        yield reached


async def test_a_killed_store_loses_nothing_that_was_acknowledged_and_doubles_nothing(tmp_path: Path) -> None:
    """Invariant 2. Six races are written to, each one fact at a time, while Valkey is killed again and again."""
    acknowledged = [0] * 6
    over = asyncio.Event()

    async def play(log: RaceLog, race: int) -> None:
        while not over.is_set():
            number = acknowledged[race]
            batch = [Append(f"race {race}", number, moves(1, first=number + 1))]
            assert await until_answered(log.append, batch) == [None]
            acknowledged[race] += 1

    async def more(count: int) -> None:
        enough = sum(acknowledged) + count
        await eventually(lambda: sum(acknowledged) >= enough)

    async with EmbeddedValkey(tmp_path, patience=QUICK) as valkey, RedisStore(valkey.url) as store:
        players = [asyncio.create_task(play(store.log, race)) for race in range(6)]
        for kills in range(1, 6):
            await more(random.randint(20, 120))
            assert valkey.pid is not None
            os.kill(valkey.pid, signal.SIGKILL)
            async with asyncio.timeout(20):
                await valkey.came_back(kills)
            async with RedisStore(valkey.url) as reader:
                known = list(acknowledged)
                for race in range(6):
                    facts = await reader.log.read(f"race {race}")
                    assert list(facts) == moves(len(facts))
                    assert len(facts) >= known[race]
        over.set()
        await asyncio.gather(*players)
        for race in range(6):
            assert list(await store.log.read(f"race {race}")) == moves(acknowledged[race])


async def test_a_stopped_store_is_unknown_and_the_repeat_is_harmless(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as valkey, RedisStore(valkey.url, timeout=0.2) as store:
        assert await until_answered(store.log.append, [Append("race", 0, moves(2))]) == [None]
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGSTOP)
        batch = [Append("race", 2, moves(3, first=3))]
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    await store.log.append(batch)
            with pytest.raises(StoreUnavailable):
                await store.log.read("race")
        finally:
            os.kill(valkey.pid, signal.SIGCONT)
        assert await until_answered(store.log.append, batch) == [None]
        assert list(await store.log.read("race")) == moves(5)
        assert valkey.restarts == 0


async def test_an_answer_lost_after_the_work_was_done(store: RedisStore, proxy: FaultyProxy) -> None:
    proxy.lose_answers = 2  # the first says that the script is not known yet
    batch = [Append("race", 0, moves(2))]
    with pytest.raises(StoreUnavailable):
        await store.log.append(batch)
    with pytest.raises(StoreUnavailable):
        await store.log.append(batch)
    for _ in range(2):
        assert await store.log.append(batch) == [None]
    proxy.lose_answers = 1
    with pytest.raises(StoreUnavailable):
        await store.log.append([Append("race", 2, moves(1, first=3))])
    assert list(await store.log.read("race")) == moves(3)


async def test_nothing_is_sent_twice_of_itself(store: RedisStore, proxy: FaultyProxy) -> None:
    await store.log.append([Append("race", 0, moves(1))])
    sent = proxy.requests
    proxy.lose_answers = 1
    with pytest.raises(StoreUnavailable):
        await store.log.append([Append("race", 1, moves(1, first=2))])
    assert proxy.requests == sent + 1


async def test_a_request_that_never_arrived(store: RedisStore, proxy: FaultyProxy) -> None:
    proxy.lose_requests = 1
    batch = [Append("race", 0, moves(2))]
    with pytest.raises(StoreUnavailable):
        await store.log.append(batch)
    assert list(await store.log.read("race")) == []
    assert await store.log.append(batch) == [None]


Call = Callable[[RedisStore], Awaitable[object]]
WRITES: dict[str, tuple[Call, Call, object]] = {
    "book": (
        lambda store: book(store.results, run()),
        lambda store: store.results.page(BOARD, Look()),
        Page(1, 0, [Row(1, run())]),
    ),
    "see": (
        lambda store: store.sightings.see([Sight("anna", 617, "race")]),
        lambda store: store.sightings.see([Sight("anna", 617, "other")]),
        [False],
    ),
    "claim": (
        lambda store: store.directory.claim("a", "1"),
        lambda store: store.directory.claim("a", "2"),
        "1",
    ),
    "open": (lambda store: store.log.open("race"), lambda store: store.log.unsettled(), ["race"]),
}


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("lost", ["request", "answer"])
async def test_every_write_may_be_repeated_until_it_is_answered(
    store: RedisStore, proxy: FaultyProxy, name: str, lost: str
) -> None:
    write, look, found = WRITES[name]
    for _ in range(3):
        if lost == "request":
            proxy.lose_requests = 1
        else:
            proxy.lose_answers = 1
        with pytest.raises(StoreUnavailable):
            await write(store)
    await write(store)
    assert await look(store) == found


async def test_an_answer_that_comes_too_late_is_not_taken_for_another(proxy: FaultyProxy) -> None:
    async with RedisStore(proxy.url, timeout=0.1) as store:
        await until_answered(store.log.append, [Append("race", 0, moves(3))])
        proxy.stall()
        with pytest.raises(StoreUnavailable):
            await store.log.append([Append("race", 0, moves(1, first=9))])
        proxy.go_on()
        for _ in range(3):
            assert await until_answered(store.log.append, [Append("race", 0, moves(3))]) == [None]


async def test_a_cancelled_call_leaves_its_answer_to_nobody(store: RedisStore, proxy: FaultyProxy) -> None:
    await store.log.append([Append("race", 0, moves(3))])
    for turns in range(12):
        call = asyncio.create_task(store.log.append([Append("race", 0, moves(1, first=9))]))
        for _ in range(turns):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        assert await store.log.append([Append("race", 0, moves(3))]) == [None]
        reading = asyncio.create_task(store.log.read("race"))
        for _ in range(turns):
            await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        assert list(await store.log.read("race", 2)) == moves(1, first=3)


async def test_a_store_that_forgets_its_scripts_is_told_again(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey) as store:
        for number in range(3):
            assert await store.log.append([Append("race", number, moves(1, first=number + 1))]) == [None]
            await book(store.results, run(time=50 - number))
            assert (await store.results.page(BOARD, Look())).total == 1
            assert tell(empty_valkey.removeprefix("unix://"), "SCRIPT FLUSH") == [b"+OK\r\n"]


async def test_connections_that_were_closed_while_idle_are_made_again(empty_valkey: str) -> None:
    socket = empty_valkey.removeprefix("unix://")
    async with RedisStore(empty_valkey) as store:
        for number in range(3):
            assert await store.log.append([Append("race", number, moves(1, first=number + 1))]) == [None]
            assert len(await store.log.read("race")) == number + 1
            tell(socket, "CLIENT KILL TYPE normal SKIPME yes")
            await eventually(lambda: tell(socket, "CLIENT LIST TYPE normal")[0].count(b" addr=") == 1)


async def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    async with RedisStore(f"unix://{tmp_path}/nothing") as store:
        for call in (store.time.store_time, store.log.unsettled):
            with pytest.raises(StoreUnavailable, match="the store cannot be used"):
                await call()


async def test_a_log_cut_short_at_any_byte_has_whole_batches(tmp_path: Path) -> None:
    """What a crash of the machine may leave: each item of a batch is there whole or not at all."""
    sizes = (1, 3, 2)
    async with EmbeddedValkey(tmp_path) as valkey, RedisStore(valkey.url) as store:
        for number in range(3):
            batch = [Append(f"race {size}", number * size, moves(size, 1 + number * size)) for size in sizes]
            assert await store.log.append(batch) == [None] * 3
    (increment,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    whole = increment.read_bytes()
    last_batch = len(whole) - whole.rindex(b"MULTI")
    for cut in itertools.chain((1, 2), range(20, last_batch, last_batch // 6)):
        increment.write_bytes(whole[:-cut])
        async with EmbeddedValkey(tmp_path) as valkey, RedisStore(valkey.url) as store:
            logs = {size: await store.log.read(f"race {size}") for size in sizes}
            for size, log in logs.items():
                assert list(log) == moves(2 * size)
            batch = [Append(f"race {size}", 2 * size, moves(size, 1 + 2 * size)) for size in sizes]
            assert await store.log.append(batch) == [None] * 3
