"""Moves of races of two, against an echo and against a server as one would write it: `python -m bench race`.

All servers run on one core, the generator and the store on the other. Every server takes its turn in every round, and
ratios are of one round. CPU is that of the server's process; a move is one message in and two out.
"""

import contextlib

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator, yardstick
from bench.contest import Contest, Sample, Scale, Values, circumstances, percentile, table
from bench.load.echoing import Echoer, echo
from bench.load.peers import Crowd
from bench.load.racers import Latencies, Racer, Window, fresh, play, seated

ECHO_CONNECTIONS = 200
FEW, MANY = 10, 200
DEPTH = {FEW: 8, MANY: 2}
"""Moves of each player on their way at once, enough to keep the server's core busy."""

ACTIONS_A_SAMPLE = 3_000

ECHO, QUIET, IDIOMATIC = "echo", "10 races, one move at a time", "idiomatic, one move at a time"


def races(count: int, log: bool = True) -> str:
    return f"{count} races" + ("" if log else ", log off")


class Races:
    """Players of a server who stay for several samples, and begin new races before those get too long."""

    def __init__(
        self, crowd: Crowd, server: Contender, count: int, depth: int, idiomatic: bool = False
    ) -> None:
        self._crowd = crowd
        self._server = server
        self._count = count
        self._depth = depth
        self._idiomatic = idiomatic
        self._racers: list[Racer] = []

    def sample(self, seconds: float) -> Values:
        """One window, in figures."""
        if not (self._racers and fresh(self._racers, ACTIONS_A_SAMPLE)):
            self._crowd.remove(self._racers)
            self._racers = seated(self._crowd, self._server.port, self._count, Latencies(), self._idiomatic)
        meter = self._server.meter()
        window = play(self._crowd, self._racers, self._depth, seconds, meter)
        used = meter.used
        return {
            "rate": window.moves / window.seconds,
            "cpu": 1e6 * used.cpu / window.moves,
            "store": 1e6 * used.store / window.moves,
            "busy": 100 * used.busy,
            "share": 100 * used.cpu / used.wall,
            **_latency(window),
            "in": window.bytes_out / window.moves,
            "out": window.bytes_in / window.moves / 2,
        }


def _latency(window: Window) -> Values:
    return {
        "p50": 1e3 * percentile(window.own, 0.5),
        "p99": 1e3 * percentile(window.own, 0.99),
        "rival p50": 1e3 * percentile(window.rival, 0.5),
        "rival p99": 1e3 * percentile(window.rival, 0.99),
    }


def _echo(crowd: Crowd, server: Contender, seconds: float) -> Sample:
    peers = [Echoer(server.port) for _ in range(ECHO_CONNECTIONS)]
    crowd.add(peers)

    def sample() -> Values:
        meter = server.meter()
        done = echo(crowd, peers, seconds, meter)
        used = meter.used
        return {
            "rate": done / used.wall,
            "cpu": 1e6 * used.cpu / done,
            "busy": 100 * used.busy,
            "share": 100 * used.cpu / used.wall,
        }

    return sample


def measured(scale: Scale) -> Contest:
    """All contenders in turns."""
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(cellrace())
        logless = stack.enter_context(cellrace(log=False))
        plain = stack.enter_context(yardstick("echo"))
        idiomatic = stack.enter_context(yardstick("idiomatic"))
        crowd = stack.enter_context(Crowd())
        contenders: dict[str, Sample] = {ECHO: _echo(crowd, plain, scale.seconds)}
        for name, group in {
            races(FEW): Races(crowd, ours, FEW, DEPTH[FEW]),
            races(FEW, log=False): Races(crowd, logless, FEW, DEPTH[FEW]),
            races(MANY): Races(crowd, ours, MANY, DEPTH[MANY]),
            races(MANY, log=False): Races(crowd, logless, MANY, DEPTH[MANY]),
            QUIET: Races(crowd, ours, FEW, 1),
            f"{QUIET}, log off": Races(crowd, logless, FEW, 1),
            IDIOMATIC: Races(crowd, idiomatic, FEW, 1, idiomatic=True),
        }.items():
            contenders[name] = _sampled(group, scale.seconds)
        return Contest(contenders, scale.rounds, crowd.rest)


def _sampled(group: Races, seconds: float) -> Sample:
    return lambda: group.sample(seconds)


def show(contest: Contest) -> None:
    """Tables for people."""
    names = [
        races(FEW),
        races(MANY),
        races(FEW, log=False),
        races(MANY, log=False),
        QUIET,
        f"{QUIET}, log off",
    ]
    table(
        [
            "",
            "a second",
            "CPU, µs each",
            "store's CPU, µs",
            "core busy, % (its own use)",
            "bytes in",
            "bytes out",
        ],
        [
            [
                name,
                contest.spread(name, "rate").shown(0),
                contest.spread(name, "cpu").shown(1),
                *([contest.spread(name, "store").shown(1)] if name not in (ECHO, IDIOMATIC) else ["-"]),
                f"{contest.spread(name, 'busy').median:.0f} ({contest.spread(name, 'share').median:.0f})",
                *(
                    [contest.spread(name, "in").shown(1), contest.spread(name, "out").shown(1)]
                    if name != ECHO
                    else ["18", "14"]
                ),
            ]
            for name in (ECHO, *names, IDIOMATIC)
        ],
    )
    table(
        ["move to", "author, p50 ms", "p99", "opponent, p50 ms", "p99"],
        [
            [
                name,
                *(contest.spread(name, value).shown(2) for value in ("p50", "p99", "rival p50", "rival p99")),
            ]
            for name in (*names, IDIOMATIC)
        ],
    )
    table(["goal", "ratio", "wanted"], _goals(contest))


def _goals(contest: Contest) -> list[list[str]]:
    off = f"{QUIET}, log off"
    rows = [
        ("1. moves a second of 10 races / echo", races(FEW), ECHO, "rate", "≥ 1.3"),
        ("1. the same by CPU: echo / move", ECHO, races(FEW), "cpu", "≥ 1.3"),
        ("1. moves a second of 200 races / echo", races(MANY), ECHO, "rate", "≥ 1.0"),
        ("1. the same by CPU: echo / move", ECHO, races(MANY), "cpu", "≥ 1.0"),
        ("5. to the opponent, p50, log off / idiomatic", off, IDIOMATIC, "rival p50", "≤ 0.6"),
        ("5. to the opponent, p99, log off / idiomatic", off, IDIOMATIC, "rival p99", "≤ 0.7"),
        ("5. to the opponent, p50, durable / idiomatic", QUIET, IDIOMATIC, "rival p50", "one commit more"),
        ("6. CPU of a move, log on / off, 10 races", races(FEW), races(FEW, log=False), "cpu", "≤ 1.25"),
        ("6. CPU of a move, log on / off, 200 races", races(MANY), races(MANY, log=False), "cpu", "≤ 1.25"),
    ]
    return [
        [text, contest.ratio(one, other, value).shown(2), wanted] for text, one, other, value, wanted in rows
    ]


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    show(measured(scale))


if __name__ == "__main__":
    main()
