"""The fields of a message, as the types say."""

from typing import NamedTuple

import msgspec
from msgspec import inspect


class Described(NamedTuple):
    """One field in words; `default` is empty for a required one."""

    name: str
    type: str
    default: str


def described(message: type[msgspec.Struct]) -> list[Described]:
    """Every field of a message after its name, in order."""
    info = inspect.type_info(message)
    assert isinstance(info, inspect.StructType), "messages are structs"
    return [Described(field.name, _type(field.type), _default(field)) for field in info.fields]


def nested(message: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """The rows that a message has lists of."""
    info = inspect.type_info(message)
    assert isinstance(info, inspect.StructType), "messages are structs"
    lists = [field.type for field in info.fields if isinstance(field.type, inspect.ListType)]
    return [item.item_type.cls for item in lists if isinstance(item.item_type, inspect.StructType)]


def _default(field: inspect.Field) -> str:
    value = field.default
    if value is msgspec.NODEFAULT:
        made = field.default_factory
        return "" if made is msgspec.NODEFAULT else msgspec.json.encode(made()).decode()
    return f"{msgspec.json.encode(value).decode()}"


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType(ge=low, le=high):
            if low is None:
                return "integer"
            return f"integer {low} to {high}"
        case inspect.StrType(min_length=low, max_length=high):
            if high is None:
                return "text"
            return f"text, {low} to {high} characters" if low else f"text, at most {high} characters"
        case inspect.BoolType():
            return "boolean"
        case inspect.EnumType(cls=cls):
            return " or ".join(f"`{msgspec.json.encode(member).decode()}`" for member in cls)
        case inspect.ListType(item_type=item):
            return f"array of {_type(item)}"
        case inspect.DictType(key_type=key, value_type=value, max_length=most):
            return f"map of at most {most} names ({_type(key)}) to {_type(value)}"
        case inspect.UnionType(types=types):
            return " or ".join(_type(each) for each in types)
        case inspect.StructType(cls=cls):
            return f"*{cls.__name__}*"
        case _:
            raise TypeError(f"no words for {kind}")
