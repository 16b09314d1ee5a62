"""Races of a node: opened, followed, woken, recovered, forgotten."""

import asyncio
import gc
from collections.abc import Sequence

import pytest

from cellrace_server.core.commands import GiveUp, Join, Leave, Play, Ready
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import AnyFact, Ended, EndReason, Outage
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.race import Phase
from cellrace_server.gateway.channels import Channels
from cellrace_server.ports.race_log import Append
from cellrace_server.services.deadlines import EMPTY_PLACES_MOST
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, ALAN, GRACE, PAIR, SOLO, Node, elsewhere, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

LIMITED = Options(seats=2, countdown_ms=0, limit_ms=60_000)


async def test_the_countdown_ends_when_its_time_has_come(node: Node, clock: ManualClock) -> None:
    async with running(node):
        room = await node.lobby.create(Visitor(ADA), Terms(Options(seats=1, countdown_ms=3_000), 617))
        assert isinstance(room, Room)
        assert await node.hall.ask(room, Ready("ada")) is None
        await clock.pass_time(2_999)
        assert value(room.race).phase is Phase.COUNTDOWN
        await clock.pass_time(1)
        assert value(room.race).phase is Phase.RUNNING
        assert value(room.race).start == clock.now()


async def test_many_races_are_woken_each_at_its_own_instant(node: Node, clock: ManualClock) -> None:
    async with running(node):
        rooms = [await node.race(ADA, GRACE, options=LIMITED) for _ in range(20)]
        for room in rooms:
            await clock.pass_time(7)
            room.submit(Play("ada", 1, "2a"), node.recorder)
        await clock.pass_time(60_000)
        for room in rooms:
            ended = room.facts[-1]
            assert isinstance(ended, Ended)
            assert (ended.reason, ended.at) == (EndReason.TIME_LIMIT, value(room.race).start + 60_000)


async def test_a_deadline_that_comes_while_the_store_is_away_is_put_off(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE, options=LIMITED)
        await clock.pass_time(59_000)
        memory.away = True
        room.submit(Play("ada", 1, "2a"), node.recorder)
        await clock.pass_time(120_000)
        memory.away = False
        await clock.run_until(lambda: any(isinstance(fact, Outage) for fact in room.facts))
        assert value(room.race).phase is Phase.RUNNING
        await clock.pass_time(999)
        assert value(room.race).phase is Phase.RUNNING
        await clock.pass_time(501)
        assert value(room.race).end_reason is EndReason.TIME_LIMIT


async def test_what_other_nodes_write_is_followed(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        other = await there.hall.open(room.id)
        assert other is not None
        room.submit(Play("ada", 1, "2a"), here.recorder)
        await clock.settle()
        assert other.race == room.race
        elsewhere(memory, room.id, Play("grace", 1, "2a"), now=clock.now())
        memory.reset_subscriptions()  # messages were lost: the log is looked at again
        await clock.settle()
        assert other.race == room.race == fold(memory.logs[room.id])


async def test_a_race_is_read_once_for_all_who_ask_and_after_a_cancellation(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        memory.hold()
        calls = memory.calls
        asking = [asyncio.create_task(there.hall.open(room.id)) for _ in range(5)]
        await clock.settle()
        asking[0].cancel()
        memory.go_on()
        opened = await asyncio.gather(*asking[1:])
        assert len({id(found) for found in opened}) == 1
        assert memory.calls == calls + 1
        assert await there.hall.open("nosuchrace") is None


async def test_after_a_crash_races_go_on_where_they_were(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as before:
        room = await before.race(ADA, GRACE, options=LIMITED)
        room.submit(Play("ada", 1, "2a"), before.recorder)
        await clock.settle()
        raced = room.race
    async with running(Node(memory, clock, "b")) as after:
        await after.recover()
        again = after.hall.rooms[room.id]
        assert again.race == raced
        await clock.pass_time(60_000)
        assert value(again.race).end_reason is EndReason.TIME_LIMIT
        assert memory.unsettled == set()


async def test_a_race_that_cannot_be_read_keeps_no_other_from_being_recovered(
    memory: Memory, clock: ManualClock
) -> None:
    async with running(Node(memory, clock, "a")) as before:
        room, broken = await before.race(ADA, GRACE), await before.race(ADA, GRACE)
    memory.logs[broken.id] = memory.logs[broken.id][1:]
    memory.unsettled.add("was never written")
    async with running(Node(memory, clock, "b")) as after:
        await after.recover()
        assert list(after.hall.rooms) == [room.id]
        assert memory.unsettled == {room.id, broken.id, "was never written"}


async def one_race(node: Node, number: int) -> None:
    """A race that ends in one of four ways."""
    room = (
        await node.race(ADA, GRACE, options=LIMITED)
        if number % 4
        else await node.lobby.create(Visitor(ADA), Terms(PAIR, 617))
    )
    assert isinstance(room, Room)
    if number % 4 == 0:
        await node.hall.ask(room, Leave("ada"))
    elif number % 4 == 1:
        for player in ("ada", "grace"):
            await node.hall.ask(room, GiveUp(player, 1))
    elif number % 4 == 2:
        await node.hall.ask(room, Play("ada", 1, "2a"))
        await node.clock.pass_time(60_000)
    else:
        elsewhere(node.memory, room.id, GiveUp("ada", 1), GiveUp("grace", 1), now=node.clock.now())
        node.memory.reset_subscriptions()
    await node.clock.settle()


async def test_nothing_is_left_of_races_that_are_over(node: Node, memory: Memory, clock: ManualClock) -> None:
    channels = Channels(node.hall, clock.now)
    node.hall.listen(channels)
    async with running(node):
        for number in range(4 * EMPTY_PLACES_MOST):
            await one_race(node, number)
        assert node.hall.rooms == {}
        assert len(channels) == 0
        assert memory.unsettled == set()
        node.recorder.told.clear()
        node.recorder.answers.clear()
        gc.collect()
        left = sum(isinstance(thing, Room) for thing in gc.get_objects())
        assert left <= 2, "at most what a loop that waits has had in its hands last"


async def test_a_race_that_is_over_can_be_looked_at_and_changes_no_more(
    node: Node, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, options=SOLO)
        await node.hall.ask(room, GiveUp("ada", 1))
        await clock.settle()
        again = await node.hall.open(room.id)
        assert again is not None
        assert again is not room
        assert again.race == room.race
        for old in (room, again):
            answer = await node.hall.ask(old, Join(ALAN))
            assert isinstance(answer, Rejected)
            assert answer.reason == "race_over"
        assert node.hall.rooms == {}


async def test_a_race_that_is_created_while_it_is_looked_for_has_one_room(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asyncio.Event()
    read = node.log.read

    async def late(race: str, after: int = 0, /) -> Sequence[AnyFact]:
        await found.wait()
        return await read(race, after)

    monkeypatch.setattr(node.log, "read", late)
    async with asyncio.timeout(30), running(node):
        looking = asyncio.create_task(node.hall.open("raceax"))
        await asyncio.sleep(0)
        room = await node.lobby.create(Visitor(ADA), Terms(PAIR, 617))
        assert isinstance(room, Room)
        assert room.id == "raceax"
        found.set()
        assert await looking is room
        assert node.hall.rooms[room.id] is room


async def test_letting_go_of_a_room_leaves_another_of_the_same_race(node: Node) -> None:
    async with running(node):
        room = await node.lobby.create(Visitor(ADA), Terms(PAIR, 617))
        assert isinstance(room, Room)
        other = Room(room.id, node.hall.committer)
        node.hall.forget(other)
        assert node.hall.rooms[room.id] is room
        assert await node.hall.new(room.id) is room


async def test_what_another_node_writes_behind_an_append_whose_answer_is_late_is_heard(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        other = value(await there.hall.open(room.id))
        append, answered = here.log.append, asyncio.Event()

        async def late(batch: Sequence[Append]) -> Sequence[int | None]:
            answers = await append(batch)
            await answered.wait()
            return answers

        monkeypatch.setattr(here.log, "append", late)
        room.submit(Play("ada", 1, "2a"), here.recorder)
        await clock.settle()
        other.submit(Play("grace", 1, "2a"), there.recorder)
        await clock.settle()
        assert len(room.facts) < len(other.facts) == len(memory.logs[room.id])
        answered.set()
        await clock.settle()
        assert list(room.facts) == list(other.facts)


async def test_what_is_written_while_a_race_is_read_is_heard(
    memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while it is read for the second time, for what was written during the first."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        read, gates = there.log.read, [asyncio.Event() for _ in range(9)]
        waiting = iter(gates)

        async def late(race: str, after: int = 0) -> Sequence[AnyFact]:
            facts = await read(race, after)
            await next(waiting).wait()
            return facts

        monkeypatch.setattr(there.log, "read", late)
        opening = asyncio.create_task(there.hall.open(room.id))
        await clock.settle()
        for gate, move in zip(gates, ("2a", "2b"), strict=False):
            room.submit(Play("ada", value(value(room.race).seats[0]).n + 1, move), here.recorder)
            await clock.settle()
            gate.set()
            await clock.settle()
        for gate in gates:
            gate.set()
        await clock.settle()
        assert list(value(await opening).facts) == list(room.facts)


async def test_what_is_written_before_a_room_is_kept_is_heard(memory: Memory, clock: ManualClock) -> None:
    """Who looks on waits for the store between finding the race and keeping it; a sweep may let it go meanwhile."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        other = value(await there.hall.open(room.id))
        there.hall.drop(other)
        room.submit(Play("ada", 1, "2a"), here.recorder)
        await clock.settle()
        there.hall.keep(other)
        await clock.settle()
        assert list(other.facts) == list(room.facts)
