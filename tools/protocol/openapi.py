"""OpenAPI 3.1 of what can be read over HTTP, from the types of `cellrace_protocol.api`."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from cellrace_protocol.api import PAGES, ROOT, Page, Problem

Document = dict[str, Any]

TEMPLATE = "#/components/schemas/{name}"
ABOUT = (
    "Boards, dailies, players, races and replays, read only. Pages of any origin may read. "
    "Instants are milliseconds since the Unix epoch, durations milliseconds. HEAD is answered as GET is."
)
PROBLEMS = {
    "400": "A parameter is unknown, or has a value that it cannot have.",
    "403": "Not yet: a daily is shown to others an hour after its day is over.",
    "404": "There is no such thing.",
    "429": "This address has asked too often; `Retry-After` says when it may again.",
    "503": "The store is away, or too many ask at once; `Retry-After` says when to come again.",
}
HEADERS = {
    "ETag": "Strong. Said again in `If-None-Match` it is answered with 304 where nothing has changed.",
    "Cache-Control": "How long anybody may show it again.",
    "Link": "Where the next rows are (`rel=next`), if there are any.",
}


def openapi() -> Document:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "cellrace",
            "version": "1",
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": ROOT}],
        "paths": {page.path: {"get": _operation(page)} for page in PAGES},
        "components": {"schemas": _schemas(), "responses": _responses()},
    }


def _operation(page: Page) -> Document:
    answer: Document = {
        "description": _prose(page.answer),
        "headers": {
            name: {"description": text, "schema": {"type": "string"}}
            for name, text in HEADERS.items()
            if name != "Link" or "next" in page.answer.__struct_fields__
        },
        "content": {"application/json": {"schema": {"$ref": TEMPLATE.format(name=page.answer.__name__)}}},
    }
    return {
        "operationId": page.name,
        "summary": page.about,
        "parameters": [*_path_parameters(page), *_query_parameters(page)],
        "responses": {
            "200": answer,
            "304": {"description": "Nothing has changed."},
            **{status: {"$ref": f"#/components/responses/{status}"} for status in PROBLEMS},
        },
    }


def _path_parameters(page: Page) -> Iterator[Document]:
    for name in re.findall(r"\{(\w+)\}", page.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _query_parameters(page: Page) -> Iterator[Document]:
    """Where a parameter is one of a few words, they are said on the spot."""
    _, components = msgspec.json.schema_components([page.query], ref_template=TEMPLATE)
    for name, schema in components[page.query.__name__]["properties"].items():
        reference = schema.get("$ref", "").rsplit("/", 1)[-1]
        whole = {**components.get(reference, {}), **schema}
        for key in ("$ref", "title"):
            whole.pop(key, None)
        about = whole.pop("description", "")
        yield {"name": name, "in": "query", **({"description": about} if about else {}), "schema": whole}


def _schemas() -> Document:
    types: list[type[msgspec.Struct]] = [*(page.answer for page in PAGES), Problem]
    _, components = msgspec.json.schema_components(types, ref_template=TEMPLATE)
    structs = {struct.__name__: struct for struct in _structs(types)}
    return {
        name: _object(structs[name], schema) if name in structs else schema
        for name, schema in sorted(components.items())
    }


def _structs(types: list[type[msgspec.Struct]]) -> Iterator[type[msgspec.Struct]]:
    """Every struct in these, itself included."""
    for struct in types:
        yield struct
        info = msgspec.inspect.type_info(struct)
        assert isinstance(info, msgspec.inspect.StructType), "answers are structs"
        for field in info.fields:
            item = field.type.item_type if isinstance(field.type, msgspec.inspect.ListType) else field.type
            if isinstance(item, msgspec.inspect.StructType):
                yield from _structs([item.cls])


def _object(struct: type[msgspec.Struct], schema: Document) -> Document:
    """Rows are arrays in messages, and objects here. Every field is always there."""
    names = struct.__struct_fields__
    properties = (
        schema["properties"]
        if "properties" in schema
        else dict(zip(names, schema["prefixItems"], strict=True))
    )
    for value in properties.values():
        value.pop("default", None)
    return {
        "title": struct.__name__,
        "description": _prose(struct),
        "type": "object",
        "properties": properties,
        "required": list(names),
    }


def _responses() -> Document:
    content = {"application/problem+json": {"schema": {"$ref": TEMPLATE.format(name="Problem")}}}
    return {status: {"description": text, "content": content} for status, text in PROBLEMS.items()}


def _prose(struct: type[msgspec.Struct]) -> str:
    return " ".join((struct.__doc__ or "").split())
