from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Protocol

import pytest
import pytest_asyncio

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.ports.bulletin import Bulletin
from cellrace_server.ports.careers import Careers
from cellrace_server.ports.clock import StoreTime
from cellrace_server.ports.dailies import Dailies
from cellrace_server.ports.directory import Directory, Identities
from cellrace_server.ports.erasure import Erasure
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.ports.ratings import Ratings
from cellrace_server.ports.results import Results
from cellrace_server.ports.sightings import Sightings
from tests.support.memory_careers import MemoryCareers, MemoryErasure, MemoryRatings
from tests.support.memory_store import (
    Memory,
    MemoryBulletin,
    MemoryDailies,
    MemoryDirectory,
    MemoryIdentities,
    MemoryRaceLog,
    MemoryResults,
    MemorySightings,
    MemoryStoreTime,
)


class Node(Protocol):
    """The ports as one node has them."""

    @property
    def log(self) -> RaceLog: ...
    @property
    def time(self) -> StoreTime: ...
    @property
    def results(self) -> Results: ...
    @property
    def sightings(self) -> Sightings: ...
    @property
    def ratings(self) -> Ratings: ...
    @property
    def careers(self) -> Careers: ...
    @property
    def erasure(self) -> Erasure: ...
    @property
    def dailies(self) -> Dailies: ...
    @property
    def directory(self) -> Directory: ...
    @property
    def identities(self) -> Identities: ...
    @property
    def bulletin(self) -> Bulletin: ...


class MemoryNode:
    def __init__(self, memory: Memory, name: str) -> None:
        self.log = MemoryRaceLog(memory, name)
        self.time = MemoryStoreTime(memory)
        self.results = MemoryResults(memory)
        self.sightings = MemorySightings(memory)
        self.ratings = MemoryRatings(memory)
        self.careers = MemoryCareers(memory)
        self.erasure = MemoryErasure(memory)
        self.dailies = MemoryDailies(memory)
        self.directory = MemoryDirectory(memory)
        self.identities = MemoryIdentities(memory, name)
        self.bulletin = MemoryBulletin(memory, name)


Nodes = tuple[Node, Node]


@pytest_asyncio.fixture(params=["memory", "valkey"])
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[Nodes]:
    """Two nodes on one store."""
    if request.param == "memory":
        memory = Memory()
        yield MemoryNode(memory, "a"), MemoryNode(memory, "b")
        return
    url: str = request.getfixturevalue("empty_valkey")
    async with AsyncExitStack() as stack:
        yield (
            await stack.enter_async_context(RedisStore(url, node="a")),
            await stack.enter_async_context(RedisStore(url, node="b")),
        )


@pytest.fixture
def node(nodes: Nodes) -> Node:
    return nodes[0]
