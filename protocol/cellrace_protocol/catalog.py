"""All messages by name, one table a direction."""

import typing

from cellrace_protocol.commands import AnyClientMessage, ClientMessage
from cellrace_protocol.events import AnyServerMessage, ServerMessage


def _by_name(union: object) -> dict[str, type]:
    return {message.__struct_config__.tag: message for message in typing.get_args(union)}


CLIENT_MESSAGES: dict[str, type[ClientMessage]] = _by_name(AnyClientMessage)
"""What a client may say, in the order of the specification."""

SERVER_MESSAGES: dict[str, type[ServerMessage]] = _by_name(AnyServerMessage)
"""What a server may say, in the order of the specification."""
