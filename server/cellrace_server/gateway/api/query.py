"""The parameters of a page, read; what is wrong with them is said in words of the page and not of a library."""

import functools
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect


class BadQuery(Exception):
    """The text says which parameter, and what is wanted."""


def read(query: str, kind: type[msgspec.Struct]) -> Any:
    """The parameters behind a `?`, as a `kind`. Raises `BadQuery`."""
    said = _said(query)
    wanted = _wanted(kind)
    for name in said:
        if name not in wanted:
            known = ", ".join(wanted)
            raise BadQuery(
                f"{name}: there is no such parameter here{f', there are {known}' if known else ''}"
            )
    try:
        return msgspec.convert(said, kind, strict=False)
    except msgspec.ValidationError:
        for name, value in said.items():
            try:
                msgspec.convert({name: value}, kind, strict=False)
            except msgspec.ValidationError:
                raise BadQuery(f"{name}: {value!r} is not {wanted[name]}") from None
        raise


def _said(query: str) -> Mapping[str, str]:
    said: dict[str, str] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise BadQuery("parameters are written name=value, with & between them") from None
    for name, value in pairs:
        if name in said:
            raise BadQuery(f"{name}: it is given twice")
        said[name] = value
    return said


@functools.cache
def _wanted(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """Every parameter, and in words what it has to be."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType), "parameters are the fields of a struct"
    return {field.encode_name: _words(field.type) for field in found.fields}


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.EnumType(cls=names):
            return f"one of {', '.join(str(each.value) for each in names)}"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType(max_length=most):
            return f"a text of {most} characters at the most"
        case _:
            raise AssertionError(f"parameters of the kind {kind} are not spoken of yet")
