"""The web page's files on the same port: read once, compressed once, served from memory."""

import gzip
import hashlib
import http
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple
from urllib.parse import unquote

from websockets.datastructures import Headers
from websockets.http11 import Response

from cellrace_server.core.race_names import read_race_name
from cellrace_server.core.runs import is_run_id
from cellrace_server.gateway.etags import if_none_match, matches
from cellrace_server.gateway.http import CHALLENGE, LINK, METHODS, refuse_method
from cellrace_server.gateway.joining import Joined, join_modules, join_styles

TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
FOLDER = "/web/"
"""Where the page's parts are. A digest of all of them comes next in the path: what a path gives never changes."""

PAGE = "index.html"
WORKER = "service-worker.js"
WORKER_PATH = "/service-worker.js"
"""A service worker looks after the paths below its own."""

FOR_PROGRAMS = (FOLDER, "/api/", "/ws", "/healthz", "/readyz", "/metrics", "/version")
"""What begins so is no page for people, whoever asks."""

WHOLE = {"main.js": join_modules, "hint-worker.js": join_modules, "style/main.css": join_styles}
"""Files that are sent with all that they import in them, and how that is done."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class Asset(NamedTuple):
    """A file as it is sent. `packed` is empty where compressing gains nothing; `tag` is of the bytes as they are."""

    content_type: str
    body: bytes
    packed: bytes
    tag: str
    caching: str


class Assets:
    """The files of the page by path. Nothing is read after the start. What the page begins with is sent whole, and what
    that is made of is there besides, as it is written. Raises `ValueError` where modules cannot be joined.
    """

    def __init__(self, folder: Traversable | None = None) -> None:
        found = dict(_files(files("cellrace_web") if folder is None else folder))
        digest = hashlib.sha256()
        for name, body in sorted(found.items()):
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.base = f"{FOLDER}{digest.hexdigest()[:16]}/"
        parts = {name: body for name, body in found.items() if name not in (PAGE, WORKER)}
        joined = {name: join(name, parts) for name, join in WHOLE.items() if name in parts}
        parts.update((name, whole.text.encode()) for name, whole in joined.items())
        self._needed = _needed(parts, joined)
        self._assets = {self.base + name: _asset(name, body, FOR_EVER) for name, body in parts.items()}
        if PAGE in found:
            page = _asset(PAGE, self._completed(found[PAGE]), ASK_AGAIN)
            self._page: Asset | None = page
            self._assets["/index.html"] = page
        else:
            self._page = None
        if WORKER in found:
            self._assets[WORKER_PATH] = _asset(WORKER, self._completed(found[WORKER]), ASK_AGAIN)

    @property
    def bytes_packed(self) -> int:
        """What the whole page weighs, compressed, in all its languages."""
        needed = [self._assets[self.base + name] for name in self._needed]
        return sum(len(asset.packed or asset.body) for asset in (*needed, *filter(None, [self._page])))

    def answer(self, path: str, method: str, headers: Headers) -> Response | None:
        """The response to a request for a path without its query; `None` where there is no file of the page. Whoever
        reads HTML gets the page, which knows the way home, also where there is nothing, with the status that says so.
        """
        asset = self._assets.get(path)
        found = True
        if asset is None and not path.startswith(FOR_PROGRAMS) and _reads_html(headers):
            asset, found = self._page, _opens_page(path)
        if asset is None:
            return None
        return _respond(asset, method, headers, found=found) if method in METHODS else refuse_method()

    def is_part(self, path: str) -> bool:
        """Whether a path is one of the page's parts, which is never asked for again by whoever has it."""
        return path.startswith(self.base) and path in self._assets

    def _completed(self, body: bytes) -> bytes:
        """The page and its worker name the other files by their full paths."""
        text = body.decode().replace("%BASE%", self.base)
        return text.replace('"%FILES%"', json.dumps([self.base + name for name in self._needed])).encode()


def _needed(parts: Mapping[str, bytes], joined: Mapping[str, Joined]) -> list[str]:
    """What a browser may ask for: not what it has within another file."""
    within = {name for whole in joined.values() for name in whole.within}
    return sorted(parts.keys() - within)


def _files(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{before}{entry.name}/")
        elif entry.name.rpartition(".")[2] in TYPES:
            yield before + entry.name, entry.read_bytes()


def _asset(name: str, body: bytes, caching: str) -> Asset:
    packed = gzip.compress(body, 9, mtime=0)
    tag = hashlib.sha256(body).hexdigest()[:32]
    small = packed if len(packed) < len(body) else b""
    return Asset(TYPES[name.rpartition(".")[2]], body, small, tag, caching)


def _opens_page(path: str) -> bool:
    """Whether people who come to this path are to see the page: the front, a race's link, a challenge. Typed by hand
    they may have capitals and a slash at the end."""
    before, mark, name = path.rstrip("/").rpartition("/")
    kind = f"{before.lower()}{mark}"
    if kind == LINK:
        return read_race_name(unquote(name)) is not None
    return path == "/" or (kind == CHALLENGE and is_run_id(name.lower()))


def _reads_html(headers: Headers) -> bool:
    """A browser says that it takes HTML; programs that do not get the plain text."""
    return any("text/html" in value for value in headers.get_all("Accept"))


_ZERO = re.compile(r"q=0(\.0*)?\s*$")


def _takes_gzip(headers: Headers) -> bool:
    offered = ",".join(headers.get_all("Accept-Encoding")).lower().split(",")
    return any(
        one.strip().partition(";")[0].strip() in ("gzip", "*") and not _ZERO.search(one) for one in offered
    )


def _respond(asset: Asset, method: str, headers: Headers, *, found: bool) -> Response:
    packed = bool(asset.packed) and _takes_gzip(headers)
    tag = f'"{asset.tag}{"-gzip" if packed else ""}"'
    fresh = found and matches(if_none_match(headers), tag)
    status = http.HTTPStatus.OK if found else http.HTTPStatus.NOT_FOUND
    status = http.HTTPStatus.NOT_MODIFIED if fresh else status
    body = asset.packed if packed else asset.body
    sent = Headers(
        [
            ("Cache-Control", asset.caching),
            ("ETag", tag),
            ("Vary", "Accept, Accept-Encoding"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Connection", "close"),
        ]
    )
    if not fresh:
        sent["Content-Type"] = asset.content_type
        sent["Content-Length"] = str(len(body))
        if packed:
            sent["Content-Encoding"] = "gzip"
    return Response(status.value, status.phrase, sent, b"" if fresh or method == "HEAD" else body)
