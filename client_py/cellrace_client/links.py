"""Where a server and its races are, however people write it."""

from urllib.parse import urlsplit

LINK = "/r/"
"""What a race's name follows in its link."""

CHALLENGE = "/g/"
"""What a run's name follows in the link by which it is left as a challenge."""

_SCHEMES = {"http": "ws", "https": "wss"}


def server_url(text: str) -> str:
    """The address that clients connect to. The one that a server prints first, and shows in browsers, will do:
    `http://host:8617/` is `ws://host:8617/ws`. Anything else is left as it is. Raises `ValueError` for what cannot be
    read as an address."""
    parts = urlsplit(text)
    scheme = _SCHEMES.get(parts.scheme)
    return text if scheme is None else f"{scheme}://{parts.netloc}/ws"


def place_of(race: str, url: str, usual: str, mark: str = LINK) -> tuple[str, str]:
    """The server and the name of a race, or with another `mark` of a run, that was named by its link; what was named by
    name is on the server at `url`.

    A link's own address counts unless another than the usual one was asked for. What is no address is a name.
    """
    try:
        parts = urlsplit(race)
    except ValueError:
        return url, race
    before, found, name = parts.path.partition(mark)
    if parts.scheme not in _SCHEMES or not found or before:
        return url, race
    return (server_url(race) if url == usual else url), name


def is_server(url: str) -> bool:
    """Whether this is an address that clients connect to."""
    try:
        parts = urlsplit(url)
        return parts.scheme in _SCHEMES.values() and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port, or brackets, that make no sense
        return False


def link(server: str, name: str, mark: str = LINK) -> str:
    """The page of a race, or with another `mark` of a run, on the server whose WebSocket is at the address `server`."""
    scheme, _, rest = server.partition("://")
    place = rest.partition("/")[0]
    return f"{'https' if scheme == 'wss' else 'http'}://{place}{mark}{name}"


def without_address(what: str, mark: str = LINK) -> str:
    """A race's name, or with another `mark` a run's, out of its link; anything else as it is."""
    return what.partition(mark)[2] or what
