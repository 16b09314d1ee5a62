"""A list of races that many ask for, encoded once for all of them."""

from collections.abc import Callable, Sequence
from typing import cast

from msgspec import Raw

from cellrace_protocol.events import RaceRow
from cellrace_server.gateway.once import ServerCodec
from cellrace_server.services.listing import Row

FRESH_MS = 250
"""How long the same rows are sent as they were encoded: the times in them are so much too short at the most."""


class Sheet:
    """`wire` puts rows in the protocol's terms as of `now`."""

    def __init__(self, wire: Callable[[Sequence[Row]], list[RaceRow]], now: Callable[[], int]) -> None:
        self._wire = wire
        self._now = now
        self._rows: Sequence[Row] = ()
        self._until = 0
        self._encoded: dict[str, Raw] = {}

    def encoded(self, rows: Sequence[Row], codec: ServerCodec) -> list[RaceRow]:
        """The rows, for a message that is encoded with this codec and looked at by nobody: they are bytes already."""
        now = self._now()
        if now >= self._until or rows != self._rows:
            self._rows, self._until = rows, now + FRESH_MS
            self._encoded.clear()
        encoded = self._encoded.get(codec.subprotocol)
        if encoded is None:
            encoded = self._encoded[codec.subprotocol] = Raw(codec.encode(self._wire(rows)))
        return cast("list[RaceRow]", encoded)
