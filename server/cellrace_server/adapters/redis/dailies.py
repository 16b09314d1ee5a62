"""Deals of the day as values, the days a player has finished as a bitmap."""

from typing import cast

import msgspec

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.core.dailies import Daily
from cellrace_server.core.streaks import bit_of
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Daily).decode


class RedisDailies:
    def __init__(self, links: Links) -> None:
        self._links = links

    async def secret(self, drawn: bytes, /) -> bytes:
        await self._links.write("SET", keys.DAILY_SECRET, drawn, "NX")
        return _there(cast("bytes | None", await self._links.ask("GET", keys.DAILY_SECRET)))

    async def find(self, day: str, rules: str, /) -> Daily | None:
        key = keys.daily(day, rules)
        encoded = cast("bytes | None", await self._links.ask("GET", key))
        return None if encoded is None else _daily(key, encoded)

    async def keep(self, daily: Daily, /) -> Daily:
        key = keys.daily(daily.day, daily.rules)
        await self._links.write("SET", key, _encode(daily), "NX")
        return _daily(key, _there(cast("bytes | None", await self._links.ask("GET", key))))

    async def finished(self, player: str, rules: str, day: int, /) -> None:
        bit = bit_of(day)
        if bit is not None:
            await self._links.write("SETBIT", keys.daily_days(player, rules), bit, 1)

    async def days(self, player: str, rules: str, /) -> bytes:
        return cast("bytes | None", await self._links.ask("GET", keys.daily_days(player, rules))) or b""


def _there(value: bytes | None) -> bytes:
    """What was written or stood there a moment ago; a replica that is asked may not have it yet."""
    if value is None:
        raise StoreUnavailable("what was just written is not there")
    return value


def _daily(key: str, encoded: bytes) -> Daily:
    try:
        return _decode(encoded)
    except msgspec.MsgspecError as error:
        raise StoreCorrupt(key, str(error)) from error
