"""What the store forgets by itself, and when."""

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.ports.race_log import Append
from tests.support.samples import moves
from tests.support.valkey import tell
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

KEPT_S = 1_000


def key_count(url: str) -> int:
    return int(tell(url.removeprefix("unix://"), "DBSIZE")[0][1:])


async def test_the_log_of_a_race_is_kept_until_it_is_over_and_for_a_while(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey, kept_s=KEPT_S) as store:
        await store.log.open("race")
        await store.log.append([Append("race", 0, moves(2))])
        (ttl,) = tell(empty_valkey.removeprefix("unix://"), "TTL cellrace:{race}:log")
        assert ttl == b":-1\r\n"

        for _ in range(2):
            await store.log.settle("race")

        (ttl,) = tell(empty_valkey.removeprefix("unix://"), "TTL cellrace:{race}:log")
        assert KEPT_S - 60 < int(ttl[1:]) <= KEPT_S
        assert list(await store.log.read("race")) == moves(2)


async def test_a_race_that_was_never_created_leaves_nothing(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey) as store:
        await store.log.open("race")
        await store.log.settle("race")
    assert key_count(empty_valkey) == 0


async def test_a_name_is_free_again_after_its_time_and_else_never(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey) as store:
        assert await store.directory.claim("for a moment", "1", kept_ms=20) == "1"
        assert await store.directory.claim("for good", "1") == "1"
        await eventually(lambda: key_count(empty_valkey) == 1)
        assert await store.directory.claim("for a moment", "2", kept_ms=60_000) == "2"
        assert await store.directory.claim("for a moment", "3", kept_ms=20) == "2"
        assert await store.directory.claim("for good", "2") == "1"
