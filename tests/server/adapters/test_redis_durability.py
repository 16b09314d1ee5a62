"""The server says so when the store it is given may lose what it has answered for."""

import asyncio
from pathlib import Path

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.composition import CannotStart, serve
from cellrace_server.settings import Settings
from tests.support.valkey import plain_valkey


@pytest.mark.asyncio
async def test_the_embedded_store_is_durable(empty_valkey: str) -> None:
    async with RedisStore(empty_valkey) as store:
        assert await store.shortcoming() is None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), ["appendonly is 'no'", "appendfsync is 'everysec'"]),
        (("--appendonly", "yes"), ["appendfsync is 'everysec'"]),
        (("--appendfsync", "always"), ["appendonly is 'no'"]),
    ],
)
async def test_a_store_that_is_not_is_named(
    tmp_path: Path, options: tuple[str, ...], words: list[str]
) -> None:
    with plain_valkey(tmp_path, *options) as (place, _):
        async with RedisStore(f"redis://{place}") as store:
            shortcoming = await store.shortcoming()
    assert shortcoming is not None
    assert [word for word in words if word not in shortcoming] == []


@pytest.mark.asyncio
async def test_a_store_that_does_not_let_us_see_is_trusted(tmp_path: Path) -> None:
    with plain_valkey(tmp_path, "--rename-command", "CONFIG", "") as (place, _):
        async with RedisStore(f"redis://{place}") as store:
            assert await store.shortcoming() is None


@pytest.mark.asyncio
@pytest.mark.parametrize("url", ["redis://localhost/zero", "redis://localhost:1/0"])
async def test_a_store_that_cannot_be_had_is_a_clear_word(url: str) -> None:
    with pytest.raises(CannotStart, match=r"store|database"):
        await serve(Settings(port=0, redis=url), asyncio.Event(), lambda _address: None)
