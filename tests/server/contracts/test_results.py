"""The contract of `ports.results.Results`."""

import asyncio
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cellrace_server.ports.results import Row, Run
from tests.server.contracts.conftest import Node, Nodes
from tests.support.samples import run

pytestmark = pytest.mark.asyncio

EXAMPLES = itertools.count()
MOST = 2**53 - 1


async def book(node: Node, *runs: Run) -> None:
    for each in runs:
        await node.results.book(each, b"replay of " + each.id.encode())


async def test_a_board_nobody_wrote_is_empty(node: Node) -> None:
    assert list(await node.results.top("FC-617", 10)) == []
    assert await node.results.replay("run") is None


async def test_rows_are_in_order_of_time(node: Node) -> None:
    slow, fast, middle = run("anna", 90), run("bob", 70), run("cleo", 80)
    await book(node, slow, fast, middle)
    assert list(await node.results.top("FC-617", 10)) == [Row(1, fast), Row(2, middle), Row(3, slow)]


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 3, 4, 10_000])
async def test_no_more_rows_than_asked_for(node: Node, count: int) -> None:
    await book(node, run("anna", 90), run("bob", 70), run("cleo", 80))
    assert len(await node.results.top("FC-617", count)) == min(max(count, 0), 3)


async def test_equal_times_share_a_place_and_stand_in_order_of_finishing(node: Node) -> None:
    runs = [
        run("anna", 70, at=30),
        run("zoe", 70, at=20),
        run("bob", 80),
        run("cleo", 60),
        run("dan", 70, at=100),
    ]
    await book(node, *runs)
    anna, zoe, bob, cleo, dan = runs
    assert list(await node.results.top("FC-617", 10)) == [
        Row(1, cleo),
        Row(2, zoe),
        Row(2, anna),
        Row(2, dan),
        Row(5, bob),
    ]


async def test_of_runs_finished_at_the_same_instant_the_one_booked_first_is_first(node: Node) -> None:
    runs = [run(player, 70, at=20) for player in ("zoe", "anna", "mia")]
    await book(node, *runs)
    assert list(await node.results.top("FC-617", 10)) == [Row(1, each) for each in runs]


async def test_only_a_faster_run_replaces_the_row(node: Node) -> None:
    first, equal, slower, faster = run(time=70), run(time=70, at=10), run(time=71), run(time=69)
    await book(node, first)
    for no_better in (equal, slower):
        await book(node, no_better)
        assert list(await node.results.top("FC-617", 10)) == [Row(1, first)]
    await book(node, faster)
    assert list(await node.results.top("FC-617", 10)) == [Row(1, faster)]


async def test_every_run_keeps_its_replay(node: Node) -> None:
    runs = [run(time=70), run(time=90), run(time=50), run(time=50, suffix=" again")]
    await book(node, *runs)
    for each in runs:
        assert await node.results.replay(each.id) == b"replay of " + each.id.encode()


async def test_a_repeated_booking_is_harmless(nodes: Nodes) -> None:
    """Invariant 4: a result reaches each board exactly once, however often anything is retried."""
    first, second = nodes
    early, late = run(time=70, at=10), run(time=60, at=20)
    other = run("bob", 60, at=30)
    await book(first, early, early, late, other)
    await book(second, early, late, other)
    await second.results.book(late, b"something else")
    assert list(await first.results.top("FC-617", 10)) == [Row(1, late), Row(1, other)]
    assert await first.results.replay(late.id) == b"replay of " + late.id.encode()


async def test_of_bookings_at_once_the_fastest_stands(nodes: Nodes) -> None:
    runs = [run(time=time) for time in range(100, 60, -1)]
    await asyncio.gather(*(book(nodes[n % 2], each) for n, each in enumerate(runs)))
    assert list(await nodes[0].results.top("FC-617", 10)) == [Row(1, runs[-1])]


async def test_boards_are_apart(node: Node) -> None:
    here, there = run(time=70), run(time=80, board="FC-618")
    await book(node, here, there)
    assert list(await node.results.top("FC-617", 10)) == [Row(1, here)]
    assert list(await node.results.top("FC-618", 10)) == [Row(1, there)]


async def test_replays_and_names_may_be_any(node: Node) -> None:
    odd = run("{x} ü\n", board="board {y} \0")
    replay = bytes(range(256)) * 400
    await node.results.book(odd, replay)
    assert await node.results.replay(odd.id) == replay
    assert list(await node.results.top(odd.board, 1)) == [Row(1, odd)]


async def test_great_times_are_told_apart(node: Node) -> None:
    runs = [run("anna", MOST, at=MOST), run("bob", MOST - 1, at=MOST), run("cleo", MOST, at=MOST - 1)]
    await book(node, *runs)
    anna, bob, cleo = runs
    assert list(await node.results.top("FC-617", 10)) == [Row(1, bob), Row(2, cleo), Row(2, anna)]


@pytest.mark.parametrize(("time", "at"), [(-1, 0), (0, -1), (2**53, 0), (0, 2**53)])
async def test_numbers_that_a_board_cannot_rank_exactly_are_refused(node: Node, time: int, at: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        await book(node, run(time=time, at=at))
    assert list(await node.results.top("FC-617", 10)) == []


numbers = st.one_of(st.integers(0, 5), st.integers(MOST - 3, MOST), st.integers(0, MOST))
runs_of_few = st.builds(run, st.sampled_from(["anna", "bob", "cleo", "a", "ab"]), numbers, numbers)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(runs_of_few, max_size=20), st.integers(1, 6))
@example([run("a", 2**53 - 1), run("ab", 2**53 - 2), run("a", 2**53 - 3)], 5)
async def test_a_board_is_what_an_exact_sort_would_make_of_it(
    node: Node, runs: list[Run], count: int
) -> None:
    mark = next(EXAMPLES)
    board = f"board {mark}"
    booked = [Run(f"{mark} {n}", board, r.player, r.time, r.moves, r.at, r.race) for n, r in enumerate(runs)]
    await book(node, *booked)
    assert list(await node.results.top(board, count)) == exactly(booked)[:count]


def exactly(booked: Sequence[Run]) -> Sequence[Row]:
    """Each player's first booking of its least time; by time, instant, booking."""
    best: dict[str, tuple[int, int, int]] = {}
    for n, each in enumerate(booked):
        key = (each.time, each.at, n)
        if each.player.id not in best or each.time < best[each.player.id][0]:
            best[each.player.id] = key
    standing = sorted(best.values())
    return [Row(1 + sum(other[0] < key[0] for other in standing), booked[key[2]]) for key in standing]
