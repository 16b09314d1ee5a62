"""The contract of `ports.ratings.Ratings`."""

import asyncio
from collections.abc import Sequence

import pytest

from cellrace_server.core.people import Kind, Player
from cellrace_server.core.ratings import HISTORY_MOST, Change, Finishers, Pool, Rated, changes
from cellrace_server.ports.ratings import Place, Ranking
from cellrace_server.ports.results import Look
from tests.server.contracts.conftest import Node, Nodes

pytestmark = pytest.mark.asyncio

POOL = Pool("classic")
PLAYERS = {name: Player(name, name.title()) for name in ("anna", "bob", "cleo", "dan")}


async def rate(node: Node, race: str, order: Sequence[str], pool: Pool = POOL) -> None:
    """Book a race as a node does, however often somebody else is faster."""
    players = [PLAYERS[name] for name in order]
    finishers = Finishers(pool, players, range(1, len(order) + 1))
    while True:
        known = await node.ratings.of(pool, order)
        if await node.ratings.book(pool, race, changes(race, 1_000, finishers, known)):
            return


def settled(name: str, value: float, races: int = 10, at: int = 1_000) -> Change:
    """A rating, as if it had been come by."""
    (change,) = changes("x", at, Finishers(POOL, (PLAYERS[name],), (1,)), (None,))
    return change._replace(rated=Rated(PLAYERS[name], value, 60, 0.03, races, at))


async def test_nobody_is_rated_before_a_race(node: Node) -> None:
    assert await node.ratings.of(POOL, ["anna", "bob"]) == [None, None]
    assert list(await node.ratings.of(POOL, [])) == []
    assert await node.ratings.page(POOL, Look(player="anna")) == Ranking(0, 0, [])
    assert await node.ratings.history(POOL, "anna") == []
    assert await node.ratings.rules("anna") == []


async def test_a_race_counts_once_whoever_books_it_and_however_often(nodes: Nodes) -> None:
    first, second = nodes
    await rate(first, "race", ["anna", "bob"])
    once = await first.ratings.of(POOL, ["anna", "bob"])
    for node in (second, first, second):
        await rate(node, "race", ["anna", "bob"])
        await rate(node, "race", ["bob", "anna"])
    assert await second.ratings.of(POOL, ["anna", "bob"]) == once
    assert [rated.races for rated in once if rated is not None] == [1, 1]
    assert len(await first.ratings.history(POOL, "anna")) == 1


async def test_what_was_made_from_an_old_rating_is_not_booked(nodes: Nodes) -> None:
    first, second = nodes
    finishers = Finishers(POOL, (PLAYERS["anna"], PLAYERS["bob"]), (1, 2))
    stale = changes("late", 2_000, finishers, (None, None))
    await rate(first, "race", ["anna", "cleo"])
    before = await first.ratings.of(POOL, ["anna", "bob", "cleo"])
    assert not await second.ratings.book(POOL, "late", stale)
    assert await first.ratings.of(POOL, ["anna", "bob", "cleo"]) == before
    await rate(second, "late", ["anna", "bob"])
    anna, bob, _ = await first.ratings.of(POOL, ["anna", "bob", "cleo"])
    assert anna is not None
    assert bob is not None
    assert (anna.races, bob.races) == (2, 1)
    assert [step.race for step in await first.ratings.history(POOL, "anna")] == ["race", "late"]


async def test_two_nodes_that_book_at_once_lose_nothing(nodes: Nodes) -> None:
    names = list(PLAYERS)
    races = [(f"r{n}", [names[n % 4], names[(n + 1 + n // 4 % 3) % 4]]) for n in range(40)]
    await asyncio.gather(
        *(rate(nodes[side], race, order) for race, order in races for side in (0, 1)),
    )
    found = [rated for rated in await nodes[0].ratings.of(POOL, names) if rated is not None]
    raced = {name: sum(name in order for _, order in races) for name in names}
    assert {rated.player.id: rated.races for rated in found} == raced
    for name in names:
        steps = await nodes[1].ratings.history(POOL, name)
        assert len({step.race for step in steps}) == raced[name] == len(steps)
        assert steps[-1].rating == next(rated.shown for rated in found if rated.player.id == name)


async def test_pools_are_apart(node: Node) -> None:
    for pool in (POOL, Pool("pocket"), Pool("classic", Kind.BOT)):
        await rate(node, "race", ["anna", "bob"], pool)
        assert [rated.races for rated in await node.ratings.of(pool, ["anna"]) if rated] == [1]
    assert await node.ratings.rules("anna") == ["classic", "pocket"]


async def test_the_board_has_who_is_not_provisional_by_whole_points(node: Node) -> None:
    rows = [
        settled("anna", 1_500.4, at=3_000),
        settled("bob", 1_499.6, at=2_000),
        settled("cleo", 1_700),
        settled("dan", 1_900, races=9),
    ]
    for number, change in enumerate(rows):
        assert await node.ratings.book(POOL, f"r{number}", [change._replace(before=0)])
    anna, bob, cleo, _ = (change.rated for change in rows)
    whole = [Place(1, cleo), Place(2, bob), Place(2, anna)]
    assert await node.ratings.page(POOL, Look()) == Ranking(3, 0, whole)
    assert await node.ratings.page(POOL, Look(1, 1)) == Ranking(3, 1, whole[1:2])
    assert await node.ratings.page(POOL, Look(1, 2)) == Ranking(3, 2, whole[2:])
    assert await node.ratings.page(POOL, Look(2, player="anna", around=True)) == Ranking(
        3, 1, whole[1:], whole[2], 2, 0
    )
    assert await node.ratings.page(POOL, Look(5, player="dan")) == Ranking(3, 0, whole)
    again = settled("cleo", 1_400, races=11)
    assert await node.ratings.book(POOL, "more", [again._replace(before=10)])
    assert await node.ratings.page(POOL, Look()) == Ranking(
        3, 0, [Place(1, bob), Place(1, anna), Place(3, again.rated)]
    )


async def test_only_the_last_steps_are_remembered(node: Node) -> None:
    change = settled("anna", 1_500)
    for number in range(HISTORY_MOST + 3):
        rated = Rated(PLAYERS["anna"], 1_500, 60, 0.03, number + 1, number)
        step = change.step
        assert await node.ratings.book(POOL, f"r{number}", [Change(rated, step, number)])
    assert len(await node.ratings.history(POOL, "anna")) == HISTORY_MOST


async def test_nothing_is_kept_of_who_was_erased_and_others_are_rated(node: Node) -> None:
    await node.erasure.begin(PLAYERS["bob"])
    for race in ("r1", "r2"):
        await rate(node, race, ["anna", "bob"])
    anna, bob = await node.ratings.of(POOL, ["anna", "bob"])
    assert bob is None
    assert anna is not None
    assert anna.races == 2
    assert await node.ratings.history(POOL, "bob") == []
    assert await node.ratings.rules("bob") == []
