"""The contract of `ports.results.Results`."""

import asyncio
import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cellrace_server.core.boards import Entry
from cellrace_server.ports.results import Look, Mine, Page, Row, Run
from tests.server.contracts.conftest import Node, Nodes
from tests.support.samples import BOARD, book, run

pytestmark = pytest.mark.asyncio

EXAMPLES = itertools.count()
MOST = 2**53 - 1


async def book_all(node: Node, *runs: Run) -> None:
    for each in runs:
        await book(node.results, each, b"replay of " + each.id.encode())


async def rows(node: Node, most: int = 10, board: str = BOARD) -> Sequence[Row]:
    return list((await node.results.page(board, Look(most))).rows)


async def test_a_board_nobody_wrote_is_empty(node: Node) -> None:
    for look in (Look(), Look(player="anna"), Look(player="anna", around=True)):
        assert await node.results.page(BOARD, look) == Page(0, 0, [], None)
    assert await node.results.replay("run") is None
    assert await node.results.run("run") is None


async def test_rows_are_in_order_of_time(node: Node) -> None:
    slow, fast, middle = run("anna", 90), run("bob", 70), run("cleo", 80)
    await book_all(node, slow, fast, middle)
    assert await rows(node) == [Row(1, fast), Row(2, middle), Row(3, slow)]


@pytest.mark.parametrize("most", [-1, 0, 1, 2, 3, 4, 10_000])
async def test_no_more_rows_than_asked_for(node: Node, most: int) -> None:
    await book_all(node, run("anna", 90), run("bob", 70), run("cleo", 80))
    assert len(await rows(node, most)) == min(max(most, 0), 3)


async def test_equal_values_share_a_place_and_stand_in_order_of_finishing(node: Node) -> None:
    runs = [
        run("anna", 70, at=30),
        run("zoe", 70, at=20),
        run("bob", 80),
        run("cleo", 60),
        run("dan", 70, at=100),
    ]
    await book_all(node, *runs)
    anna, zoe, bob, cleo, dan = runs
    whole = [Row(1, cleo), Row(2, zoe), Row(2, anna), Row(2, dan), Row(5, bob)]
    assert await rows(node) == whole
    for offset in range(6):
        page = await node.results.page(BOARD, Look(2, offset))
        assert page == Page(5, offset, whole[offset : offset + 2])


async def test_where_a_player_stands_and_who_is_around(node: Node) -> None:
    runs = [run(f"p{n}", 60 + n // 2, at=n) for n in range(9)]
    await book_all(node, *runs)
    whole = await rows(node)
    for n in range(9):
        page = await node.results.page(BOARD, Look(3, player=f"p{n}", around=True))
        first = min(max(n - 1, 0), 6)
        assert (page.total, page.offset, list(page.rows)) == (9, first, whole[first : first + 3])
        worse = sum(other.time > runs[n].time for other in runs)
        assert page.mine == Mine(whole[n], n, worse)
    stranger = await node.results.page(BOARD, Look(3, player="nobody", around=True))
    assert stranger == Page(9, 0, [])


async def test_of_equal_runs_the_order_of_booking_says_nothing(node: Node) -> None:
    runs = [run(player, 70, at=20) for player in ("zoe", "anna", "mia")]
    await book_all(node, *runs)
    assert await rows(node) == [Row(1, each) for each in sorted(runs, key=lambda run: run.id)]


async def test_only_a_better_run_replaces_the_row(node: Node) -> None:
    first, equal, slower, faster = run(time=70), run(time=70, at=2_000), run(time=71), run(time=69)
    await book_all(node, first)
    for no_better in (equal, slower):
        await book_all(node, no_better)
        assert await rows(node) == [Row(1, first)]
    await book_all(node, faster)
    assert await rows(node) == [Row(1, faster)]


async def test_of_equal_runs_of_a_player_the_one_finished_first_stands(node: Node) -> None:
    await book_all(node, run(time=70, at=20), run(time=70, at=10), run(time=70, at=30))
    assert await rows(node) == [Row(1, run(time=70, at=10))]


async def test_a_run_goes_to_all_its_boards_by_what_it_counts_there(node: Node) -> None:
    early, late = run(time=70, at=10), run(time=60, at=20)
    await node.results.book(early, (Entry("time", 70), Entry("moves", 50), Entry("score", -9)), b"1")
    await node.results.book(late, (Entry("time", 60), Entry("moves", 51), Entry("score", -9)), b"2")
    shown = [await rows(node, board=board) for board in ("time", "moves", "score")]
    assert shown == [[Row(1, late)], [Row(1, early)], [Row(1, early)]]


async def test_every_run_is_kept_with_its_replay(node: Node) -> None:
    runs = [run(time=70), run(time=90), run(time=50), run(time=50, suffix=" again")]
    await book_all(node, *runs)
    for each in runs:
        assert await node.results.replay(each.id) == b"replay of " + each.id.encode()
        assert await node.results.run(each.id) == each


async def test_a_player_has_a_history(node: Node) -> None:
    runs = [run(time=70 + at % 3, at=at) for at in range(7)]
    await book_all(node, run("bob"), *runs, *runs)
    assert await node.results.runs("anna", 3) == (7, runs[:3:-1])
    assert await node.results.runs("anna", 3, 5) == (7, [runs[1], runs[0]])
    for most, offset in ((0, 0), (-1, 0), (3, 7), (3, -1)):
        assert (await node.results.runs("anna", most, offset)).total == 7
        assert list((await node.results.runs("anna", most, offset)).runs) == []
    assert (await node.results.runs("nobody", 3)).total == 0


async def test_a_repeated_booking_is_harmless(nodes: Nodes) -> None:
    """Invariant 4: a result reaches each board exactly once, however often anything is retried."""
    first, second = nodes
    early, late = run(time=70, at=10), run(time=60, at=20)
    other = run("bob", 60, at=30)
    await book_all(first, early, early, late, other)
    await book_all(second, early, late, other)
    await book(second.results, late, b"something else")
    assert await rows(first) == [Row(1, late), Row(1, other)]
    assert await first.results.replay(late.id) == b"replay of " + late.id.encode()
    assert (await first.results.runs("anna", 10)).total == 2


async def test_of_bookings_at_once_the_best_stands(nodes: Nodes) -> None:
    runs = [run(time=time) for time in range(100, 60, -1)]
    await asyncio.gather(*(book_all(nodes[n % 2], each) for n, each in enumerate(runs)))
    assert await rows(nodes[0]) == [Row(1, runs[-1])]


async def test_boards_are_apart(node: Node) -> None:
    here, there = run(time=70), run(time=80)
    await book(node.results, here, board="here")
    await book(node.results, there, board="there")
    assert await rows(node, board="here") == [Row(1, here)]
    assert await rows(node, board="there") == [Row(1, there)]


async def test_replays_and_names_may_be_any(node: Node) -> None:
    odd = run("{x} ü\n")
    replay = bytes(range(256)) * 400
    await book(node.results, odd, replay, "board {y} \0")
    assert await node.results.replay(odd.id) == replay
    assert await rows(node, board="board {y} \0") == [Row(1, odd)]


async def test_great_times_are_told_apart(node: Node) -> None:
    runs = [run("anna", MOST, at=MOST), run("bob", MOST - 1, at=MOST), run("cleo", MOST, at=MOST - 1)]
    await book_all(node, *runs)
    anna, bob, cleo = runs
    assert await rows(node) == [Row(1, bob), Row(2, cleo), Row(2, anna)]


@pytest.mark.parametrize(("value", "at"), [(-(2**53), 0), (0, -1), (2**53, 0), (0, 2**53)])
async def test_numbers_that_a_board_cannot_rank_exactly_are_refused(node: Node, value: int, at: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        await node.results.book(run(at=at), (Entry(BOARD, value),), b"")
    assert await rows(node) == []


numbers = st.one_of(st.integers(0, 5), st.integers(MOST - 3, MOST), st.integers(0, MOST))
runs_of_few = st.builds(run, st.sampled_from(["anna", "bob", "cleo", "a", "ab"]), numbers, numbers)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(runs_of_few, max_size=20), st.integers(1, 6), st.randoms(use_true_random=False))
@example([run("a", 2**53 - 1), run("ab", 2**53 - 2), run("a", 2**53 - 3)], 5, random.Random(1))
async def test_a_board_is_what_an_exact_sort_would_make_of_it(
    node: Node, runs: list[Run], most: int, chance: random.Random
) -> None:
    """In whatever order the runs are booked."""
    board = f"board {next(EXAMPLES)}"
    for each in chance.sample(runs, len(runs)):
        await book(node.results, each, board=board)
    assert await rows(node, most, board) == exactly(runs)[:most]


def exactly(booked: Sequence[Run]) -> Sequence[Row]:
    """Each player's best: by time, instant, run."""
    best: dict[str, Run] = {}
    for each in booked:
        stands = best.setdefault(each.player.id, each)
        best[each.player.id] = min(stands, each, key=rank)
    standing = sorted(best.values(), key=rank)
    return [Row(1 + sum(other.time < each.time for other in standing), each) for each in standing]


def rank(run: Run) -> tuple[int, int, bytes]:
    return (run.time, run.at, run.id.encode())


async def aging(node: Node, until: int, count: int = 10, after: Run | None = None) -> list[Run]:
    return list(await node.results.aging(until, count, after))


async def test_runs_with_a_replay_are_told_from_the_oldest_on(nodes: Nodes) -> None:
    """To the millisecond, and page by page also where many were finished in one."""
    here, there = nodes
    runs = [run(f"p{n}", 70, at=at) for n, at in enumerate((9, 10, 10, 10, 11, 4_000_000_000_000))]
    assert await aging(here, MOST) == []
    await book_all(here, *reversed(runs))
    await book_all(there, *runs)
    assert await aging(there, MOST) == runs
    assert await aging(there, 8) == []
    assert await aging(there, 0) == []
    assert await aging(there, 10) == runs[:4]
    assert await aging(there, 11, 3) == runs[:3]
    assert await aging(there, 11, 3, runs[2]) == runs[3:5]
    assert await aging(there, 11, 3, runs[4]) == []
    assert await aging(there, 9, 3, runs[2]) == []


async def test_a_replay_that_is_dropped_is_gone_and_the_run_stays(nodes: Nodes) -> None:
    here, there = nodes
    first, second = run("anna", 70, at=9), run("anna", 60, at=10)
    await book_all(here, first, second)
    await here.results.drop_replay(first)
    await there.results.drop_replay(first)
    assert await there.results.replay(first.id) is None
    assert await there.results.run(first.id) == first
    assert (await there.results.runs("anna", 10)).total == 2
    assert await aging(there, MOST) == [second]
    assert await rows(there) == [Row(1, second)]
    await book_all(there, first)
    assert await here.results.replay(first.id) is not None
    assert await aging(here, MOST) == [first, second]


async def test_a_run_stands_where_it_is_its_players_row(node: Node) -> None:
    worse, better, other = run("anna", 70, at=9), run("anna", 60, at=10), run("bob", 90)
    await book_all(node, worse, other)
    await book(node.results, worse, board="another")
    assert await node.results.stands(worse, [BOARD])
    assert not await node.results.stands(better, [BOARD]), "it is not booked yet"
    await book_all(node, better)
    assert not await node.results.stands(worse, [BOARD])
    assert await node.results.stands(worse, [BOARD, "another"])
    assert await node.results.stands(better, [BOARD])
    assert await node.results.stands(other, [BOARD])
    for boards in ((), ("nobody's",)):
        assert not await node.results.stands(better, boards)
