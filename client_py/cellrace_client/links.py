"""Where a server and its races are, however people write it."""

from urllib.parse import urlsplit

LINK = "/r/"
"""What a race's name follows in its link."""

_SCHEMES = {"http": "ws", "https": "wss"}


def server_url(text: str) -> str:
    """The address that clients connect to. The one that a server prints first, and shows in browsers, will do:
    `http://host:8617/` is `ws://host:8617/ws`. Anything else is left as it is."""
    parts = urlsplit(text)
    scheme = _SCHEMES.get(parts.scheme)
    return text if scheme is None else f"{scheme}://{parts.netloc}/ws"


def place_of(race: str, url: str, usual: str) -> tuple[str, str]:
    """The server and the name of a race that was named by its link; what was named by name is on the server at `url`.

    A link's own address counts unless another than the usual one was asked for.
    """
    parts = urlsplit(race)
    before, mark, name = parts.path.partition(LINK)
    if parts.scheme not in _SCHEMES or not mark or before:
        return url, race
    return (server_url(race) if url == usual else url), name


def link(server: str, race: str) -> str:
    """The page of a race on the server whose WebSocket is at the address `server`."""
    scheme, _, rest = server.partition("://")
    place = rest.partition("/")[0]
    return f"{'https' if scheme == 'wss' else 'http'}://{place}{LINK}{race}"


def without_address(what: str) -> str:
    """A race's name out of its link; anything else as it is."""
    return what.partition(LINK)[2] or what
