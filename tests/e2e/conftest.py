from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest_asyncio

from tests.support.server_process import ServerProcess, server_process
from tests.support.valkey import plain_valkey

Nodes = tuple[ServerProcess, ServerProcess]


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A real server with its embedded store, on a port the system chose."""
    async with server_process(tmp_path / "data") as running:
        yield running


@pytest_asyncio.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    """Two real servers on one store."""
    async with two_nodes(tmp_path) as both:
        yield both


@asynccontextmanager
async def two_nodes(folder: Path, *arguments: str) -> AsyncGenerator[Nodes]:
    """The same, for those who want them with arguments."""
    (folder / "store").mkdir()
    with plain_valkey(folder / "store") as (address, _):
        shared = ("--redis", f"redis://{address}", *arguments)
        async with (
            server_process(folder / "a", *shared) as here,
            server_process(folder / "b", *shared) as there,
        ):
            yield here, there
