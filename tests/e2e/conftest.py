from collections.abc import AsyncIterator
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
    (tmp_path / "store").mkdir()
    with plain_valkey(tmp_path / "store") as (address, _):
        shared = ("--redis", f"redis://{address}")
        async with (
            server_process(tmp_path / "a", *shared) as here,
            server_process(tmp_path / "b", *shared) as there,
        ):
            yield here, there
