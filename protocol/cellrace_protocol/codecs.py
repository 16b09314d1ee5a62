"""The two codecs: the same messages as MessagePack in binary frames and as JSON in text frames."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.errors import ErrorCode, WireError
from cellrace_protocol.events import AnyServerMessage

M = TypeVar("M")


class Codec(Generic[M]):
    """Encodes any message and decodes those of type `M`. `subprotocol` is its name in the WebSocket handshake;
    `binary` says which kind of frame carries it. Stateless; safe to share."""

    def __init__(
        self,
        subprotocol: str,
        binary: bool,
        encode: Callable[[Any], bytes],
        decode: Callable[[Any], M],
    ) -> None:
        self.subprotocol = subprotocol
        self.binary = binary
        self.encode = encode
        self._decode = decode

    def decode(self, payload: bytes | str) -> M:
        """The message in one frame's payload: `bytes` of a binary frame, `str` of a text frame.

        Raises `WireError`, never anything else, whatever the payload is.
        """
        if isinstance(payload, str) is self.binary:
            asked = "binary" if self.binary else "text"
            raise WireError(ErrorCode.BAD_FRAME, f"{self.subprotocol} goes in {asked} frames")
        try:
            return self._decode(payload)
        except msgspec.ValidationError as error:
            raise _explained(error) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise WireError(ErrorCode.BAD_FRAME, f"not readable: {error}"[:200]) from None


def _explained(error: msgspec.ValidationError) -> WireError:
    text = str(error)
    if text.startswith("Invalid value") and "$[0]" in text:
        return WireError(ErrorCode.UNKNOWN_MESSAGE, f"unknown message: {text}"[:200])
    return WireError(ErrorCode.BAD_FIELD, text[:200])


MSGPACK = "cellrace.1.msgpack"
JSON = "cellrace.1.json"

_to_msgpack = msgspec.msgpack.Encoder().encode
_to_json = msgspec.json.Encoder().encode

SERVER_CODECS: dict[str, Codec[AnyClientMessage]] = {
    MSGPACK: Codec(MSGPACK, True, _to_msgpack, msgspec.msgpack.Decoder(AnyClientMessage).decode),
    JSON: Codec(JSON, False, _to_json, msgspec.json.Decoder(AnyClientMessage).decode),
}
"""What a server reads with: client messages."""

CLIENT_CODECS: dict[str, Codec[AnyServerMessage]] = {
    MSGPACK: Codec(MSGPACK, True, _to_msgpack, msgspec.msgpack.Decoder(AnyServerMessage).decode),
    JSON: Codec(JSON, False, _to_json, msgspec.json.Decoder(AnyServerMessage).decode),
}
"""What a client reads with: server messages."""
