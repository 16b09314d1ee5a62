"""Replays as files over plain HTTP: `/replays/RUN`, for whoever may see them. Nobody says who they are there, so it is
what all may see."""

import http
import re

from websockets.http11 import Response

from cellrace_server.core.dailies import shown_at
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.http import JSON, METHODS, TEXT, Answer, refuse_method, respond
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.services.daily_attempts import not_yet

PATH = re.compile(r"/replays/([a-z]{1,32}-[0-9]{1,2})(?:\.json)?")

RETRY_S = 1


def run_of(path: str) -> str | None:
    """The run whose replay is at this path; `None` where there is none."""
    found = PATH.fullmatch(path)
    return found[1] if found is not None else None


async def replay(desk: Desk, run: str, method: str, known: str) -> Response:
    """The replay document of a run; `known` is the `If-None-Match` of the request. A document never changes."""
    if method not in METHODS:
        return refuse_method()
    answer = await _found(desk, run)
    tag = f'"{run}"'
    if answer.status is not http.HTTPStatus.OK:
        return respond(answer, body=method != "HEAD")
    fresh = tag in known or known.strip() == "*"
    if fresh:
        answer = answer._replace(status=http.HTTPStatus.NOT_MODIFIED)
    response = respond(answer, body=method != "HEAD" and not fresh)
    del response.headers["Cache-Control"]
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["ETag"] = tag
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Content-Disposition"] = f'inline; filename="{run}.json"'
    return response


async def _found(desk: Desk, name: str) -> Answer:
    try:
        run = await desk.results.run(name)
        if run is not None and desk.clock.now() < shown_at(run.daily):
            return Answer(http.HTTPStatus.FORBIDDEN, TEXT, f"{not_yet().text}\n".encode())
        document = await desk.results.replay(name) if run is not None else None
    except StoreUnavailable:
        text = b"the store is away: try again\n"
        return Answer(http.HTTPStatus.SERVICE_UNAVAILABLE, TEXT, text, RETRY_S)
    if document is None:
        return Answer(http.HTTPStatus.NOT_FOUND, TEXT, f"there is no replay {name}\n".encode())
    return Answer(http.HTTPStatus.OK, JSON, document)
