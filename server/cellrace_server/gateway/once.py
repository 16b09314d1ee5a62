"""Messages that several receive: made, encoded and framed once for each codec that asks."""

from collections.abc import Callable

import msgspec

from cellrace_protocol.codecs import Codec
from cellrace_protocol.commands import AnyClientMessage
from cellrace_server.gateway.frames import frame

ServerCodec = Codec[AnyClientMessage]


class Once:
    """One message, made when somebody asks for it."""

    __slots__ = ("_binary", "_make", "_message", "_text")

    def __init__(self, make: Callable[[], msgspec.Struct]) -> None:
        self._make = make
        self._message: msgspec.Struct | None = None
        self._binary = b""
        self._text = b""

    def frame(self, codec: ServerCodec) -> bytes:
        """The whole WebSocket frame in a codec. There is one codec for each kind of frame."""
        framed = self._binary if codec.binary else self._text
        return framed or self._first(codec)

    def _first(self, codec: ServerCodec) -> bytes:
        if self._message is None:
            self._message = self._make()
        framed = frame(codec.encode(self._message), codec.binary)
        if codec.binary:
            self._binary = framed
        else:
            self._text = framed
        return framed


def framed(message: msgspec.Struct, codec: ServerCodec) -> bytes:
    """A message for one receiver alone."""
    return frame(codec.encode(message), codec.binary)
