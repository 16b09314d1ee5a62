"""The log of a race as a stream whose entry ids are the numbers of its facts: `0-1`, `0-2`, …"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Link, Links
from cellrace_server.adapters.redis.growth import Growth
from cellrace_server.adapters.redis.scripts import APPEND, REWRITE, SETTLE
from cellrace_server.core.facts import AnyFact
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.race_log import Append, Grown

FIELD = b"f"

_SHORT = [bytes([0xA0 | length]) for length in range(32)]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(AnyFact).decode


class RedisRaceLog:
    """`commits` carries the appends and nothing else. `growth` is `None` for a store with a single user. `kept_s` is
    how long the log of a settled race is kept."""

    def __init__(self, commits: Link, others: Links, growth: Growth | None, node: str, kept_s: int) -> None:
        self._commits = commits
        self._others = others
        self._growth = growth
        self._node = node
        self._kept_s = kept_s

    async def append(self, batch: Sequence[Append], /) -> Sequence[int | None]:
        items = [
            (race, expected, [_text(_encode(fact)) for fact in facts]) for race, expected, facts in batch
        ]
        packed = _encode((self._node, self._growth is not None, items))
        return cast("Sequence[int | None]", await self._commits.run(APPEND, (), packed))

    async def read(self, race: str, after: int = 0, /) -> Sequence[AnyFact]:
        key = keys.log(race)
        entries = await self._others.ask("XRANGE", key, f"0-{after + 1}", "+")
        return _facts(key, after, cast("list[tuple[bytes, list[bytes]]]", entries))

    async def open(self, race: str, /) -> None:
        await self._others.write("SADD", keys.UNSETTLED, race)

    async def unsettled(self) -> Sequence[str]:
        races = cast("list[bytes]", await self._others.ask("SMEMBERS", keys.UNSETTLED))
        return [race.decode() for race in races]

    async def settle(self, race: str, /) -> None:
        await self._others.run(SETTLE, (keys.log(race), keys.UNSETTLED), race, self._kept_s)

    async def rewrite(self, race: str, facts: Mapping[int, AnyFact], /) -> None:
        if facts:
            words = [word for number, fact in facts.items() for word in (number, _encode(fact))]
            await self._others.run(REWRITE, (keys.log(race),), *words)

    def growth(self) -> AsyncGenerator[Grown, None]:
        return _nobody_else() if self._growth is None else self._growth.listen()


async def _nobody_else() -> AsyncGenerator[Grown, None]:
    yield Grown("", 0)
    await asyncio.get_running_loop().create_future()


def _text(encoded: bytes) -> msgspec.Raw:
    """As a MessagePack *text*, whatever is in it: the store's reader knows no binaries, and does not look inside."""
    length = len(encoded)
    if length < 32:
        return msgspec.Raw(_SHORT[length] + encoded)
    return msgspec.Raw(b"\xdb" + length.to_bytes(4, "big") + encoded)


def _facts(key: str, after: int, entries: list[tuple[bytes, list[bytes]]]) -> Sequence[AnyFact]:
    """Raises `StoreCorrupt` unless the entries are facts, numbered from `after + 1` without a gap."""
    facts: list[AnyFact] = []
    for number, (entry, fields) in enumerate(entries, after + 1):
        if entry != b"0-%d" % number or len(fields) != 2 or fields[0] != FIELD:
            raise StoreCorrupt(f"{key} {entry.decode()}", f"is not fact {number}")
        try:
            facts.append(_decode(fields[1]))
        except msgspec.MsgspecError as error:
            raise StoreCorrupt(f"{key} {entry.decode()}", str(error)) from error
    return facts
