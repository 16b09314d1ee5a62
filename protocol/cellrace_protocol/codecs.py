"""The two codecs: the same messages as MessagePack in binary frames and as JSON in text frames."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES
from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.errors import ErrorCode, WireError
from cellrace_protocol.events import AnyServerMessage

M = TypeVar("M")

TEXT_MOST = 200
"""Characters in the text of a `WireError`."""


class Encoding(NamedTuple):
    """How bytes are made and read: `decoder` gives the function that reads values of a type."""

    binary: bool
    encode: Callable[[Any], bytes]
    decoder: Callable[[Any], Callable[[Any], Any]]


class Codec(Generic[M]):
    """Encodes any message and decodes those of type `M`. `subprotocol` is its name in the WebSocket handshake;
    `binary` says which kind of frame carries it. Stateless; safe to share."""

    def __init__(
        self,
        subprotocol: str,
        encoding: Encoding,
        messages: object,
        names: Mapping[str, type[msgspec.Struct]],
    ) -> None:
        self.subprotocol = subprotocol
        self.binary = encoding.binary
        self.encode: Callable[[Any], bytes] = encoding.encode
        self._decode: Callable[[bytes | str], M] = encoding.decoder(messages)
        self._raw: Callable[[bytes | str], list[msgspec.Raw]] = encoding.decoder(list[msgspec.Raw])
        self._name: Callable[[msgspec.Raw], str] = encoding.decoder(str)
        self._number: Callable[[msgspec.Raw], int] = encoding.decoder(int)
        self._names = names

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
            raise self._explained(str(error), payload) from None
        except RecursionError:  # how deep that is depends on the Python that runs this
            raise WireError(ErrorCode.BAD_FIELD, "nested too deep") from None
        except (msgspec.DecodeError, UnicodeError) as error:
            raise WireError(ErrorCode.BAD_FRAME, f"not readable: {error}"[:TEXT_MOST]) from None

    def _explained(self, text: str, payload: bytes | str) -> WireError:
        """The fault in the words of the protocol: the message's name, the field's name, the request's number."""
        try:
            parts = self._raw(payload)
            message = self._names.get(self._name(parts[0]))
        except (msgspec.DecodeError, UnicodeError, RecursionError, IndexError):
            return WireError(ErrorCode.BAD_FIELD, f"no array that starts with a name: {text}"[:TEXT_MOST])
        if message is None:
            return WireError(ErrorCode.UNKNOWN_MESSAGE, f"unknown message: {text}"[:TEXT_MOST])
        fields = message.__struct_fields__
        if len(parts) - 1 < len(fields) and "at least length" in text:
            fault = f"{fields[len(parts) - 1]} is missing"
        else:
            fault = _PATH.sub(lambda found: f"in {fields[int(found[1]) - 1]}", text)
        name = message.__struct_config__.tag
        return WireError(ErrorCode.BAD_FIELD, f"{name}: {fault}"[:TEXT_MOST], self._request(fields, parts))

    def _request(self, fields: tuple[str, ...], parts: list[msgspec.Raw]) -> int:
        if fields[:1] != ("r",) or len(parts) < 2:
            return 0
        try:
            number = self._number(parts[1])
        except (msgspec.DecodeError, UnicodeError):
            return 0
        return number if 0 <= number < 2**31 else 0


_PATH = re.compile(r"- at (?:`key` in )?`\$\[(\d+)\][^`]*`")


MSGPACK = "cellrace.1.msgpack"
JSON = "cellrace.1.json"


def _unpacking(kind: Any) -> Callable[[Any], Any]:
    return msgspec.msgpack.Decoder(kind).decode


def _parsing(kind: Any) -> Callable[[Any], Any]:
    return msgspec.json.Decoder(kind).decode


_PACKED = Encoding(True, msgspec.msgpack.Encoder().encode, _unpacking)
_WRITTEN = Encoding(False, msgspec.json.Encoder().encode, _parsing)

SERVER_CODECS: dict[str, Codec[AnyClientMessage]] = {
    MSGPACK: Codec(MSGPACK, _PACKED, AnyClientMessage, CLIENT_MESSAGES),
    JSON: Codec(JSON, _WRITTEN, AnyClientMessage, CLIENT_MESSAGES),
}
"""What a server reads with: client messages."""

CLIENT_CODECS: dict[str, Codec[AnyServerMessage]] = {
    MSGPACK: Codec(MSGPACK, _PACKED, AnyServerMessage, SERVER_MESSAGES),
    JSON: Codec(JSON, _WRITTEN, AnyServerMessage, SERVER_MESSAGES),
}
"""What a client reads with: server messages."""
