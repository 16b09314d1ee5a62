"""What it costs to tell many of a move, against `websockets.broadcast` and picows: `python -m bench fanout`.

One race, many spectators. CPU of the server's process for each message and receiver. Every contender is given the same
to do at the same pace, for a processor that idles in between does each piece dearer: one message, or eight at once,
when everybody has had the ones before and a tick has passed. The yardsticks pass on 14 bytes that they are sent, and
do nothing else.
"""

import contextlib
import time
from collections.abc import Callable

from bench.arguments import chosen_scale
from bench.contenders import Contender, cellrace, pin_generator, yardstick
from bench.contest import Contest, Sample, Scale, Values, circumstances, table
from bench.load.frames import frame
from bench.load.peers import Crowd, Peer
from bench.load.watchers import Mover, Watcher, listening, until_all_have, watching

RECEIVERS = (300, 1_000)
TOGETHER = 8
"""Moves that fall into one tick, in the sample that is about ticks."""

PACE_S = 0.035
"""From one time that something is said to the next: a little more than our tick."""

BYTES = frame(b"fourteen bytes")
OURS, BROADCAST, PICOWS = "cellrace", "broadcast", "picows"


def several(name: str) -> str:
    """The contender that is given more at once."""
    return f"{name}, {TOGETHER} at once"


def _sample(
    crowd: Crowd, server: Contender, watchers: list[Watcher], speak: Callable[[], int], seconds: float
) -> Values:
    before, meter = watchers[0].count, server.meter()
    for watcher in watchers:
        watcher.count = before
    told, bytes_in = before, sum(watcher.bytes_in for watcher in watchers)
    meter.start()
    began = time.perf_counter()
    while (said := time.perf_counter()) - began < seconds:
        told += speak()
        until_all_have(crowd, watchers, told)
        crowd.drive(lambda: time.perf_counter() - said >= PACE_S, PACE_S + 1)
    meter.stop()
    deliveries = (told - before) * len(watchers)
    return {
        "cpu": 1e6 * meter.used.cpu / deliveries,
        "bytes": (sum(watcher.bytes_in for watcher in watchers) - bytes_in) / deliveries,
    }


def _ours(crowd: Crowd, server: Contender, receivers: int, together: int, seconds: float) -> Sample:
    mover = Mover(server.port, "cellrace.1.msgpack")
    race = mover.begin()
    crowd.add([mover])
    watchers = watching(crowd, server.port, receivers, race, Watcher)

    def speak() -> int:
        mover.send(mover.moves(together))
        return together

    return lambda: _sample(crowd, server, watchers, speak, seconds)


def _theirs(crowd: Crowd, server: Contender, receivers: int, together: int, seconds: float) -> Sample:
    watchers = listening(crowd, server.port, receivers)
    speaker = Peer(server.port)
    crowd.add([speaker])

    def speak() -> int:
        speaker.send(BYTES * together)
        return together

    return lambda: _sample(crowd, server, watchers, speak, seconds)


def measured(receivers: int, scale: Scale) -> Contest:
    """All contenders in turns."""
    with contextlib.ExitStack() as stack:
        crowd = stack.enter_context(Crowd())
        contenders: dict[str, Sample] = {}
        for name, together in ((OURS, 1), (several(OURS), TOGETHER)):
            server = stack.enter_context(cellrace())
            contenders[name] = _ours(crowd, server, receivers, together, scale.seconds)
        for module, label in (("broadcast", BROADCAST), ("picows_loop", PICOWS)):
            for name, together in ((label, 1), (several(label), TOGETHER)):
                server = stack.enter_context(yardstick(module))
                contenders[name] = _theirs(crowd, server, receivers, together, scale.seconds)
        return Contest(contenders, scale.rounds, crowd.rest)


def show(receivers: int, contest: Contest) -> None:
    """Tables for people."""
    names = [name for label in (OURS, BROADCAST, PICOWS) for name in (label, several(label))]
    table(
        [f"{receivers:,} receivers", "CPU, µs a message and receiver", "bytes"],
        [
            [name, contest.spread(name, "cpu").shown(2), f"{contest.spread(name, 'bytes').median:.1f}"]
            for name in names
        ],
    )
    goals = [
        (OURS, BROADCAST, "≤ 0.65"),
        (OURS, PICOWS, "≤ 1.3"),
        (several(OURS), several(PICOWS), "≤ 0.25"),
    ]
    table(
        ["goal 2", "ratio", "wanted"],
        [
            [f"{one} / {other}", contest.ratio(one, other, "cpu").shown(2), wanted]
            for one, other, wanted in goals
        ],
    )


def main() -> None:
    scale = chosen_scale(__doc__)
    pin_generator()
    print(circumstances())
    for receivers in RECEIVERS if scale.rounds > 1 else RECEIVERS[:1]:
        show(receivers, measured(receivers, scale))


if __name__ == "__main__":
    main()
