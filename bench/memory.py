"""Memory of one connection that is idle, against a bare one: `python -m bench memory`.

Resident memory of a new server process before and after so many connections, in turns.
"""

import contextlib
import functools
from collections.abc import Callable

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

Opened = Callable[[Crowd, Contender, int], object]
"""So many more connections, driven with those that are there already."""


def greeted(crowd: Crowd, server: Contender, count: int) -> None:
    """Players who said hello."""
    peers = [Peer(server.port, SUBPROTOCOL) for _ in range(count)]
    for peer in peers:
        peer.ask("hello", 1, "Ada", until="welcome")
    crowd.add(peers)


def racing(crowd: Crowd, server: Contender, count: int) -> None:
    """Players in running races of two; the races are in it."""
    seated(crowd, server.port, count // 2, Latencies())


def bare(crowd: Crowd, server: Contender, count: int) -> None:
    crowd.add([Peer(server.port) for _ in range(count)])


CONTENDERS: dict[str, tuple[Callable[[], contextlib.AbstractContextManager[Contender]], Opened]] = {
    "bare `websockets`": (lambda: yardstick("echo"), bare),
    "after hello": (cellrace, greeted),
    "in a running race": (cellrace, racing),
}


def growth(name: str, count: int) -> Values:
    """KiB of one connection on a server of its own."""
    start, opened = CONTENDERS[name]
    with start() as server, Crowd() as crowd:
        opened(crowd, server, AT_ONCE)
        before = rss(server.pid)
        for _ in range(count // AT_ONCE):
            opened(crowd, server, AT_ONCE)
            crowd.rest()
        return {"KiB": (rss(server.pid) - before) / count / KIB}


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    count = CONNECTIONS if scale.seconds >= 1 else 400 if scale.rounds > 1 else 40
    rounds = scale.rounds if scale.seconds >= 1 else min(scale.rounds, 5)
    contest = Contest({name: functools.partial(growth, name, count) for name in CONTENDERS}, rounds)
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
