"""How long a peer may keep us waiting."""

from typing import NamedTuple


class Patience(NamedTuple):
    """All in seconds. `handshake_s`: from the connection to the end of its HTTP request. `hello_s`: from there to the
    hello. `ping_s`: between pings, and between looks at who has got stuck. `pong_s`: until a pong is late."""

    handshake_s: float = 5
    hello_s: float = 5
    ping_s: float = 5
    pong_s: float = 5


PATIENCE = Patience()
