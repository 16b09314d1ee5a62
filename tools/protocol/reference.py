"""Clause 9 of the specification: every message, its fields, an example in both codecs. Made from the types."""

import inspect as python
from collections.abc import Iterator

import msgspec

from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES
from tools.protocol.examples import client_examples, server_examples
from tools.protocol.fields import described, nested

BEGIN, END = "<!-- generated: messages -->", "<!-- end of generated -->"


def with_reference(specification: str) -> str:
    """The specification with its message reference made anew. Raises `ValueError` without the two marks."""
    before, mark, rest = specification.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"the specification needs the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{reference()}\n{END}{after}"


def reference() -> str:
    """The text between the marks."""
    lines: list[str] = []
    number = 0
    for title, messages, examples in (
        ("From client to server", CLIENT_MESSAGES, client_examples()),
        ("From server to client", SERVER_MESSAGES, server_examples()),
    ):
        lines += [f"### {title}", ""]
        for name, message in messages.items():
            number += 1
            mine = [example for example in examples if example.__struct_config__.tag == name]
            lines += _message(f"9.{number}", name, message, mine)
    return "\n".join(lines)


def _message(
    clause: str, name: str, message: type[msgspec.Struct], examples: list[msgspec.Struct]
) -> Iterator[str]:
    yield f"**{clause}** `{name}`: {_prose(message)}"
    yield ""
    yield from _table(message)
    for row in nested(message):
        yield f"*{row.__name__}*, an array: {_prose(row)}"
        yield ""
        yield from _table(row)
    for example in examples:
        packed = msgspec.msgpack.encode(example)
        yield f"    {msgspec.json.encode(example).decode()}"
        yield f"    {packed.hex(' ') if len(packed) <= 40 else packed[:40].hex(' ') + f' … ({len(packed)} bytes)'}"
    yield ""


def _table(message: type[msgspec.Struct]) -> Iterator[str]:
    yield "| field | type | default |"
    yield "|---|---|---|"
    for field in described(message):
        yield f"| `{field.name}` | {field.type} | {f'`{field.default}`' if field.default else 'required'} |"
    yield ""


def _prose(message: type[msgspec.Struct]) -> str:
    text = python.cleandoc(message.__doc__ or "")
    return " ".join(text.split())
