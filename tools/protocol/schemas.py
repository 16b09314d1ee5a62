"""JSON Schema of all messages, and an AsyncAPI 3 document around it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES
from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_protocol.fields import VERSION
from tools.protocol.fields import nested

Document = dict[str, Any]


def schema() -> Document:
    """JSON Schema (2020-12). Client and server messages of one name are told apart by their direction."""
    components = _components("#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cellrace protocol, version {VERSION}",
        "oneOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {
            "ClientMessage": {"oneOf": _references(CLIENT_MESSAGES, "Client", "#/$defs/")},
            "ServerMessage": {"oneOf": _references(SERVER_MESSAGES, "Server", "#/$defs/")},
            **components,
        },
    }


def asyncapi() -> Document:
    """AsyncAPI 3.0: one channel, two operations."""
    messages = {
        **_messages(CLIENT_MESSAGES, "Client"),
        **_messages(SERVER_MESSAGES, "Server"),
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "cellrace",
            "version": f"{VERSION}.0.0",
            "description": "FreeCell races over one WebSocket. SPEC.md is normative; this document lists the messages.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"local": {"host": "127.0.0.1:8617", "pathname": "/ws", "protocol": "ws"}},
        "channels": {
            "ws": {
                "address": "/ws",
                "description": f"WebSocket subprotocols: {MSGPACK} (binary frames), {JSON} (text frames).",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "say": _operation("receive", CLIENT_MESSAGES, "Client"),
            "tell": _operation("send", SERVER_MESSAGES, "Server"),
        },
        "components": {"messages": messages, "schemas": _components("#/components/schemas/{name}")},
    }


def _operation(action: str, catalog: dict[str, Any], side: str) -> Document:
    names = (_name(message, side) for message in catalog.values())
    return {
        "action": action,
        "channel": {"$ref": "#/channels/ws"},
        "messages": [{"$ref": f"#/channels/ws/messages/{name}"} for name in names],
    }


def _messages(catalog: dict[str, Any], side: str) -> Document:
    return {
        _name(message, side): {
            "name": tag,
            "title": message.__name__,
            "payload": {"$ref": f"#/components/schemas/{_name(message, side)}"},
        }
        for tag, message in catalog.items()
    }


def _name(message: type[msgspec.Struct], side: str) -> str:
    return f"{side}{message.__name__}"


def _references(catalog: dict[str, Any], side: str, root: str) -> list[Document]:
    return [{"$ref": f"{root}{_name(message, side)}"} for message in catalog.values()]


def _components(template: str) -> Document:
    """Every struct of both directions; names that both have are kept apart by a prefix."""
    found: Document = {}
    for side, catalog in (("Client", CLIENT_MESSAGES), ("Server", SERVER_MESSAGES)):
        own = {message.__name__ for message in catalog.values()}
        _, components = msgspec.json.schema_components(list(catalog.values()), ref_template=template)
        structs = {struct.__name__: struct for struct in _structs(catalog)}
        for name, component in components.items():
            if name in structs:
                _name_fields(component, structs[name])
            found[f"{side}{name}" if name in own else name] = component
    return dict(sorted(found.items()))


def _structs(catalog: dict[str, Any]) -> Iterator[type[msgspec.Struct]]:
    for message in catalog.values():
        yield message
        yield from nested(message)


def _name_fields(component: Document, struct: type[msgspec.Struct]) -> None:
    """An array has no names for its elements: they become titles, for people and generators."""
    elements: list[Document] = component["prefixItems"]
    fields = elements[len(elements) - len(struct.__struct_fields__) :]
    for name, element in zip(struct.__struct_fields__, fields, strict=True):
        element.update({"title": name, **element})
