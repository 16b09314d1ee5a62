"""What the Redis adapter makes of answers that are not what it hopes for, and of URLs."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from redis.asyncio import SSLConnection

from cellrace_server.adapters.redis import RedisStore, keys
from cellrace_server.adapters.redis.address import Address
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import Append
from cellrace_server.ports.results import Look
from tests.support.samples import BOARD, book, moves, run
from tests.support.valkey import plain_valkey, tell


@asynccontextmanager
async def store_that_answers(folder: Path, answer: bytes) -> AsyncGenerator[RedisStore]:
    """A store that gives the same answer to everything."""

    class Server(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.client = cast("asyncio.Transport", transport)
            clients.append(self.client)

        def data_received(self, data: bytes) -> None:
            self.client.write(answer)

    clients: list[asyncio.Transport] = []
    server = await asyncio.get_running_loop().create_unix_server(Server, folder / "s")
    try:
        async with RedisStore(f"unix://{folder}/s", timeout=0.5) as store:
            yield store
    finally:
        server.close()
        for client in clients:
            client.abort()
        await server.wait_closed()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "answer",
    [
        b"-LOADING Valkey is loading the dataset in memory\r\n",
        b"-READONLY You can't write against a read only replica.\r\n",
        b"-MISCONF Errors writing to the AOF file: No space left on device\r\n",
        b"-OOM command not allowed when used memory > 'maxmemory'.\r\n",
        b"-CLUSTERDOWN The cluster is down\r\n",
        b"-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n",
        b"-BUSY Valkey is busy running a script.\r\n",
        b"-NOREPLICAS Not enough good replicas to write.\r\n",
        b"-TRYAGAIN Multiple keys request during rehashing of slot\r\n",
        b"-MOVED 3999 127.0.0.1:6381\r\n",
        b"-ASK 3999 127.0.0.1:6381\r\n",
        b"-CROSSSLOT Keys in request don't hash to the same slot\r\n",
        b"-NOAUTH Authentication required.\r\n",
        b"-NOPERM User has no permissions to run the 'evalsha' command\r\n",
        b"-UNKILLABLE Sorry the script already executed write commands.\r\n",
        b"-ERR max number of clients reached\r\n",
        b"-ERR unknown command 'EVALSHA'\r\n",
        b"-ERR Error running script: too much memory\r\n",
        b"-\r\n",
        b"rubbish\r\n",
        b"\x00\x01\x02",
    ],
)
async def test_an_answer_that_says_nothing_of_the_data_is_unavailable(tmp_path: Path, answer: bytes) -> None:
    async with store_that_answers(tmp_path, answer) as store:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.log.append([Append("race", 0, moves(1))])
            with pytest.raises(StoreUnavailable):
                await store.log.read("race")
            with pytest.raises(StoreUnavailable):
                await book(store.results, run())
            with pytest.raises(StoreUnavailable):
                await store.time.store_time()


@pytest.mark.asyncio
async def test_a_full_store_writes_nothing_of_an_append(empty_valkey: str) -> None:
    socket = empty_valkey.removeprefix("unix://")
    async with RedisStore(empty_valkey) as store:
        await store.log.append([Append("race", 0, moves(1))])
        tell(socket, "CONFIG SET maxmemory 1")
        try:
            with pytest.raises(StoreUnavailable, match="maxmemory"):
                await store.log.append([Append("race", 1, moves(3, first=2)), Append("other", 0, moves(1))])
            with pytest.raises(StoreUnavailable, match="maxmemory"):
                await book(store.results, run())
            assert list(await store.log.read("race")) == moves(1)
        finally:
            tell(socket, "CONFIG SET maxmemory 0")
        assert await store.log.append([Append("race", 1, moves(3, first=2))]) == [None]
        assert await store.results.replay(run().id) is None


@pytest.mark.asyncio
async def test_a_replica_cannot_be_written(empty_valkey: str) -> None:
    socket = empty_valkey.removeprefix("unix://")
    async with RedisStore(empty_valkey) as store:
        await store.log.append([Append("race", 0, moves(1))])
        tell(socket, "REPLICAOF 127.0.0.1 1")
        try:
            with pytest.raises(StoreUnavailable, match="read only replica"):
                await store.log.append([Append("race", 1, moves(1, first=2))])
            tell(socket, "CONFIG SET replica-serve-stale-data no")
            with pytest.raises(StoreUnavailable, match="MASTER is down"):
                await store.log.read("race")
        finally:
            tell(socket, "REPLICAOF NO ONE", "CONFIG SET replica-serve-stale-data yes")
        assert await store.log.append([Append("race", 1, moves(1, first=2))]) == [None]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        ("XADD cellrace:{race}:log 0-4 f rubbish", "cellrace:{race}:log 0-4"),
        ("XADD cellrace:{race}:log 0-4 f \\x91\\xa1x", "cellrace:{race}:log 0-4"),
        ("XADD cellrace:{race}:log 0-4 other value", "cellrace:{race}:log 0-4"),
        ("XADD cellrace:{race}:log 0-4 f 1 g 2", "cellrace:{race}:log 0-4"),
        ("XADD cellrace:{race}:log 0-5 f x", "cellrace:{race}:log 0-5"),
        ("XADD cellrace:{race}:log 1-4 f x", "cellrace:{race}:log 1-4"),
        ("XDEL cellrace:{race}:log 0-2", "cellrace:{race}:log 0-3"),
        ("XTRIM cellrace:{race}:log MAXLEN = 1", "cellrace:{race}:log 0-3"),
        ("SET cellrace:{race}:log rubbish", "cellrace:{race}:log"),
    ],
)
async def test_a_log_that_we_did_not_write_is_corrupt_and_does_not_hinder_others(
    empty_valkey: str, spoil: str, where: str
) -> None:
    async with RedisStore(empty_valkey) as store:
        await store.log.append([Append("race", 0, moves(3))])
        tell(empty_valkey.removeprefix("unix://"), spoil.replace("\\x91\\xa1x", '"\\x91\\xa1x"'))
        with pytest.raises(StoreCorrupt) as corrupt:
            await store.log.read("race")
        assert corrupt.value.key == where
        batch = [Append("race", 2, moves(1, first=80)), Append("race 2", 0, moves(2))]
        assert (await store.log.append(batch))[1] is None
        assert list(await store.log.read("race 2")) == moves(2)


@pytest.mark.asyncio
async def test_an_append_to_a_log_that_lacks_entries_is_refused(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey) as store:
        await store.log.append([Append("race", 0, moves(3))])
        tell(empty_valkey.removeprefix("unix://"), f"XDEL {keys.log('race')} 0-2")
        batch = [Append("race", 2, moves(2, first=80)), Append("other", 0, moves(2))]
        assert await store.log.append(batch) == [2, None]


@pytest.mark.asyncio
async def test_rows_and_identities_that_we_did_not_write_are_corrupt(empty_valkey: str) -> None:
    socket = empty_valkey.removeprefix("unix://")
    async with RedisStore(empty_valkey) as store:
        await book(store.results, run())
        tell(socket, f"SET {keys.run(run().id)} rubbish", f"SET {keys.identity(b'x')} rubbish")
        with pytest.raises(StoreCorrupt):
            await store.results.page(BOARD, Look(1))
        with pytest.raises(StoreCorrupt):
            await store.identities.find(b"x")
        tell(socket, f"DEL {keys.run(run().id)}")
        with pytest.raises(StoreCorrupt):
            await store.results.page(BOARD, Look(1))
        tell(socket, f"SET {keys.board_order(BOARD)} rubbish")
        with pytest.raises(StoreCorrupt, match="WRONGTYPE"):
            await store.results.page(BOARD, Look(1))


@pytest.mark.asyncio
async def test_a_store_on_a_port_with_a_user_a_password_and_a_database(tmp_path: Path) -> None:
    with plain_valkey(tmp_path, "--requirepass", "open sesame") as (where, _):
        tell_all = [
            "AUTH default 'open sesame'",
            "ACL SETUSER racer on '>p@ss/wörd' ~cellrace:* &cellrace:* +@all",
        ]
        assert tell(where, *tell_all) == [b"+OK\r\n"] * 2
        url = f"redis://racer:p%40ss%2Fw%C3%B6rd@{where}/3"
        async with RedisStore(url) as store, RedisStore(url) as other, asyncio.timeout(10):
            heard = other.log.growth()
            assert await anext(heard) == ("", 0)
            assert await store.log.append([Append("race", 0, moves(2))]) == [None]
            assert await anext(heard) == ("race", 2)
            await heard.aclose()
            await book(store.results, run())
        for wrong in (f"redis://{where}/3", f"redis://racer:wrong@{where}/3", url + "99"):
            async with RedisStore(wrong) as store:
                with pytest.raises(StoreUnavailable):
                    await store.log.read("race")


def test_tls_by_url() -> None:
    wire = Address("rediss://user:word@host:6380/2?ssl_ca_certs=ca.pem").wire(1)
    assert isinstance(wire, SSLConnection)
    assert (wire.host, wire.port, wire.db, wire.username) == ("host", 6380, 2, "user")


@pytest.mark.parametrize("url", ["http://host", "redis://host/first", "host:6379", ""])
def test_a_url_that_names_no_store_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        RedisStore(url)
