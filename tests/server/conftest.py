from collections.abc import Generator

import pytest

from tests.support.clock import ManualClock
from tests.support.memory_store import Memory
from tests.support.valkey import tell, valkey_in_thread


@pytest.fixture(scope="session")
def session_valkey(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The URL of a Valkey that all tests of the session share."""
    with valkey_in_thread(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture
def empty_valkey(session_valkey: str) -> str:
    """The same with nothing in it."""
    assert tell(session_valkey.removeprefix("unix://"), "FLUSHALL") == [b"+OK\r\n"]
    return session_valkey


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def memory() -> Memory:
    return Memory()
