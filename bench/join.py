"""What it costs to come in, against a bare handshake: `python -m bench join`.

A connection is opened, says hello, takes what it came for with a snapshot, and closes; the yardstick only opens and
closes. CPU of the server's process for each.
"""

import contextlib
from collections.abc import Callable

from tools.protocol.lines import DEAL

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator, yardstick
from bench.contest import Contest, Sample, Values, circumstances, table
from bench.load.peers import Crowd, Peer
from bench.load.racers import SUBPROTOCOL
from bench.load.watchers import Mover

SEATS = 15
"""Besides the host's: so many can join one race."""

BARE, HELLO, WATCH, JOIN = "bare handshake", "hello", "hello, watch a race", "hello, join a race"


def _bare(server: Contender) -> None:
    Peer(server.port).close()


def _hello(server: Contender) -> None:
    peer = Peer(server.port, SUBPROTOCOL)
    peer.ask("hello", 1, "Mary", until="welcome")
    peer.close()


def _watch(server: Contender, race: str) -> None:
    peer = Peer(server.port, SUBPROTOCOL)
    peer.say("hello", 1, "Mary")
    peer.ask("watch", 1, race, until="snap")
    peer.close()


class _Open:
    """Races to join, one after the other; their host stays."""

    def __init__(self, host: Peer, server: Contender) -> None:
        self._host = host
        self._server = server
        self._race = ""
        self._channel = 0
        self._left = 0

    def join(self, _server: Contender) -> None:
        if not self._left:
            if self._race:
                self._host.say("leave", self._channel)
            entered = self._host.ask(
                "create", 1, str(DEAL), "classic", SEATS + 1, False, False, 60_000, until="in"
            )
            self._channel, self._race = int(str(entered[2])), str(entered[3])
            self._left = SEATS
        self._left -= 1
        peer = Peer(self._server.port, SUBPROTOCOL)
        peer.ask("hello", 1, "Grace", until="welcome")
        peer.ask("join", 1, self._race, until="snap")
        peer.close()


def _sampled(server: Contender, act: Callable[[Contender], None], count: int) -> Sample:
    def sample() -> Values:
        meter = server.meter()
        meter.start()
        for _ in range(count):
            act(server)
        meter.stop()
        return {"cpu": 1e6 * meter.used.cpu / count}

    return sample


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    count = max(5, int(200 * scale.seconds))
    with contextlib.ExitStack() as stack:
        plain = stack.enter_context(yardstick("echo"))
        ours = stack.enter_context(cellrace("--open-races-most", "1000", "--seats-most", "1000"))
        crowd = stack.enter_context(Crowd())
        mover, host = (Mover(ours.port, SUBPROTOCOL) for _ in range(2))
        race = mover.begin()
        crowd.add([mover])
        host.ask("hello", 1, "Ada", until="welcome")
        opened = _Open(host, ours)
        contest = Contest(
            {
                BARE: _sampled(plain, _bare, count),
                HELLO: _sampled(ours, _hello, count),
                WATCH: _sampled(ours, lambda server: _watch(server, race), count),
                JOIN: _sampled(ours, opened.join, count),
            },
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
