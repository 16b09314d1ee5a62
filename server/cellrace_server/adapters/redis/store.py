"""All ports on one store."""

import uuid
from types import TracebackType
from typing import Self

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.address import Address
from cellrace_server.adapters.redis.bulletin import RedisBulletin
from cellrace_server.adapters.redis.careers import RedisCareers
from cellrace_server.adapters.redis.connection import Link, Links, Terms
from cellrace_server.adapters.redis.dailies import RedisDailies
from cellrace_server.adapters.redis.directory import RedisDirectory
from cellrace_server.adapters.redis.durability import shortcoming
from cellrace_server.adapters.redis.erasure import RedisErasure
from cellrace_server.adapters.redis.growth import Growth
from cellrace_server.adapters.redis.identities import RedisIdentities
from cellrace_server.adapters.redis.race_log import RedisRaceLog
from cellrace_server.adapters.redis.ratings import RedisRatings
from cellrace_server.adapters.redis.results import RedisResults
from cellrace_server.adapters.redis.sightings import RedisSightings
from cellrace_server.adapters.redis.store_time import RedisStoreTime
from cellrace_server.adapters.redis.subscription import Subscription

LINKS_FOR_OTHERS = 12
WEEK_S = 7 * 86_400


class RedisStore:
    """The ports of the server on the Redis or Valkey at `url` (see `Address`).

    `shared`: other nodes write there too, so what is appended is published. Not so for the embedded store.
    `replicas`: how many must have a write before it is answered.
    `timeout`: seconds until a call counts as unanswered. `node`: this node's name among those on the store.
    `kept_s`: seconds for which the log of a race that is over is kept.

    Connects when it is first used. `aclose` when nobody uses it any more. Raises `ValueError` for a URL it
    cannot read.
    """

    def __init__(
        self,
        url: str,
        *,
        shared: bool = True,
        replicas: int = 0,
        timeout: float = 1.0,
        node: str | None = None,
        kept_s: int = WEEK_S,
    ) -> None:
        address = Address(url)
        terms = Terms(timeout, replicas)
        node = self.node = node or uuid.uuid4().hex[:12]
        self._commits = Link(address, terms)
        self._others = Links(address, terms, LINKS_FOR_OTHERS)
        growth = Growth(address, node) if shared else None
        self.log = RedisRaceLog(self._commits, self._others, growth, node, kept_s)
        self.time = RedisStoreTime(self._others)
        self.results = RedisResults(self._others)
        self.ratings = RedisRatings(self._others)
        self.careers = RedisCareers(self._others, kept_s)
        self.erasure = RedisErasure(self._others)
        self.sightings = RedisSightings(self._others)
        self.directory = RedisDirectory(self._others)
        self.dailies = RedisDailies(self._others)
        revoked = Subscription(address, keys.REVOKED) if shared else None
        self.identities = RedisIdentities(self._others, revoked, node)
        self.bulletin = RedisBulletin(self._others, address if shared else None, node)

    async def shortcoming(self) -> str | None:
        """Why this store may lose what it has answered for; `None` when it does not, or does not let us see."""
        return await shortcoming(self._others)

    async def confirm(self) -> None:
        """Return when something has been written as durably as a move is. Raises `StoreUnavailable`."""
        await self._others.write(b"SET", keys.BARRIER, 1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Hang up. Harmless when repeated."""
        await self._commits.aclose()
        await self._others.aclose()
