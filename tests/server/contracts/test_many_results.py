"""Boards against an exact sort: very many results, in any order, on two nodes, many of them booked again and again."""

import asyncio
import itertools
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from tests.support.proxy import FaultyProxy

pytestmark = pytest.mark.asyncio

SEED = 617
MONDAY = 1_796_000_400_000
"""30 November 2026, 00:20 UTC: runs begin some days before and after it."""

PLAYERS = [Player(f"p{n}", f"Player {n}", Kind.BOT if n % 4 == 0 else Kind.HUMAN) for n in range(240)]
DEALS = ("FC1-C4-AAAAATJ", "FC1-C4-AAAAAKH")
PAGE = 50

AT_ONCE = 100
"""Bookings that are under way."""


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
    boards = exact(runs).items()
    return sum([await _check_board(node, board, order, by_name) for board, order in boards])


async def _check_board(
    node: Results, board: str, order: Sequence[Standing], by_name: Mapping[str, Run]
) -> int:
    places: dict[int, int] = {}
    worse: dict[int, int] = {}
    for number, standing in enumerate(order, 1):
        places.setdefault(standing.value, number)
        worse[standing.value] = len(order) - number
    rows = [Row(places[standing.value], by_name[standing.run]) for standing in order]

    async def page(offset: int) -> None:
        expected = Page(len(rows), offset, rows[offset : offset + PAGE])
        assert await node.page(board, Look(PAGE, offset)) == expected, board

    async def place(ahead: int) -> None:
        mine = order[ahead]
        page = await node.page(board, Look(3, player=mine.player, around=True))
        assert page.mine == Mine(rows[ahead], ahead, worse[mine.value]), board
        assert list(page.rows) == rows[page.offset : page.offset + 3]
        assert rows[ahead] in page.rows

    pages = range(0, len(rows) + PAGE, PAGE)
    await asyncio.gather(*(page(offset) for offset in pages), *(place(ahead) for ahead in range(len(order))))
    return len(pages) + len(order)


async def check_histories(node: Results, runs: Sequence[Run]) -> None:
    of_player: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for run in runs:
        of_player[run.player.id].append((run.at, run.id))
    for player in PLAYERS[::20]:
        theirs = sorted(of_player[player.id])
        total, newest = await node.runs(player.id, 10)
        assert total == len(theirs)
        assert [(run.at, run.id) for run in newest] == theirs[: -11 if len(theirs) > 10 else None : -1]


async def booked(nodes: Sequence[Results], run: Run) -> int:
    """By either node, until the store has said so; returns how often it had to be said."""
    for tries in itertools.count(1):
        try:
            await nodes[tries % 2].book(run, entries_of(run), b"replay")
        except StoreUnavailable:
            continue
        return tries
    raise AssertionError("never")


async def test_results_in_memory_stand_as_an_exact_sort_says() -> None:
    """Two nodes; one booking in ten fails before or after it was carried out and is repeated, one in five comes twice,
    at another time and from the other node."""
    chance = random.Random(SEED)
    memory = Memory()
    nodes = [MemoryResults(memory), MemoryResults(memory)]
    runs = results(chance, 10_000)
    for run in orders(chance, runs):
        if chance.random() < 0.1:
            memory.fail(chance.randrange(1, 3), carried_out=chance.random() < 0.5)
        chance.shuffle(nodes)
        await booked(nodes, run)
    assert await check(nodes[0], runs) > 10_000
    await check_histories(nodes[1], runs)


def orders(chance: random.Random, runs: Sequence[Run]) -> list[Run]:
    """In any order, and one in five a second time."""
    several = [*runs, *chance.sample(runs, len(runs) // 5)]
    chance.shuffle(several)
    return several


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
async def test_results_in_the_store_stand_as_an_exact_sort_says(
    empty_valkey: str, tmp_path_factory: pytest.TempPathFactory, count: int
) -> None:
    """The same in a real one, from two nodes at once, one of which the store cannot hear now and then, or not be heard
    by when the booking was carried out; then the other may book it again."""
    chance = random.Random(SEED)
    runs = results(chance, count)
    several = orders(chance, runs)
    losses = tries = 0
    async with (
        FaultyProxy(empty_valkey.removeprefix("unix://"), tmp_path_factory.mktemp("p") / "s") as between,
        RedisStore(empty_valkey, node="a", timeout=10) as first,
        RedisStore(between.url, node="a", timeout=10) as cut_off,
        RedisStore(empty_valkey, node="b", timeout=10) as second,
    ):
        for start in range(0, len(several), AT_ONCE):
            faulty = chance.random() < 0.1
            nodes = (cut_off if faulty else first).results, second.results
            between.lose_answers += faulty * chance.randrange(5)
            between.lose_requests += faulty * chance.randrange(3)
            losses += between.lose_answers + between.lose_requests
            batch = several[start : start + AT_ONCE]
            done = await asyncio.gather(
                *(booked(nodes[:: -1 if n % 2 else 1], run) for n, run in enumerate(batch))
            )
            losses -= between.lose_answers + between.lose_requests
            tries += sum(done)
        assert tries - len(several) == losses > count // 500, "what was lost was said again"
        assert await check(first.results, runs) > count // 10
        await check_histories(second.results, runs)
