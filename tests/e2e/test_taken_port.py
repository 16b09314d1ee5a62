"""A server whose port somebody else has."""

import asyncio
import socket
from pathlib import Path

import pytest

from cellrace_server.composition import CannotStart, serve
from cellrace_server.settings import Settings


@pytest.mark.asyncio
async def test_who_cannot_have_a_port_is_told_how_to_name_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(port=taken.getsockname()[1], data_dir=str(tmp_path), admin_socket="")
        with pytest.raises(
            CannotStart, match=r"in use; --port, CELLRACE_PORT or `make run PORT=…` names another"
        ):
            await serve(settings, asyncio.Event(), lambda _address: None)
