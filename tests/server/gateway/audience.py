"""A race and those who receive it, without sockets: what they are sent, message by message."""

from collections.abc import Sequence
from typing import Any

from cellrace_protocol.codecs import CLIENT_CODECS, MSGPACK, SERVER_CODECS, Codec
from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.events import AnyServerMessage
from cellrace_server.core.facts import AnyFact
from cellrace_server.services.room import Room


def unframed(data: bytes) -> list[bytes]:
    """The payloads of whole server frames."""
    payloads: list[bytes] = []
    while data:
        length, start = data[1], 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(data[2:10], "big"), 10
        payloads.append(data[start : start + length])
        data = data[start + length :]
    return payloads


class CountingCodec(Codec[AnyClientMessage]):
    """A codec that counts how often it encodes."""

    def __init__(self, subprotocol: str) -> None:
        self.encoded = 0
        like = SERVER_CODECS[subprotocol]

        def encode(message: Any) -> bytes:
            self.encoded += 1
            return like.encode(message)

        self.subprotocol, self.binary, self.encode = subprotocol, like.binary, encode


class Listener:
    """Implements `channels.Receiver`. All listeners of a test may share `order`, where each write is noted."""

    def __init__(
        self,
        name: str,
        codec: Codec[AnyClientMessage] = SERVER_CODECS[MSGPACK],
        order: list[str] | None = None,
    ) -> None:
        self.name = name
        self.codec = codec
        self.order = order if order is not None else []
        self.reads = True
        self.writes: list[bytes] = []
        self.detached_from: list[int] = []
        self.gathered: list[tuple[str, bool]] = []

    @property
    def player(self) -> str:
        return self.name

    @property
    def session(self) -> str:
        return f"session of {self.name}"

    def write(self, frames: bytes, /) -> None:
        if frames:
            self.writes.append(frames)
            self.order.append(self.name)

    def show(self, frames: bytes, /) -> bool:
        if self.reads:
            self.write(frames)
        return self.reads

    def detached(self, channel: int, /) -> None:
        self.detached_from.append(channel)

    def gather(self, _before: str, race: str, seated: bool, /) -> None:
        self.gathered.append((race, seated))

    def heard(self) -> list[AnyServerMessage]:
        """All messages so far, read as a client reads them; each is returned once."""
        writes, self.writes = self.writes, []
        codec = CLIENT_CODECS[self.codec.subprotocol]
        payloads = [payload for write in writes for payload in unframed(write)]
        return [codec.decode(payload if codec.binary else payload.decode()) for payload in payloads]


class ManualOffice:
    """An office whose store is written when a test says so; `now` is its clock."""

    def __init__(self, now: int = 0) -> None:
        self.away = False
        self.instant = now
        self._dirty: dict[Room, None] = {}

    def now(self) -> int:
        return self.instant

    def dirty(self, room: Room, /) -> None:
        self._dirty[room] = None

    def write(self) -> None:
        """What waits is durable now."""
        while self._dirty:
            room, _ = self._dirty.popitem()
            if room.take() is not None:
                room.accepted()


def shown(room: Room, facts: Sequence[AnyFact]) -> None:
    """Let facts become durable in a room."""
    room.overtaken(facts)
