"""How long a large board takes to look at: `python -m bench boards`.

A Valkey of our own, as the server has it, with one board of a million rows (`--rows`). Ranks, pages and rows around a
player are asked for one after the other, at places drawn anew each time. *whole* is the time of the call, from here to
the store and back with the runs that the rows show, and whatever else the machine does meanwhile; *ours* the CPU of
this process; *store* what the store says it took for the script. What a booking costs on that board is measured last.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import redis.asyncio
import uvloop

from cellrace_server.adapters.redis import RedisStore, keys
from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.core.boards import Entry, entries
from cellrace_server.core.people import Player
from cellrace_server.core.runs import Run
from cellrace_server.ports.results import Look

BATCH = 5_000
PAGE = 100
SEED = 617
BOARD = "ever:classic:human:time:any"


def run(number: int, chance: random.Random) -> Run:
    """A run of a player of its own; a few in a thousand are equal to others."""
    at = 1_796_000_000_000 + number
    player = Player(f"{number:016x}", f"Player {number}")
    run_time = chance.randrange(40_000, 600_000)
    race = f"r{number:06x}"
    return Run(f"{race}-0", player, "FC1-C4-AAAAATJ", "classic", run_time, 80, at, race, 0, at, 9, True, True)


async def fill(socket: str, rows: int) -> None:
    """Write as the script for bookings does, without it: what takes an hour there takes a minute here."""
    chance, encode = random.Random(SEED), msgspec.msgpack.encode
    client = redis.asyncio.Redis(unix_socket_path=socket)
    for start in range(0, rows, BATCH):
        runs = [run(number, chance) for number in range(start, min(start + BATCH, rows))]
        members = {each.id: f"{each.at:014x}{each.id}" for each in runs}
        pipe = client.pipeline(transaction=False)
        pipe.zadd(keys.board_order(BOARD), {members[each.id]: each.time for each in runs})
        pipe.hset(keys.board_members(BOARD), mapping={each.player.id: members[each.id] for each in runs})
        pipe.mset({keys.run(each.id): encode(each) for each in runs})
        await pipe.execute()
    await client.aclose()


class Clockwork:
    """Times calls and asks the store what they took there."""

    def __init__(self, socket: str, samples: int) -> None:
        self._client: Any = redis.asyncio.Redis(unix_socket_path=socket)
        self._samples = samples

    async def timed(self, name: str, call: Callable[[], Awaitable[object]]) -> None:
        """Print how long it takes, in milliseconds."""
        await self._client.config_resetstat()
        whole: list[float] = []
        ours: list[float] = []
        for _ in range(self._samples):
            wall, cpu = time.perf_counter(), time.process_time()
            await call()
            whole.append(1_000 * (time.perf_counter() - wall))
            ours.append(1_000 * (time.process_time() - cpu))
        answer = await self._client.info("latencystats")
        store = answer["latency_percentiles_usec_evalsha"]
        print(
            f"{name:<31} whole {_cuts(whole)}   ours {_cuts(ours)}   "
            f"store {store['p50'] / 1_000:6.3f} {store['p99'] / 1_000:6.3f}",
            flush=True,
        )

    async def aclose(self) -> None:
        await self._client.aclose()


def _cuts(taken: Sequence[float]) -> str:
    cuts = statistics.quantiles(taken, n=100)
    return f"{cuts[49]:6.3f} {cuts[98]:6.3f}"


async def measure(rows: int, samples: int, folder: Path) -> None:
    chance = random.Random(SEED)
    async with EmbeddedValkey(folder) as valkey:
        before = time.perf_counter()
        await fill(valkey.socket, rows)
        print(f"a board of {rows:,} rows, filled in {time.perf_counter() - before:.0f} s", flush=True)
        async with RedisStore(valkey.url, shared=False) as store:
            results = store.results

            def somebody() -> str:
                return f"{chance.randrange(rows):016x}"

            await results.page(BOARD, Look(1))
            clockwork = Clockwork(valkey.socket, samples)
            timed = clockwork.timed
            print("in ms, p50 and p99")
            await timed("one's own rank", lambda: results.page(BOARD, Look(0, player=somebody())))
            await timed(
                f"a page of {PAGE}, anywhere",
                lambda: results.page(BOARD, Look(PAGE, chance.randrange(rows))),
            )
            await timed(f"the first {PAGE}", lambda: results.page(BOARD, Look(PAGE)))
            await timed(
                "the 11 rows around oneself",
                lambda: results.page(BOARD, Look(11, player=somebody(), around=True)),
            )
            extra = (run(rows + number, chance) for number in range(2 * samples))
            await timed(
                "a booking on this board",
                lambda: results.book(each := next(extra), (Entry(BOARD, each.time),), b"replay"),
            )
            await timed(
                "a ranked run on all its boards",
                lambda: results.book(each := next(extra), entries(each), b"replay"),
            )
            await clockwork.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--samples", type=int, default=2_000, help="calls of each kind (default %(default)s)")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(measure(arguments.rows, arguments.samples, Path(folder)))


if __name__ == "__main__":
    main()
