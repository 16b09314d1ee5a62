"""What it costs to come in, against a bare handshake: `python -m bench join`.

A connection is opened, says hello, takes what it came for with a snapshot, and closes; the yardstick only opens and
closes. CPU of the server's process for each. They come in groups, as after a restart: one alone costs mostly what it
takes the system to wake two sleeping processes in turn, several times over.
"""

import contextlib
import functools
from collections.abc import Callable, Sequence

from tools.protocol.lines import DEAL

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator, yardstick
from bench.contest import Contest, Sample, Values, circumstances, table
from bench.load.peers import Crowd, Peer
from bench.load.racers import SUBPROTOCOL
from bench.load.watchers import Mover

BARE, HELLO, WATCH, JOIN = "bare handshake", "hello", "hello, watch a race", "hello, join a race"


GROUP = 15
"""Connections that come and go together."""


def _come(server: Contender, subprotocol: str = "") -> list[Peer]:
    peers = [Peer(server.port, subprotocol, wait=False) for _ in range(GROUP)]
    for peer in peers:
        peer.opened()
    return peers


def _go(peers: Sequence[Peer]) -> None:
    for peer in peers:
        peer.hang_up()
    for peer in peers:
        peer.close()


def _bare(server: Contender) -> None:
    _go(_come(server))


def _hello(server: Contender) -> None:
    peers = _come(server, SUBPROTOCOL)
    for peer in peers:
        peer.say("hello", 1, "Mary")
    for peer in peers:
        peer.wait("welcome")
    _go(peers)


def _watch(server: Contender, race: str) -> None:
    peers = _come(server, SUBPROTOCOL)
    for peer in peers:
        peer.say("hello", 1, "Mary")
        peer.say("watch", 1, race)
    for peer in peers:
        peer.wait("snap")
    _go(peers)


def _join(server: Contender) -> None:
    """A fifteenth of what the host does is counted with each."""
    host = Peer(server.port, SUBPROTOCOL)
    host.ask("hello", 1, "Ada", until="welcome")
    entered = host.ask("create", 1, str(DEAL), "classic", GROUP + 1, False, False, 60_000, until="in")
    peers = _come(server, SUBPROTOCOL)
    for peer in peers:
        peer.say("hello", 1, "Grace")
        peer.say("join", 1, entered[3])
    for peer in peers:
        peer.wait("snap")
    _go(peers)
    host.say("leave", entered[2])
    host.close()


def _sampled(
    server: Contender, act: Callable[[Contender], None], count: int, rest: Callable[[], None]
) -> Sample:
    def sample() -> Values:
        meter = server.meter()
        meter.start()
        for _ in range(count):
            act(server)
            rest()
        meter.stop()
        return {"cpu": 1e6 * meter.used.cpu / count / GROUP}

    return sample


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    count = max(1, int(20 * scale.seconds))
    with contextlib.ExitStack() as stack:
        plain = stack.enter_context(yardstick("echo"))
        ours = stack.enter_context(cellrace("--open-races-most", "1000", "--seats-most", "1000"))
        crowd = stack.enter_context(Crowd())
        mover = Mover(ours.port, SUBPROTOCOL)
        race = mover.begin()
        crowd.add([mover])
        acts: list[tuple[str, Contender, Callable[[Contender], None]]] = [
            (BARE, plain, _bare),
            (HELLO, ours, _hello),
            (WATCH, ours, functools.partial(_watch, race=race)),
            (JOIN, ours, _join),
        ]
        contest = Contest(
            {name: _sampled(server, act, count, crowd.rest) for name, server, act in acts},
            scale.rounds,
            crowd.rest,
        )
    table(
        ["come and go", "CPU, µs", "against the bare handshake", "wanted"],
        [
            [name, contest.spread(name, "cpu").shown(0), contest.ratio(name, BARE, "cpu").shown(2), wanted]
            for name, wanted in ((BARE, ""), (HELLO, ""), (WATCH, "≤ 1.3"), (JOIN, ""))
        ],
    )


if __name__ == "__main__":
    main()
