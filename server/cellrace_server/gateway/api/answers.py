"""Answers of the JSON pages: entity tags, caching, other origins, problems."""

import hashlib
import http
from typing import Any, NamedTuple

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Response

from cellrace_protocol.api import Problem
from cellrace_server.gateway.etags import matches

JSON = "application/json"
PROBLEM = "application/problem+json"
METHODS = "GET, HEAD, OPTIONS"
PREFLIGHT_S = 86_400
"""How long a browser may rely on what OPTIONS said."""

_encode = msgspec.json.Encoder().encode


class Found(NamedTuple):
    """A body, how long anybody may keep it, where the next page is, and the name of the file it makes, if any."""

    body: bytes
    fresh_s: int = 0
    following: str = ""
    filename: str = ""


class Refusal(NamedTuple):
    """Why there is no answer. `code` is one of the protocol's where that has one."""

    status: http.HTTPStatus
    code: str
    detail: str
    retry_s: int = 0


def objects(value: Any) -> bytes:
    """A struct as JSON in which all structs are objects, also those that are arrays in messages."""
    return _encode(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return [_plain(each) for each in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


def respond(found: Found, asked: str, body: bool) -> Response:
    """The response to GET, or without `body` to HEAD; `asked` is its `If-None-Match`."""
    tag = f'"{hashlib.sha256(found.body).hexdigest()[:32]}"'
    caching = f"public, max-age={found.fresh_s}" if found.fresh_s else "no-cache"
    headers = _headers(caching)
    headers["ETag"] = tag
    if found.following:
        headers["Link"] = f'<{found.following}>; rel="next"'
    if matches(asked, tag):
        return Response(304, "Not Modified", headers)
    if found.filename:
        headers["Content-Disposition"] = f'attachment; filename="{found.filename}"'
    return _whole(http.HTTPStatus.OK, headers, JSON, found.body, body)


def refuse(refusal: Refusal, body: bool = True) -> Response:
    """The response where there is no answer."""
    status = refusal.status
    headers = _headers("no-store")
    if refusal.retry_s:
        headers["Retry-After"] = str(refusal.retry_s)
    if status is http.HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = METHODS
    problem = Problem("about:blank", status.phrase, status.value, refusal.detail, refusal.code)
    return _whole(status, headers, PROBLEM, _encode(problem), body)


def preflight() -> Response:
    """The response to OPTIONS: any page of any origin may read."""
    headers = _headers("no-store")
    headers["Allow"] = METHODS
    headers["Access-Control-Allow-Methods"] = METHODS
    headers["Access-Control-Allow-Headers"] = "If-None-Match"
    headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
    return Response(204, "No Content", headers)


def _headers(caching: str) -> Headers:
    return Headers(
        [
            ("Cache-Control", caching),
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Expose-Headers", "ETag, Link, Retry-After, Content-Disposition"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ]
    )


def _whole(
    status: http.HTTPStatus, headers: Headers, content_type: str, body: bytes, with_body: bool
) -> Response:
    headers["Content-Type"] = content_type
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body if with_body else b"")
