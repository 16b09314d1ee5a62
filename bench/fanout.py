"""What it costs to tell many of a move, against `websockets.broadcast` and picows: `python -m bench fanout`.

One race, many spectators. CPU of the server's process for each message and receiver; a move is made when everybody has
the one before. The yardsticks pass on 14 bytes that they are sent, and do nothing else.
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

BYTES = frame(b"fourteen bytes")
OURS, BROADCAST, PICOWS = "cellrace", "broadcast", "picows"


def _sample(
    crowd: Crowd, server: Contender, watchers: list[Watcher], speak: Callable[[], int], seconds: float
) -> Values:
    before, meter = watchers[0].count, server.meter()
    for watcher in watchers:
        watcher.count = before
    told, bytes_in = before, sum(watcher.bytes_in for watcher in watchers)
    meter.start()
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        told += speak()
        until_all_have(crowd, watchers, told)
    meter.stop()
    deliveries = (told - before) * len(watchers)
    return {
        "cpu": 1e6 * meter.used.cpu / deliveries,
        "bytes": (sum(watcher.bytes_in for watcher in watchers) - bytes_in) / deliveries,
    }


def _ours(crowd: Crowd, server: Contender, receivers: int, together: int, seconds: float) -> Sample:
    mover = Mover(server.port, "cellrace.1.msgpack")
    watchers = watching(server.port, receivers, mover.begin())
    crowd.add([mover, *watchers])

    def speak() -> int:
        mover.send(mover.moves(together))
        return together

    return lambda: _sample(crowd, server, watchers, speak, seconds)


def _theirs(crowd: Crowd, server: Contender, receivers: int, seconds: float) -> Sample:
    watchers = listening(server.port, receivers)
    speaker = Peer(server.port)
    crowd.add([speaker, *watchers])

    def speak() -> int:
        speaker.send(BYTES)
        return 1

    return lambda: _sample(crowd, server, watchers, speak, seconds)


def measured(receivers: int, scale: Scale) -> Contest:
    """All contenders in turns."""
    with contextlib.ExitStack() as stack:
        crowd = stack.enter_context(Crowd())
        one, tick = (stack.enter_context(cellrace()) for _ in range(2))
        contenders: dict[str, Sample] = {
            OURS: _ours(crowd, one, receivers, 1, scale.seconds),
            f"{OURS}, {TOGETHER} a tick": _ours(crowd, tick, receivers, TOGETHER, scale.seconds),
        }
        for name in (BROADCAST, "picows_loop"):
            server = stack.enter_context(yardstick(name))
            contenders[name.removesuffix("_loop")] = _theirs(crowd, server, receivers, scale.seconds)
        return Contest(contenders, scale.rounds, crowd.rest)


def show(receivers: int, contest: Contest) -> None:
    """Tables for people."""
    ticks = f"{OURS}, {TOGETHER} a tick"
    table(
        [f"{receivers:,} receivers", "CPU, µs a message and receiver", "bytes"],
        [
            [name, contest.spread(name, "cpu").shown(2), f"{contest.spread(name, 'bytes').median:.1f}"]
            for name in (OURS, ticks, BROADCAST, PICOWS)
        ],
    )
    goals = [
        (OURS, BROADCAST, "≤ 0.65"),
        (OURS, PICOWS, "≤ 1.3"),
        (ticks, PICOWS, "≤ 0.25"),
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
