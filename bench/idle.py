"""Players in a full house: `python -m bench idle`.

How long ten races of two wait for their answers on an empty server, and on the same one when it has as many connections
as it takes, all of which say nothing but pongs. Ends with 1 where one more is not refused.
"""

import resource
import sys

from bench.arguments import chosen_scale
from bench.contenders import cellrace, pin_generator
from bench.contest import Contest, Scale, Spread, circumstances, table
from bench.load.frames import encode, frame
from bench.load.peers import Closed, Crowd, Peer
from bench.load.racers import SUBPROTOCOL
from bench.meter import rss
from bench.race import FEW, Races

CONNECTIONS, SOME = 10_000, 500
AT_ONCE = 100
FILES = 10_500
EMPTY, FULL_HOUSE = "empty house", "full house"


def come_in(crowd: Crowd, port: int, count: int) -> None:
    """Connections that say hello, and nothing more."""
    hello = frame(encode(("hello", 1, "Idle")))
    for start in range(0, count, AT_ONCE):
        peers = [Peer(port, SUBPROTOCOL) for _ in range(min(AT_ONCE, count - start))]
        for peer in peers:
            peer.socket.sendall(hello)
        crowd.add(peers)
        crowd.rest()


def refused(port: int) -> bool:
    """Whether one more is told that the house is full."""
    try:
        Peer(port, SUBPROTOCOL).socket.close()
    except Closed as closed:
        return "503" in str(closed)
    return False


def sampled(races: Races, crowd: Crowd, name: str, scale: Scale) -> tuple[Spread, Spread]:
    """Medians and spread of the rounds: p50 and p99 of an acknowledgement, in ms."""
    contest = Contest({name: lambda: races.sample(scale.seconds)}, scale.rounds, crowd.rest)
    return contest.spread(name, "p50"), contest.spread(name, "p99")


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    print(circumstances())
    most = CONNECTIONS if scale.seconds >= 1 else SOME
    with cellrace("--connections-most", str(most)) as server, Crowd() as crowd:
        races = Races(crowd, server, FEW, 1)
        before = sampled(races, crowd, EMPTY, scale)
        memory = rss(server.pid)
        idle = most - 2 * FEW
        come_in(crowd, server.port, idle)
        each = (rss(server.pid) - memory) / idle / 1_024
        after = sampled(races, crowd, FULL_HOUSE, scale)
        turned_away = refused(server.port)
    table(
        ["10 races, an acknowledgement", "p50, ms", "p99, ms"],
        [
            [name, *(spread.shown(2) for spread in found)]
            for name, found in ((EMPTY, before), (FULL_HOUSE, after))
        ],
    )
    table(
        [f"{most:,} connections", "measured"],
        [
            ["KiB of an idle one", f"{each:.1f}"],
            ["p50, full / empty", f"{after[0].median / before[0].median:.2f}"],
            ["p99, full / empty", f"{after[1].median / before[1].median:.2f}"],
            ["one more is refused with 503", "yes" if turned_away else "no"],
        ],
    )
    sys.exit(0 if turned_away else 1)


if __name__ == "__main__":
    main()
