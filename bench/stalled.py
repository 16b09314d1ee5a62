"""A race with many spectators of whom some never read: `python -m bench stalled`.

How long a player waits for an acknowledgement without the stalled and with them, in turns; and how long it takes until
the stalled are gone, how much memory they take, and whether the others missed anything.
"""

import socket
import time
import urllib.request

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator
from bench.contest import Contest, Spread, Values, circumstances, percentile, table
from bench.load.peers import Crowd
from bench.load.racers import SUBPROTOCOL
from bench.load.watchers import Mover, Watcher, until_all_have, watching
from bench.meter import rss

HEALTHY, STALLED = 800, 200
FEW_HEALTHY, FEW_STALLED = 40, 10
GONE_S = 15.0
PACE_S = 0.012
"""From move to move: a race has room for ten thousand."""

WITHOUT, WITH = "all read", "some never read"


class Race:
    """One race, its player, and those who read."""

    def __init__(self, server: Contender, crowd: Crowd, healthy: int) -> None:
        self.server = server
        self.crowd = crowd
        self.player = Mover(server.port, SUBPROTOCOL)
        self.name = self.player.begin()
        crowd.add([self.player])
        self.readers = watching(crowd, server.port, healthy, self.name, Watcher)

    def play(self, seconds: float) -> list[float]:
        """Moves one after the other; how long each took to be acknowledged, in seconds."""
        times: list[float] = []
        player = self.player
        end = time.perf_counter() + seconds
        while (began := time.perf_counter()) < end:
            player.send(player.moves(1))
            self.crowd.drive(lambda: player.applied == player.n, GONE_S)
            times.append(time.perf_counter() - began)
            self.crowd.drive(lambda: time.perf_counter() - began >= PACE_S, GONE_S)
        return times

    def without(self, seconds: float) -> Values:
        """A sample while everybody reads."""
        times = self.play(seconds)
        return {"p50": 1e3 * percentile(times, 0.5), "p99": 1e3 * percentile(times, 0.99)}

    def with_stalled(self, count: int, seconds: float) -> Values:
        """A sample while some do not; then until they are gone."""
        before, since = rss(self.server.pid), time.perf_counter()
        deaf = watching(self.crowd, self.server.port, count, self.name, Watcher)
        for watcher in deaf:
            watcher.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            self.crowd.forsake(watcher)
        sample = dict(self.without(seconds))
        sample["growth"] = (rss(self.server.pid) - before) / (1 << 20)
        there = 1 + len(self.readers)
        while self._connections() > there and time.perf_counter() - since < 2 * GONE_S:
            self.play(0.2)
        sample["gone"] = time.perf_counter() - since
        for watcher in deaf:
            watcher.socket.close()
        return sample

    def _connections(self) -> int:
        """How many the server says there are."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/metrics") as page:
            lines = page.read().decode().splitlines()
        return next(int(float(line.split()[1])) for line in lines if line.startswith("cellrace_connections "))


def _row(name: str, spread: Spread, digits: int, wanted: str) -> list[str]:
    return [name, spread.shown(digits), f"{spread.greatest:.{digits}f}", wanted]


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    small = scale.rounds == 1
    rounds = scale.rounds if scale.seconds >= 1 else min(scale.rounds, 2)  # each takes a quarter of a minute
    healthy, stalled = (FEW_HEALTHY, FEW_STALLED) if small else (HEALTHY, STALLED)
    with cellrace() as server, Crowd() as crowd:
        race = Race(server, crowd, healthy)
        seconds = 5 * scale.seconds
        contest = Contest(
            {
                WITHOUT: lambda: race.without(seconds),
                WITH: lambda: race.with_stalled(stalled, min(seconds, 5.0)),
            },
            rounds,
            crowd.rest,
        )
        moves = race.player.n
        until_all_have(crowd, race.readers, moves)
        missed = sum(reader.count - moves for reader in race.readers)
    table(
        [f"{healthy} spectators who read, {stalled} who do not", "p50, ms", "p99, ms"],
        [
            [name, *(contest.spread(name, value).shown(2) for value in ("p50", "p99"))]
            for name in (WITHOUT, WITH)
        ],
    )
    table(
        ["", "measured", "greatest", "wanted"],
        [
            _row("p99 with / without", contest.ratio(WITH, WITHOUT, "p99"), 2, "≤ 1.2"),
            _row("seconds until the last is gone", contest.spread(WITH, "gone"), 1, "≤ 15"),
            _row("growth, MB", contest.spread(WITH, "growth"), 1, "< 80"),
            ["missed by the others", str(missed), "", "0"],
        ],
    )


if __name__ == "__main__":
    main()
