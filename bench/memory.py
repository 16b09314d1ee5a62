"""Memory of one connection that is idle, against a bare one: `python -m bench memory`.

Resident memory of a new server process before and after so many connections, in turns.
"""

import contextlib
import functools
from collections.abc import Callable, Sequence

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator, yardstick
from bench.contest import Contest, Values, circumstances, table
from bench.load.peers import Crowd, Peer
from bench.load.racers import SUBPROTOCOL, Latencies, seated
from bench.meter import rss

CONNECTIONS = 2_000
KIB = 1_024
AT_ONCE = 20
"""Players who sit down together: who has come in has to say hello within seconds."""

Opened = Callable[[Contender, int], Sequence[Peer]]
"""So many more connections; those that are there already are driven meanwhile."""


def greeted(server: Contender, count: int) -> Sequence[Peer]:
    """Players who said hello."""
    peers = [Peer(server.port, SUBPROTOCOL) for _ in range(count)]
    for peer in peers:
        peer.ask("hello", 1, "Ada", until="welcome")
    return peers


def _nobody() -> None:
    """Rests: they are all that there is."""


def racing(server: Contender, count: int) -> Sequence[Peer]:
    """Players in running races of two; the races are in it."""
    return seated(server.port, count // 2, Latencies(), _nobody)


def bare(server: Contender, count: int) -> Sequence[Peer]:
    return [Peer(server.port) for _ in range(count)]


CONTENDERS: dict[str, tuple[Callable[[], contextlib.AbstractContextManager[Contender]], Opened]] = {
    "bare `websockets`": (lambda: yardstick("echo"), bare),
    "after hello": (cellrace, greeted),
    "in a running race": (cellrace, racing),
}


def growth(name: str, count: int) -> Values:
    """KiB of one connection on a server of its own."""
    start, opened = CONTENDERS[name]
    with start() as server, Crowd() as crowd:
        crowd.add(opened(server, AT_ONCE))
        before = rss(server.pid)
        for _ in range(count // AT_ONCE):
            crowd.add(opened(server, AT_ONCE))
            crowd.rest()
        return {"KiB": (rss(server.pid) - before) / count / KIB}


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    count = CONNECTIONS if scale.seconds >= 1 else 400 if scale.rounds > 1 else 40
    contest = Contest(
        {name: functools.partial(growth, name, count) for name in CONTENDERS}, min(scale.rounds, 5)
    )
    yard = next(iter(CONTENDERS))
    table(
        [f"{count:,} connections", "KiB each", "against bare", "wanted"],
        [
            [
                name,
                contest.spread(name, "KiB").shown(1),
                contest.ratio(name, yard, "KiB").shown(2),
                "≤ 1.3" if name != yard else "",
            ]
            for name in CONTENDERS
        ],
    )


if __name__ == "__main__":
    main()
