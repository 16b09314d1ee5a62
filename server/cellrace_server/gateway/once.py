"""Messages that several receive: made, encoded and framed once for each codec that asks."""

from collections.abc import Callable

import msgspec

from cellrace_protocol.codecs import Codec
from cellrace_protocol.commands import AnyClientMessage
from cellrace_server.gateway.frames import frame

ServerCodec = Codec[AnyClientMessage]


class Once:
    """One message, made when somebody asks for it."""

    __slots__ = ("_frames", "_make", "_message")

    def __init__(self, make: Callable[[], msgspec.Struct]) -> None:
        self._make = make
        self._message: msgspec.Struct | None = None
        self._frames: dict[str, bytes] = {}

    def frame(self, codec: ServerCodec) -> bytes:
        """The whole WebSocket frame in a codec."""
        framed = self._frames.get(codec.subprotocol)
        if framed is None:
            if self._message is None:
                self._message = self._make()
            framed = frame(codec.encode(self._message), codec.binary)
            self._frames[codec.subprotocol] = framed
        return framed


def framed(message: msgspec.Struct, codec: ServerCodec) -> bytes:
    """A message for one receiver alone."""
    return frame(codec.encode(message), codec.binary)
