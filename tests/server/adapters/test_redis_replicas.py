"""Replicas that must have a write before it is answered."""

import os
import signal
from pathlib import Path

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.race_log import Append
from tests.support.samples import book, moves, run
from tests.support.valkey import plain_valkey, tell
from tests.support.waiting import eventually, until_answered

pytestmark = pytest.mark.asyncio


async def test_a_write_is_answered_only_when_the_replicas_have_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with plain_valkey(tmp_path / "a", "--repl-diskless-sync-delay", "0") as (first, _):
        replica_of = first.replace(":", " ")
        with plain_valkey(tmp_path / "b", "--replicaof", replica_of) as (second, replica):
            await eventually(lambda: b"master_link_status:up" in tell(second, "INFO replication")[0])
            async with RedisStore(f"redis://{first}", replicas=1, timeout=0.5) as store:
                batch = [Append("race", 0, moves(2))]
                assert await until_answered(store.log.append, batch) == [None]
                os.kill(replica, signal.SIGSTOP)
                try:
                    unanswered = [Append("race", 2, moves(2, first=3))]
                    for _ in range(2):  # the repeat as well, though it changes nothing, on a new connection
                        async with RedisStore(f"redis://{first}", replicas=1, timeout=0.5) as again:
                            with pytest.raises(StoreUnavailable, match="of 1 replicas"):
                                await again.log.append(unanswered)
                    with pytest.raises(StoreUnavailable):
                        await book(store.results, run())
                    with pytest.raises(StoreUnavailable):
                        await store.log.open("race")
                    with pytest.raises(StoreUnavailable):
                        await store.confirm()
                    assert len(await store.log.read("race")) == 4
                finally:
                    os.kill(replica, signal.SIGCONT)
                await eventually(lambda: b"master_link_status:up" in tell(second, "INFO replication")[0])
                assert await until_answered(store.log.append, unanswered) == [None]
                await until_answered(book, store.results, run())
                await until_answered(store.log.open, "race")
                await until_answered(store.confirm)
            async with RedisStore(f"redis://{second}") as elsewhere:
                assert list(await elsewhere.log.read("race")) == moves(4)
                assert await elsewhere.results.replay(run().id) == b"replay"
            async with RedisStore(f"redis://{first}", replicas=2, timeout=0.5) as store:
                caplog.clear()
                for _ in range(2):
                    with pytest.raises(StoreUnavailable, match="of 2 replicas, this many have it: 1"):
                        await store.log.append(batch)
                assert [record.getMessage() for record in caplog.records] == [
                    "writes are refused: of 2 replicas, this many have it: 1"
                ]
