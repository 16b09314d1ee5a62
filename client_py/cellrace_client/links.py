"""Links of races: what people pass on."""

LINK = "/r/"
"""What a race's name follows in its link."""


def link(server: str, race: str) -> str:
    """The page of a race on the server whose WebSocket is at the address `server`."""
    scheme, _, rest = server.partition("://")
    place = rest.partition("/")[0]
    return f"{'https' if scheme == 'wss' else 'http'}://{place}{LINK}{race}"


def without_address(what: str) -> str:
    """A race's name out of its link; anything else as it is."""
    return what.partition(LINK)[2] or what
