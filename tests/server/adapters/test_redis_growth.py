"""Word of foreign appends, over connections that break."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.redis.address import Address
from cellrace_server.adapters.redis.growth import Growth
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.adapters.valkey.supervisor import Patience
from cellrace_server.ports.race_log import Append, Grown
from tests.support.samples import moves
from tests.support.valkey import tell

pytestmark = pytest.mark.asyncio

NOTHING = Grown("", 0)


def listen(store: RedisStore) -> aclosing[AsyncGenerator[Grown]]:
    return aclosing(store.log.growth())


async def test_a_lost_subscription_is_made_again(empty_valkey: str) -> None:
    socket = empty_valkey.removeprefix("unix://")
    async with (
        RedisStore(empty_valkey) as store,
        RedisStore(empty_valkey) as other,
        asyncio.timeout(20),
        listen(store) as growth,
    ):
        assert await anext(growth) == NOTHING
        for number in range(2):
            assert tell(socket, "CLIENT KILL TYPE pubsub") == [b":1\r\n"]
            assert await anext(growth) == NOTHING
            await other.log.append([Append("race", number, moves(1, first=number + 1))])
            assert await anext(growth) == Grown("race", number + 1)


async def test_a_store_that_was_away_is_listened_to_again(tmp_path: Path) -> None:
    patience = Patience(first_retry=0.01)
    async with (
        EmbeddedValkey(tmp_path, patience=patience) as valkey,
        asyncio.timeout(20),
        RedisStore(valkey.url) as store,
        RedisStore(valkey.url) as other,
        listen(store) as growth,
    ):
        assert await anext(growth) == NOTHING
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGKILL)
        assert await anext(growth) == NOTHING
        await other.log.append([Append("race", 0, moves(1))])
        assert await anext(growth) == Grown("race", 1)


async def test_a_connection_that_fell_silent_is_given_up(tmp_path: Path) -> None:
    async with (
        EmbeddedValkey(tmp_path) as valkey,
        asyncio.timeout(20),
        aclosing(Growth(Address(valkey.url), "a", silence=0.1).listen()) as growth,
    ):
        assert await anext(growth) == NOTHING
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGSTOP)
        waiting = asyncio.ensure_future(anext(growth))
        done, _ = await asyncio.wait([waiting], timeout=0.5)
        assert not done
        os.kill(valkey.pid, signal.SIGCONT)
        assert await waiting == NOTHING


async def test_a_quiet_connection_that_answers_is_kept(empty_valkey: str) -> None:
    async with (
        RedisStore(empty_valkey) as other,
        asyncio.timeout(20),
        aclosing(Growth(Address(empty_valkey), "a", silence=0.2).listen()) as growth,
    ):
        assert await anext(growth) == NOTHING
        waiting = asyncio.ensure_future(anext(growth))
        done, _ = await asyncio.wait([waiting], timeout=0.7)  # it has been tried three times
        assert not done
        await other.log.append([Append("race", 0, moves(1))])
        assert await waiting == Grown("race", 1)


async def test_rubbish_on_the_channel_is_passed_over(empty_valkey: str) -> None:
    async with (
        RedisStore(empty_valkey) as store,
        RedisStore(empty_valkey) as other,
        asyncio.timeout(20),
        listen(store) as growth,
    ):
        assert await anext(growth) == NOTHING
        tell(empty_valkey.removeprefix("unix://"), "PUBLISH cellrace:growth rubbish")
        await other.log.append([Append("race", 0, moves(1))])
        assert await anext(growth) == Grown("race", 1)


async def test_a_store_of_our_own_says_nothing(empty_valkey: str) -> None:
    async with (
        RedisStore(empty_valkey, shared=False) as store,
        RedisStore(empty_valkey) as listener,
        listen(store) as own,
        listen(listener) as others,
        asyncio.timeout(20),
    ):
        assert await anext(own) == NOTHING
        assert await anext(others) == NOTHING
        await store.log.append([Append("race", 0, moves(1))])
        async with RedisStore(empty_valkey) as third:
            await third.log.append([Append("race", 1, moves(1, first=2))])
        assert await anext(others) == Grown("race", 2)
        waiting = asyncio.ensure_future(anext(own))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.wait([waiting])
