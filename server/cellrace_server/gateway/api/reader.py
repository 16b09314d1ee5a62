"""Who answers requests for JSON pages: finds the page, asks for it where the store is there, and lets few ask at
once."""

import asyncio
import http
import logging
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec
from websockets.http11 import Response

from cellrace_protocol.api import PAGES, ROOT, Page
from cellrace_protocol.errors import ErrorCode
from cellrace_server.gateway.api.answers import Found, Refusal, objects, preflight, refuse, respond
from cellrace_server.gateway.api.pages import HANDLERS, WITHOUT_STORE, Handler
from cellrace_server.gateway.api.query import BadQuery, read
from cellrace_server.gateway.desk import Desk
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable

AT_ONCE = 2
"""Pages that may ask the store at the same time: most of its links stay free for those who play."""

WAITING_MOST = 64
PATIENCE_S = 3.0
"""Shorter than a handshake may take, so that there is an answer."""

RETRY_S = 2
CONTRACT_S = 3_600

logger = logging.getLogger(__name__)


class _Match(NamedTuple):
    page: Page
    handler: Handler
    part: str


class Reader:
    """`answer` never raises, and keeps nobody waiting who has not asked."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._contract = Found(files("cellrace_protocol").joinpath("openapi.json").read_bytes(), CONTRACT_S)
        self._index = Found(
            objects([f"{ROOT}/openapi.json", *(ROOT + page.path for page in PAGES)]), CONTRACT_S
        )

    async def answer(self, target: str, method: str, asked: str) -> Response:
        """The response to a request for what `target` names, path and query; `asked` is its `If-None-Match`."""
        if method == "OPTIONS":
            return preflight()
        if method not in ("GET", "HEAD"):
            return refuse(
                Refusal(http.HTTPStatus.METHOD_NOT_ALLOWED, "method", "only GET and HEAD are spoken here")
            )
        found = await self._find(target)
        if isinstance(found, Refusal):
            return refuse(found, method != "HEAD")
        return respond(found, asked, method != "HEAD")

    async def _find(self, target: str) -> Found | Refusal:
        split = urlsplit(target)
        below = split.path.removeprefix(ROOT).rstrip("/")
        if below in ("", "/openapi.json"):
            return self._contract if below else self._index
        match = _match(below)
        if match is None:
            return Refusal(
                http.HTTPStatus.NOT_FOUND, str(ErrorCode.NOT_FOUND), f"there is nothing here, see {ROOT}"
            )
        try:
            query = read(split.query, match.page.query)
        except BadQuery as fault:
            return Refusal(http.HTTPStatus.BAD_REQUEST, str(ErrorCode.BAD_FIELD), str(fault))
        if match.page.name in WITHOUT_STORE:
            return await match.handler(self._desk, match.part, query)
        return await self._ask(match, query)

    async def _ask(self, match: _Match, query: msgspec.Struct) -> Found | Refusal:
        if self._desk.hall.committer.away or self._desk.pulse.away:
            return _unavailable("the store is away: try again")
        if self._waiting >= WAITING_MOST:
            return _unavailable("too many ask at once: try again")
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S), self._turns:
                return await match.handler(self._desk, match.part, query)
        except StoreUnavailable:
            return _unavailable("the store is away: try again")
        except TimeoutError:
            return _unavailable("it took too long: try again")
        except StoreCorrupt:
            logger.exception("a page met something in the store that nobody can read")
            return Refusal(
                http.HTTPStatus.INTERNAL_SERVER_ERROR, "corrupt", "what is stored there cannot be read"
            )
        finally:
            self._waiting -= 1


def _match(below: str) -> _Match | None:
    """The page of a path, which has one variable part at the most."""
    words = below.split("/")
    for page in PAGES:
        names = page.path.split("/")
        pairs = list(zip(names, words, strict=False))
        if len(names) == len(words) and all(name == word or name[:1] == "{" for name, word in pairs):
            parts = [unquote(word) for name, word in pairs if name[:1] == "{"]
            return _Match(page, HANDLERS[page.name], parts[0] if parts else "")
    return None


def _unavailable(text: str) -> Refusal:
    return Refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, str(ErrorCode.UNAVAILABLE), text, RETRY_S)


def slow_down(text: str, retry_s: int) -> Response:
    """The response to an address that has asked too often."""
    return refuse(Refusal(http.HTTPStatus.TOO_MANY_REQUESTS, str(ErrorCode.SLOW_DOWN), text, retry_s))
