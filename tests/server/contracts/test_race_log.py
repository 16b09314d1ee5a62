"""The contract of `ports.race_log.RaceLog`."""

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cellrace_server.core.facts import AnyFact
from cellrace_server.ports.race_log import Append, Grown, RaceLog
from tests.server.contracts.conftest import Node, Nodes
from tests.support.samples import EVERY_FACT, moves

pytestmark = pytest.mark.asyncio

WITHIN = 10
EXAMPLES = itertools.count()


@asynccontextmanager
async def listening(log: RaceLog) -> AsyncGenerator["asyncio.Queue[Grown]"]:
    """What `growth` yields, from the moment it has begun to."""
    heard: asyncio.Queue[Grown] = asyncio.Queue()

    async def listen() -> None:
        async for grown in log.growth():
            heard.put_nowait(grown)

    task = asyncio.create_task(listen())
    try:
        async with asyncio.timeout(WITHIN):
            assert await heard.get() == Grown("", 0)
        yield heard
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_every_fact_comes_back_as_it_was(node: Node) -> None:
    assert await node.log.append([Append("race", 0, EVERY_FACT)]) == [None]
    assert tuple(await node.log.read("race")) == EVERY_FACT


async def test_a_race_nobody_wrote_is_empty(node: Node) -> None:
    assert list(await node.log.read("race")) == []
    assert list(await node.log.read("race", 3)) == []


async def test_facts_are_read_from_a_number_on(node: Node) -> None:
    await node.log.append([Append("race", 0, moves(3))])
    await node.log.append([Append("race", 3, moves(2, first=4))])
    assert [list(await node.log.read("race", after)) for after in range(7)] == [
        moves(5 - after, first=after + 1) if after < 5 else [] for after in range(7)
    ]


async def test_nothing_to_append_is_no_answer(node: Node) -> None:
    assert list(await node.log.append([])) == []


@pytest.mark.parametrize("expected", [0, 1, 2, 4, 9])
async def test_another_length_than_expected_is_refused_and_told(node: Node, expected: int) -> None:
    await node.log.append([Append("race", 0, moves(3))])
    assert list(await node.log.append([Append("race", expected, moves(2, first=50))])) == [3]
    assert list(await node.log.read("race")) == moves(3)


async def test_a_first_append_that_expects_more_is_refused(node: Node) -> None:
    assert list(await node.log.append([Append("race", 1, moves(1))])) == [0]
    assert list(await node.log.read("race")) == []


async def test_items_of_a_batch_are_independent(node: Node) -> None:
    await node.log.append([Append("b", 0, moves(3))])
    batch = [Append("a", 0, moves(2)), Append("b", 2, moves(1, first=70)), Append("c", 0, moves(1, seat=3))]
    assert list(await node.log.append(batch)) == [None, 3, None]
    assert list(await node.log.read("a")) == moves(2)
    assert list(await node.log.read("b")) == moves(3)
    assert list(await node.log.read("c")) == moves(1, seat=3)


async def test_a_repeated_append_is_harmless(nodes: Nodes) -> None:
    """Invariant 2: an acknowledged move is never doubled."""
    first, second = nodes
    batch = [Append("a", 0, moves(2)), Append("b", 0, moves(3))]
    assert list(await first.log.append(batch)) == [None, None]
    assert list(await first.log.append(batch)) == [None, None]
    assert list(await second.log.append([Append("a", 2, moves(4, first=3))])) == [None]
    assert list(await first.log.append(batch)) == [None, None]
    assert list(await first.log.read("a")) == moves(6)
    assert list(await first.log.read("b")) == moves(3)


async def test_a_batch_of_which_a_part_was_written_is_completed(node: Node) -> None:
    await node.log.append([Append("a", 0, moves(2))])
    batch = [Append("a", 0, moves(2)), Append("b", 0, moves(3))]
    assert list(await node.log.append(batch)) == [None, None]
    assert list(await node.log.read("a")) == moves(2)
    assert list(await node.log.read("b")) == moves(3)


async def test_facts_of_which_a_part_is_there_are_refused_whole(node: Node) -> None:
    await node.log.append([Append("race", 0, moves(2))])
    assert list(await node.log.append([Append("race", 1, moves(2, first=2))])) == [2]
    assert list(await node.log.append([Append("race", 0, moves(3))])) == [2]
    assert list(await node.log.read("race")) == moves(2)


async def test_of_nodes_that_append_at_once_one_wins(nodes: Nodes) -> None:
    async def race(log: RaceLog, seat: int) -> int:
        """Append 20 facts of one seat, one at a time; how often somebody else was faster."""
        length = refused = n = 0
        while n < 20:
            (answer,) = await log.append([Append("race", length, moves(1, first=n + 1, seat=seat))])
            if answer is None:
                length, n = length + 1, n + 1
            else:
                length, refused = answer, refused + 1
        return refused

    await asyncio.gather(*(race(node.log, seat) for seat, node in enumerate(nodes)))
    facts = await nodes[0].log.read("race")
    assert len(facts) == 40
    for seat in (0, 1):
        assert [fact for fact in facts if getattr(fact, "seat", None) == seat] == moves(20, seat=seat)


async def test_calls_made_at_once_do_not_get_each_others_answers(node: Node) -> None:
    async def write(number: int) -> None:
        race = f"race {number}"
        assert list(await node.log.append([Append(race, 0, moves(number))])) == [None]
        assert list(await node.log.append([Append(race, 0, moves(1, first=90))])) == [number]
        assert list(await node.log.read(race)) == moves(number)

    await asyncio.gather(*(write(number) for number in range(1, 30)))


@pytest.mark.parametrize("race", ["{", "}", "a}b{c", "", " ", "ü\n\0", "x" * 500])
async def test_a_race_may_have_any_name(node: Node, race: str) -> None:
    await node.log.open(race)
    assert list(await node.log.append([Append(race, 0, moves(1)), Append(race + ".", 0, moves(2))])) == [
        None,
        None,
    ]
    assert list(await node.log.read(race)) == moves(1)
    assert list(await node.log.unsettled()) == [race]


async def test_races_are_unsettled_from_opening_to_settling(nodes: Nodes) -> None:
    first, second = nodes
    assert list(await first.log.unsettled()) == []
    for race in ("a", "b", "a"):
        await first.log.open(race)
    assert sorted(await second.log.unsettled()) == ["a", "b"]
    for race in ("a", "a", "never opened"):
        await second.log.settle(race)
    assert list(await first.log.unsettled()) == ["b"]


async def test_settling_leaves_the_log(node: Node) -> None:
    await node.log.open("race")
    await node.log.append([Append("race", 0, moves(2))])
    await node.log.settle("race")
    assert list(await node.log.read("race")) == moves(2)


async def test_growth_tells_what_others_appended(nodes: Nodes) -> None:
    first, second = nodes
    async with asyncio.timeout(WITHIN), listening(first.log) as heard, listening(second.log) as also_heard:
        await first.log.append([Append("mine", 0, moves(1))])
        await second.log.append([Append("a", 0, moves(2)), Append("mine", 0, moves(1, first=9))])
        await second.log.append([Append("a", 2, moves(1))])
        assert [await heard.get() for _ in range(2)] == [Grown("a", 2), Grown("a", 3)]
        assert await also_heard.get() == Grown("mine", 1)
        assert heard.empty()
        assert also_heard.empty()


async def test_growth_of_many_races_at_once(nodes: Nodes) -> None:
    first, second = nodes
    async with asyncio.timeout(WITHIN), listening(first.log) as heard:
        await second.log.append([Append(f"race {n}", 0, moves(n)) for n in range(1, 101)])
        assert [await heard.get() for _ in range(100)] == [Grown(f"race {n}", n) for n in range(1, 101)]


facts = st.lists(st.sampled_from(EVERY_FACT), min_size=1, max_size=4)
appends = st.builds(Append, st.sampled_from(["a", "b", "c"]), st.integers(0, 6), facts)
batches = st.lists(appends, max_size=3, unique_by=lambda item: item.race)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(batches, max_size=12))
async def test_any_sequence_of_batches_does_what_a_list_would(node: Node, work: list[list[Append]]) -> None:
    logs: dict[str, list[AnyFact]] = {}
    example = next(EXAMPLES)
    for drawn in work:
        batch = [item._replace(race=f"{example} {item.race}") for item in drawn]
        assert list(await node.log.append(batch)) == [
            in_a_list(logs.setdefault(i.race, []), i) for i in batch
        ]
    for race, log in logs.items():
        assert list(await node.log.read(race)) == log


def in_a_list(log: list[AnyFact], item: Append) -> int | None:
    expected, facts = item.expected, list(item.facts)
    if len(log) == expected:
        log.extend(facts)
    elif len(log) < expected or log[expected : expected + len(facts)] != facts:
        return len(log)
    return None
