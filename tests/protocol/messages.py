"""Any message of the protocol, made by hypothesis from its own types, and a few that are known by heart."""

from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.events import AnyServerMessage

CLIENT_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(AnyClientMessage)
SERVER_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(AnyServerMessage)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def instances(struct: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    """Any value of a message type whose fields are within their bounds."""
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    return st.builds(struct, *[_values(field.type) for field in info.fields])


def _values(kind: msgspec.inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case msgspec.inspect.IntType(ge=low, le=high):
            return st.integers(-1 if low is None else low, 2**53 if high is None else high)
        case msgspec.inspect.StrType(pattern=str(pattern)):
            return st.from_regex(pattern)
        case msgspec.inspect.StrType(min_length=low, max_length=high):
            most = 40 if high is None else min(high, 40)
            return st.text(st.characters(exclude_categories=["Cs"]), min_size=low or 0, max_size=most)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.EnumType(cls=cls):
            return st.sampled_from(list(cls))
        case msgspec.inspect.ListType(item_type=item, min_length=low):
            return st.lists(_values(item), min_size=low or 0, max_size=4)
        case msgspec.inspect.DictType(key_type=key, value_type=value, max_length=high):
            return st.dictionaries(_values(key), _values(value), max_size=4 if high is None else high)
        case msgspec.inspect.UnionType(types=types):
            return st.one_of(*map(_values, types))
        case msgspec.inspect.StructType(cls=cls):
            return instances(cls)
        case _:
            raise AssertionError(f"no values for {kind}")


def name_of(struct: type[msgspec.Struct]) -> str:
    """The name on the wire."""
    tag = struct.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
