import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.valkey import valkey_in_thread


@pytest.fixture(scope="session")
def session_valkey(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The URL of a Valkey that all tests of the session share."""
    with valkey_in_thread(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture
def empty_valkey(session_valkey: str) -> str:
    """The same with nothing in it."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(Path(session_valkey.removeprefix("unix://"))))
        connection.sendall(b"FLUSHALL\r\n")
        assert connection.recv(64) == b"+OK\r\n"
    return session_valkey
