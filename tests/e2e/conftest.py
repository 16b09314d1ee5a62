from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.support.server_process import ServerProcess, server_process


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A real server with its embedded store, on a port the system chose."""
    async with server_process(tmp_path / "data") as running:
        yield running
