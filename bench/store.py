"""How fast facts become durable, and what that costs this process: `python -m bench.store`.

A Valkey of our own with `appendfsync always`, on a unix socket, on the disk of `--dir` (the temporary folder). Every
fact goes to another race, as moves of many races do. Sizes take turns, and medians of the rounds are printed, because
machines drift. CPU is that of this process alone; Valkey's is its own.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import redis.asyncio
import uvloop

from cellrace_engine import Move
from cellrace_server.adapters.redis import RedisStore
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.core.facts import Moved
from cellrace_server.ports.race_log import Append, RaceLog

SIZES = (1, 10, 40, 100)
RACES = 200


class Sample(NamedTuple):
    """Per fact, in seconds: on the clock, and of this process's CPU."""

    wall: float
    cpu: float


Work = Callable[[], Awaitable[int]]


async def sample(work: Work, seconds: float) -> Sample:
    """Do it again and again for so long; `work` returns how many facts it stored."""
    facts = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while (passed := time.perf_counter() - wall) < seconds:
        facts += await work()
    return Sample(passed / facts, (time.process_time() - cpu) / facts)


def appends(log: RaceLog, size: int, lengths: list[int]) -> Work:
    """One call with one fact for each of `size` races, in turn over all of them."""
    turn = 0

    async def append() -> int:
        nonlocal turn
        races = [(turn + n) % RACES for n in range(size)]
        turn += size
        batch = [
            Append(f"race-{race}", lengths[race], (Moved(1_700_000_000_000, 0, lengths[race], Move(2, 9)),))
            for race in races
        ]
        answers = await log.append(batch)
        assert answers == [None] * size
        for race in races:
            lengths[race] += 1
        return size

    return append


def pipeline(client: "redis.asyncio.Redis", size: int) -> Work:
    """For scale: the library's own pipeline of one XADD a fact, nothing compared."""

    async def append() -> int:
        commands = client.pipeline(transaction=False)
        for n in range(size):
            commands.xadd(f"yardstick-{n}", {"f": b"x" * 12})
        await commands.execute()
        return size

    return append


async def measure(data_dir: Path, rounds: int, seconds: float) -> None:
    async with EmbeddedValkey(data_dir) as valkey, RedisStore(valkey.url, shared=False) as store:
        client = redis.asyncio.Redis(unix_socket_path=valkey.socket, protocol=2)
        lengths = [0] * RACES
        work: dict[str, tuple[int, Work]] = {
            f"append, {size} a call": (size, appends(store.log, size, lengths)) for size in SIZES
        }
        work["redis-py pipeline, 40"] = (40, pipeline(client, 40))
        samples: dict[str, list[Sample]] = {name: [] for name in work}
        for _ in range(rounds):
            for name, (_, act) in work.items():
                samples[name].append(await sample(act, seconds))
        await client.aclose()
    print(f"{'':24}{'facts/s':>10}{'CPU µs/fact':>14}{'ms/call':>10}")
    for name, (size, _) in work.items():
        print_row(name, size, samples[name])


def print_row(name: str, size: int, samples: Sequence[Sample]) -> None:
    wall = statistics.median(each.wall for each in samples)
    cpu = statistics.median(each.cpu for each in samples)
    print(f"{name:24}{1 / wall:10,.0f}{cpu * 1e6:14.1f}{wall * size * 1e3:10.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dir", type=Path, default=None, help="where the log is written")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each sample")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.dir) as folder:
        uvloop.run(measure(Path(folder), chosen.rounds, chosen.seconds))


if __name__ == "__main__":
    main()
