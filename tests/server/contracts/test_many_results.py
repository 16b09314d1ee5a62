"""Boards against an exact sort: very many results, in any order, on two nodes, many of them booked again and again."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest

from cellrace_server.adapters.redis import RedisStore
from cellrace_server.core.boards import Entry, entries
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.runs import Run
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.results import Look, Mine, Page, Results, Row
from tests.support.memory_store import Memory, MemoryResults

pytestmark = pytest.mark.asyncio

SEED = 617
MONDAY = 1_796_000_400_000
"""30 November 2026, 00:20 UTC: runs begin some days before and after it."""

PLAYERS = [Player(f"p{n}", f"Player {n}", Kind.BOT if n % 4 == 0 else Kind.HUMAN) for n in range(240)]
DEALS = ("FC1-C4-AAAAATJ", "FC1-C4-AAAAAKH")
PAGE = 50


def results(chance: random.Random, count: int) -> list[Run]:
    """Runs of few values, so that most are equal to, worse or better than others of the same player and of others."""
    return [_run(chance, f"race{n}-{chance.randrange(3)}") for n in range(count)]


def _run(chance: random.Random, name: str) -> Run:
    started = MONDAY + chance.randrange(-2, 3) * 86_400_000 + chance.randrange(-900_000, 900_000)
    time = chance.choice((60_000, 61_000, chance.randrange(50_000, 90_000)))
    return Run(
        name,
        chance.choice(PLAYERS),
        chance.choice(DEALS),
        chance.choice(("classic", "pocket")),
        time,
        chance.randrange(60, 90),
        started + time // 1_000 * 1_000,
        name.split("-", maxsplit=1)[0],
        score=chance.randrange(500, 600),
        started=started,
        ranked=chance.random() < 0.5,
        first=chance.random() < 0.5,
    )


@cache
def entries_of(run: Run) -> Sequence[Entry]:
    return entries(run)


class Standing(NamedTuple):
    """In the order of a board."""

    value: int
    at: int
    run: str
    player: str


def exact(runs: Sequence[Run]) -> dict[str, list[Standing]]:
    """All boards: everything sorted, and of each player the first kept."""
    booked: dict[str, list[Standing]] = defaultdict(list)
    for run in runs:
        for board, value in entries_of(run):
            booked[board].append(Standing(value, run.at, run.id, run.player.id))
    boards: dict[str, list[Standing]] = {}
    for board, standings in booked.items():
        best: dict[str, Standing] = {}
        for standing in sorted(standings):
            best.setdefault(standing.player, standing)
        boards[board] = list(best.values())
    return boards


async def check(node: Results, runs: Sequence[Run]) -> int:
    """Every board, every page of it, and every player's standing; returns how many were looked at."""
    by_name = {run.id: run for run in runs}
    looked_at = 0
    for board, order in exact(runs).items():
        places: dict[int, int] = {}
        worse: dict[int, int] = {}
        for number, standing in enumerate(order, 1):
            places.setdefault(standing.value, number)
            worse[standing.value] = len(order) - number
        rows = [Row(places[standing.value], by_name[standing.run]) for standing in order]
        for offset in range(0, len(rows) + PAGE, PAGE):
            page = await node.page(board, Look(PAGE, offset))
            assert page == Page(len(rows), offset, rows[offset : offset + PAGE]), board
            looked_at += 1
        for ahead, standing in enumerate(order):
            page = await node.page(board, Look(3, player=standing.player, around=True))
            assert page.mine == Mine(rows[ahead], ahead, worse[standing.value]), board
            assert list(page.rows) == rows[page.offset : page.offset + 3]
            assert rows[ahead] in page.rows
            looked_at += 1
    return looked_at


async def check_histories(node: Results, runs: Sequence[Run]) -> None:
    of_player: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for run in runs:
        of_player[run.player.id].append((run.at, run.id))
    for player in PLAYERS[::20]:
        theirs = sorted(of_player[player.id])
        total, newest = await node.runs(player.id, 10)
        assert total == len(theirs)
        assert [(run.at, run.id) for run in newest] == theirs[: -11 if len(theirs) > 10 else None : -1]


async def booked(node: Results, run: Run) -> None:
    """Until the store has said so."""
    while True:
        try:
            await node.book(run, entries_of(run), b"replay")
        except StoreUnavailable:
            continue
        return


async def test_100_000_results_stand_as_an_exact_sort_says() -> None:
    """Two nodes; one booking in ten fails before or after it was carried out and is repeated, one in five comes twice,
    at another time and from the other node."""
    chance = random.Random(SEED)
    memory = Memory()
    nodes = MemoryResults(memory), MemoryResults(memory)
    runs = results(chance, 100_000)
    orders = [*runs, *chance.sample(runs, 20_000)]
    chance.shuffle(orders)
    for run in orders:
        if chance.random() < 0.1:
            memory.fail(chance.randrange(1, 3), carried_out=chance.random() < 0.5)
        await booked(chance.choice(nodes), run)
    assert await check(nodes[0], runs) > 10_000
    await check_histories(nodes[1], runs)


async def test_results_in_the_store_stand_as_an_exact_sort_says(empty_valkey: str) -> None:
    """The same in a real one, from two nodes at once."""
    chance = random.Random(SEED)
    runs = results(chance, 3_000)
    orders = [*runs, *chance.sample(runs, 600)]
    chance.shuffle(orders)
    async with (
        RedisStore(empty_valkey, node="a", timeout=10) as first,
        RedisStore(empty_valkey, node="b", timeout=10) as second,
    ):
        for start in range(0, len(orders), 20):
            batch = orders[start : start + 20]
            await asyncio.gather(
                *(booked((first, second)[n % 2].results, run) for n, run in enumerate(batch))
            )
        await check(first.results, runs)
        await check_histories(second.results, runs)
