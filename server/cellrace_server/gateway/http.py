"""What the server answers to plain HTTP on the same port: health, metrics, version."""

import http
import json
from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple
from urllib.parse import unquote

from prometheus_client import CONTENT_TYPE_LATEST
from websockets.datastructures import Headers
from websockets.http11 import Response

from cellrace_server.core.race_names import read_race_name
from cellrace_server.core.runs import is_run_id

TEXT = "text/plain; charset=utf-8"
JSON = "application/json"
METHODS = ("GET", "HEAD")
LINK = "/r/"
"""What a race's name follows in its link."""

CHALLENGE = "/g/"
"""What a run's name follows in the link by which it is left as a challenge."""

VERSION = version("cellrace")


class Answer(NamedTuple):
    status: http.HTTPStatus
    content_type: str
    body: bytes
    retry_s: int = 0


class Health(NamedTuple):
    """Whether new players may be sent here, and why not."""

    ready: bool
    why: str


class Pages:
    """Answers by path. All of them are small and made on the spot."""

    def __init__(self, health: Callable[[], Health], metrics: Callable[[], bytes]) -> None:
        self._health = health
        self._metrics = metrics
        self._pages: dict[str, Callable[[], Answer]] = {
            "/": self._front,
            "/healthz": lambda: Answer(http.HTTPStatus.OK, TEXT, b"ok\n"),
            "/readyz": self._readyz,
            "/metrics": lambda: Answer(http.HTTPStatus.OK, CONTENT_TYPE_LATEST, self._metrics()),
            "/version": lambda: Answer(
                http.HTTPStatus.OK, JSON, json.dumps({"name": "cellrace", "version": VERSION}).encode()
            ),
        }

    def answer(self, path: str, method: str) -> Response:
        """The response to a request for a path (without its query)."""
        if method not in METHODS:
            return refuse_method()
        page = self._pages.get(path) or _invitation(path) or _challenge(path)
        answer = (
            page()
            if page is not None
            else Answer(http.HTTPStatus.NOT_FOUND, TEXT, b"there is nothing here\n")
        )
        return respond(answer, body=method != "HEAD")

    def _front(self) -> Answer:
        text = (
            f"cellrace {VERSION}: FreeCell races.\n\n"
            "Clients connect to /ws (subprotocol cellrace.1.msgpack or cellrace.1.json).\n"
            "Boards, players, replays and more as JSON: /api/v1/openapi.json says which.\n"
            "In a terminal: cellrace watch RACE, cellrace --help.\n"
        )
        return Answer(http.HTTPStatus.OK, TEXT, text.encode())

    def _readyz(self) -> Answer:
        ready, why = self._health()
        status = http.HTTPStatus.OK if ready else http.HTTPStatus.SERVICE_UNAVAILABLE
        return Answer(status, TEXT, f"{why}\n".encode())


def _invitation(path: str) -> Callable[[], Answer] | None:
    """The page of a race's link; the same whether there is such a race or not, so that nothing can be tried out."""
    before, mark, typed = path.partition(LINK)
    race = read_race_name(unquote(typed)) if mark and not before else None
    if race is None:
        return None
    text = (
        f"Race {race.upper()}: FreeCell with others, in real time.\n\n"
        f"To sit down, have a client of cellrace join {race} on this server (/ws).\n"
        "To look on in a terminal: cellrace watch, and this address.\n"
    )
    return lambda: Answer(http.HTTPStatus.OK, TEXT, text.encode())


def _challenge(path: str) -> Callable[[], Answer] | None:
    """The page of the link by which a run is left as a challenge; the same whether there is such a run or not."""
    before, mark, run = path.partition(CHALLENGE)
    if not mark or before or not is_run_id(run):
        return None
    text = (
        f"A challenge: race against the run {run}, on the same deal.\n\n"
        f"Have a client of cellrace race the ghost {run} on this server (/ws).\n"
        f"To look at it first, which counts as having seen the deal: cellrace replay {run}\n"
    )
    return lambda: Answer(http.HTTPStatus.OK, TEXT, text.encode())


def refuse_method() -> Response:
    """The response to a method that is spoken nowhere here."""
    response = respond(Answer(http.HTTPStatus.METHOD_NOT_ALLOWED, TEXT, b"GET and HEAD are spoken here\n"))
    response.headers["Allow"] = ", ".join(METHODS)
    return response


def refuse_unread(begun: bytes) -> Response:
    """The response to a request that cannot be read, as one with a body cannot; `begun` is its beginning."""
    method = begun.partition(b" ")[0].decode("ascii", "replace")
    if method.isascii() and method.isupper() and method.isalpha() and method not in METHODS:
        return refuse_method()
    said = b"this is no request that is read here: GET and HEAD are, without a body\n"
    return respond(Answer(http.HTTPStatus.BAD_REQUEST, TEXT, said), body=method != "HEAD")


def respond(answer: Answer, body: bool = True) -> Response:
    """A response that closes the connection after it, as every plain request here does. HEAD is answered like GET, but
    without the body."""
    headers = Headers(
        [
            ("Content-Type", answer.content_type),
            ("Content-Length", str(len(answer.body))),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
        ]
    )
    if answer.retry_s:
        headers["Retry-After"] = str(answer.retry_s)
    return Response(answer.status.value, answer.status.phrase, headers, answer.body if body else b"")
