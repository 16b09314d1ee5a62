"""The protocol's messages and rows as Python has them: their fields with plain types."""

import enum
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import inspect

from cellrace_client.boards import BoardQuery
from cellrace_client.session import Do
from cellrace_protocol import commands as c
from cellrace_protocol import events as e

COMMON = ("ch", "k", "dt")
"""Fields of everything that happens in a race."""


def plain_types(message: type[msgspec.Struct]) -> Mapping[str, str]:
    """The type of each field by its name, in order."""
    info = inspect.type_info(message)
    assert isinstance(info, inspect.StructType), "messages are structs"
    return {field.name: _plain(field.type) for field in info.fields}


def _plain(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType():
            return "int"
        case inspect.StrType():
            return "str"
        case inspect.BoolType():
            return "bool"
        case inspect.FloatType():
            return "float"
        case inspect.EnumType(cls=cls) | inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.Metadata(type=inner):
            return _plain(inner)
        case inspect.ListType(item_type=item):
            return f"list[{_plain(item)}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"dict[{_plain(key)}, {_plain(value)}]"
        case inspect.UnionType(types=types):
            return " | ".join(map(_plain, types))
        case _:
            raise TypeError(f"no words for {kind}")


def fields(message: type[msgspec.Struct]) -> str:
    """`Name(field: type, …)`; what all events of a race have is left out of each, `…` stands for it."""
    types = plain_types(message)
    common = issubclass(message, e.RaceMessage)
    shown = [f"{name}: {kind}" for name, kind in types.items() if not (common and name in COMMON)]
    inside = ", ".join([*(["…"] if common else []), *shown])
    whole = f"{message.__name__}({inside})"
    if len(whole) <= 100:
        return whole
    return "\n".join([f"{message.__name__}(", *(f"    {line}," for line in shown), ")"])


def values() -> Mapping[str, type]:
    """Every class that the library's signatures may name and that is not the library's own, by its name."""
    known: dict[str, type] = {}
    for module in (c, e):
        known |= {
            name: value
            for name, value in sorted(vars(module).items())
            if isinstance(value, type) and issubclass(value, msgspec.Struct | enum.Enum)
        }
    return known | {"BoardQuery": BoardQuery, "Do": Do}


def named_by(message: type) -> Iterator[str]:
    """The types that a message's fields have."""
    if issubclass(message, msgspec.Struct):
        yield from plain_types(message).values()
    elif message is BoardQuery:
        yield from (kind.__name__ for kind in BoardQuery.__annotations__.values())
