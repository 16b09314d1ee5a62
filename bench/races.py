"""Whether anything stays behind of very many races: `python -m bench races --races 50000`.

Pairs of bots stay, and race one race after the other on one server, with a store of its own. What is there when all
races are forgotten is compared with what was there after a few hundred. Ends with 1 where anything has stayed.
"""

import argparse
import re
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import redis

from bench.contenders import Contender, cellrace, pin_generator
from bench.contest import circumstances, table
from bench.load.bots import Pair
from bench.load.peers import Crowd
from bench.meter import rss

PAIRS = 32
FIRST = 640
"""Races before the base line: whatever grows once has grown then."""

FORGOTTEN_S = 180.0
METRICS_S = 10.0
MANY = "1000000"
FLAGS = ("--keep-races-s", "1", "--open-races-most", MANY, "--seats-most", MANY)
LOGS, WAITING = "keys: log", "races not settled"
COUNTED = ("tasks", "deadlines", "channels", "connections", "races")
RESULTS = ("run", "replay")
"""Kinds of keys of which each race that is won leaves one for each winner, to stay."""

MIB = 1 << 20
GROWTH_MOST = 8
"""MiB, of the second half of the races. In the first, memory grows by what is under way at the height of the rush, and
Python keeps it."""

Counts = dict[str, float]


def counts(server: Contender) -> Counts:
    """What could have stayed in the process, and in the store: keys by their kinds, but for results."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=METRICS_S) as page:
        lines = page.read().decode().splitlines()
    found: Counts = {"open files": 0.0, **_keys(server)}
    for line in lines:
        name, _, value = line.partition(" ")
        kind = name.partition("{")[0].removeprefix("cellrace_")
        if kind in COUNTED:
            found[kind] = found.get(kind, 0.0) + float(value)
        elif name == "process_open_fds":
            found["open files"] = float(value)
    return found


def _keys(server: Contender) -> Counts:
    """Of each kind, and the races that are not settled. Players are the same from the base line on."""
    title = Path(f"/proc/{server.store}/cmdline").read_text()
    found = re.search(r"unixsocket:([^\s\0]+)", title)
    assert found is not None, "the store listens on a socket"
    store: Any = redis.Redis(unix_socket_path=found[1])
    with store:
        kinds = Counter(_kind(key) for key in store.scan_iter("cellrace:*", 10_000))
        waiting = float(store.scard("cellrace:unsettled"))
    return {
        LOGS: 0.0,
        **{f"keys: {kind}": float(count) for kind, count in sorted(kinds.items()) if kind not in RESULTS},
        WAITING: waiting,
    }


def _kind(key: bytes) -> str:
    """`log` of `cellrace:{race}:log`."""
    return key.decode().rpartition("}:")[2].removeprefix("cellrace:").partition(":")[0]


def race(crowd: Crowd, pairs: list[Pair], left: list[int], races: int) -> float:
    """So many races; how many seconds that took."""
    left[0] = races
    began = time.perf_counter()
    for pair in pairs:
        pair.begin()
    crowd.drive(lambda: all(pair.resting for pair in pairs), 60 + races / 10)
    return time.perf_counter() - began


def settled(crowd: Crowd, server: Contender, most: Counts | None) -> Counts:
    """What is there once all races are forgotten and there is no more than `most`, or after a while."""
    until = time.perf_counter() + FORGOTTEN_S
    while True:
        _pause(crowd, 2)
        now = counts(server)
        gone = not now["races"] and not now[LOGS] and not now[WAITING]
        if (gone and (most is None or within(now, most))) or time.perf_counter() > until:
            return now


def _pause(crowd: Crowd, seconds: float) -> None:
    over = time.perf_counter() + seconds
    crowd.drive(lambda: time.perf_counter() >= over, seconds + 2)


def within(now: Counts, most: Counts) -> bool:
    """Whether there is no more of anything, and nothing of another kind."""
    return all(value <= most.get(name, 0) for name, value in now.items())


def measured(server: Contender, races: int) -> bool:
    """Race, print what came of it, and say whether everything is as it was."""
    with Crowd() as crowd:
        left = [0]

        def next_race() -> bool:
            left[0] -= 1
            return left[0] >= 0

        pairs = [Pair(server.port, next_race) for _ in range(PAIRS)]
        crowd.add([bot for pair in pairs for bot in (pair.host, pair.guest)])
        race(crowd, pairs, left, FIRST)
        before, memory = settled(crowd, server, None), [rss(server.pid) / MIB]
        meter = server.meter()
        meter.start()
        seconds = race(crowd, pairs, left, races // 2)
        settled(crowd, server, before)
        memory.append(rss(server.pid) / MIB)
        seconds += race(crowd, pairs, left, races - races // 2)
        after = settled(crowd, server, before)
        meter.stop()
        memory.append(rss(server.pid) / MIB)
    table(
        [
            f"{races:,} races, {races / seconds:.0f} a second, {1e3 * meter.used.cpu / races:.2f} ms each",
            "before",
            "after",
        ],
        [[name, f"{before.get(name, 0):.0f}", f"{after.get(name, 0):.0f}"] for name in {**before, **after}]
        + [["memory, MiB; after half of them", f"{memory[0]:.1f}; {memory[1]:.1f}", f"{memory[2]:.1f}"]],
    )
    return within(after, before) and memory[2] - memory[1] < GROWTH_MOST


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=50_000)
    races = parser.parse_args().races
    pin_generator()
    print(circumstances())
    with cellrace(*FLAGS) as server:
        sys.exit(0 if measured(server, races) else 1)


if __name__ == "__main__":
    main()
