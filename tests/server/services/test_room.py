"""Commands on their way to the log: pipelining, group commit, conflicts, outages, lost facts."""

import asyncio
from collections.abc import Sequence

import pytest

from cellrace_server.core.commands import GiveUp, Join, Play, Undo
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import GaveUp, Moved, Outage, Undone
from cellrace_server.core.outcome import Rejected, Repeated
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.ports.race_log import Append
from cellrace_server.services.committer import TURNS_MOST
from cellrace_server.services.room import RETRY_AFTER_MS, WAITING_MOST
from tests.server.services.node import ADA, ALAN, GRACE, Node, Recorder, elsewhere, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

CARDS = ["2a", "2b", "2c"]


async def test_commands_are_decided_on_the_head_and_answered_when_durable(
    node: Node, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        before, told = value(room.race).number, Recorder()
        room.listeners.append(told)
        node.memory.hold()
        for n, move in enumerate(CARDS, 1):
            room.submit(Play("ada", n, move), told)
        await clock.settle()
        assert (value(room.head).number, value(room.race).number, told.told) == (before + 3, before, [])
        node.memory.go_on()
        await clock.settle()
        assert value(room.race) == value(room.head)
        assert [type(thing) for thing in told.told] == [Moved, type(None)] * 3
        assert room.idle


async def test_what_waits_goes_in_one_round_trip_for_all_races(node: Node, clock: ManualClock) -> None:
    """Group commit: while one append is under way, everything else gathers."""
    async with running(node):
        rooms = [await node.race(ADA, GRACE) for _ in range(5)]
        node.memory.hold()
        rooms[0].submit(Play("ada", 1, CARDS[0]), node.recorder)
        await clock.settle()
        calls, appends = node.memory.calls, node.hall.committer.tally.append_s.count
        for room in rooms:
            room.submit(Play("grace", 1, CARDS[0]), node.recorder)
            room.submit(Undo("grace", 2), node.recorder)
        node.memory.go_on()
        await clock.settle()
        assert node.memory.calls == calls + 1
        assert node.hall.committer.tally.append_s.count == appends + 2
        assert all(fold(node.memory.logs[room.id]) == room.race for room in rooms)
        assert node.recorder.reasons == [None] * 11


async def test_what_comes_in_one_turn_of_the_loop_after_the_other_goes_together(
    node: Node, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store costs much the same for one as for many; without end nobody waits for others."""
    async with running(node):
        rooms = [await node.race(ADA, GRACE) for _ in range(2 * TURNS_MOST)]
        append, sizes = node.log.append, list[int]()

        async def counted(batch: Sequence[Append]) -> Sequence[int | None]:
            sizes.append(len(batch))
            return await append(batch)

        monkeypatch.setattr(node.log, "append", counted)
        for room in rooms:
            room.submit(Play("ada", 1, CARDS[0]), node.recorder)
            await asyncio.sleep(0)
        await clock.settle()
        assert sum(sizes) == len(rooms)
        assert sizes[0] == 1, "who comes alone waits for nobody"
        assert TURNS_MOST // 2 < sizes[1] <= TURNS_MOST + 2


@pytest.mark.parametrize("carried_out", [False, True])
async def test_an_append_of_unknown_fate_is_repeated_until_it_is_known(
    node: Node, clock: ManualClock, carried_out: bool
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        node.memory.fail(4, carried_out=carried_out)
        room.submit(Play("ada", 1, CARDS[0]), node.recorder)
        await clock.settle()
        assert node.recorder.answers == []
        assert node.hall.committer.away
        await clock.run_until(lambda: not node.hall.committer.away and room.idle)
        assert [fact for fact in node.memory.logs[room.id] if isinstance(fact, Moved)] == [
            fact for fact in room.facts if isinstance(fact, Moved)
        ]
        assert len([fact for fact in room.facts if isinstance(fact, Moved)]) == 1
        assert node.recorder.reasons == [None]


async def test_while_the_store_is_away_commands_are_refused_and_the_outage_comes_off_race_time(
    node: Node, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        await clock.pass_time(1_000)
        node.memory.away = True
        room.submit(Play("ada", 1, CARDS[0]), node.recorder)
        await clock.settle()
        since = clock.now()
        room.submit(Play("ada", 2, CARDS[1]), node.recorder)
        room.submit(Join(ALAN), node.recorder)
        assert node.recorder.reasons == ["unavailable"] * 2
        (_, answer), _ = node.recorder.answers
        assert isinstance(answer, Rejected)
        assert answer.retry_after == RETRY_AFTER_MS
        await clock.pass_time(10_000)
        assert node.hall.committer.away
        node.memory.away = False
        await clock.run_until(lambda: room.idle and not node.hall.committer.away)
        assert node.recorder.reasons == ["unavailable"] * 2 + [None]
        moved, outage = room.facts[-2:]
        assert isinstance(moved, Moved)
        assert isinstance(outage, Outage)
        assert outage.since == since
        assert value(room.race).time(clock.now()) == 1_000
        room.submit(Play("ada", 2, CARDS[1]), node.recorder)
        await clock.settle()
        assert node.recorder.reasons[-1] is None


async def test_a_faster_node_is_heeded_and_what_waits_is_decided_again(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        elsewhere(memory, room.id, Play("grace", 1, CARDS[0]), Play("grace", 2, CARDS[1]), now=clock.now())
        room.submit(Play("ada", 1, CARDS[2]), node.recorder)
        room.submit(Play("grace", 1, CARDS[0]), node.recorder)
        room.submit(Play("ada", 2, CARDS[0]), node.recorder)
        await clock.settle()
        assert node.hall.committer.tally.conflicts == 1
        assert [answer for _, answer in node.recorder.answers] == [None, Repeated(1, 1), None]
        assert fold(memory.logs[room.id]) == room.race == room.head
        seats = [(fact.seat, fact.n) for fact in room.facts if isinstance(fact, Moved)]
        assert seats == [(1, 1), (1, 2), (0, 1), (0, 2)]


async def test_two_nodes_that_play_one_race_agree(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:
        room = await here.race(ADA, GRACE)
        other = await there.hall.open(room.id)
        assert other is not None
        for n in range(1, 30):
            for asked, player, node in ((room, "ada", here), (other, "grace", there)):
                asked.submit(Play(player, n, CARDS[0]) if n % 2 else Undo(player, n), node.recorder)
        await clock.run_until(lambda: room.idle and other.idle)
        await clock.settle()
        assert room.race == other.race == fold(memory.logs[room.id])
        assert room.facts == other.facts == memory.logs[room.id]
        assert here.recorder.reasons == there.recorder.reasons == [None] * 29
        assert here.hall.committer.tally.conflicts + there.hall.committer.tally.conflicts > 0
        assert here.recorder.facts == memory.logs[room.id]


async def test_a_refusal_that_stands_on_facts_under_way_waits_for_them(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        memory.hold()
        room.submit(GiveUp("ada", 1), node.recorder)
        room.submit(Play("ada", 2, CARDS[0]), node.recorder)
        await clock.settle()
        assert node.recorder.answers == []
        memory.go_on()
        await clock.settle()
        assert node.recorder.reasons == [None, "seat_done"]


async def test_a_refusal_on_a_head_that_never_was_is_never_told(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    """Ada undoes here what she has not played there: the refusal that stood on it is decided again."""
    async with running(node):
        room = await node.race(ADA, GRACE)
        elsewhere(memory, room.id, Play("ada", 1, CARDS[0]), now=clock.now())
        room.submit(GiveUp("ada", 1), node.recorder)
        room.submit(Undo("ada", 2), node.recorder)
        await clock.settle()
        assert [answer for _, answer in node.recorder.answers] == [Repeated(0, 1), None]
        assert isinstance(room.facts[-1], Undone)
        assert not any(isinstance(fact, GaveUp) for fact in room.facts)


async def test_a_store_that_has_lost_facts_is_gone_by(node: Node, memory: Memory, clock: ManualClock) -> None:
    async with running(node):
        room = await node.race(ADA, GRACE)
        for n, move in enumerate(CARDS[:2], 1):
            room.submit(Play("ada", n, move), node.recorder)
        await clock.settle()
        memory.logs[room.id] = memory.logs[room.id][:-1]
        room.submit(Play("ada", 3, CARDS[2]), node.recorder)
        room.submit(Play("ada", 2, CARDS[1]), node.recorder)
        await clock.settle()
        assert "restored" in node.recorder.told
        assert node.recorder.reasons[2:] == ["out_of_order", None]
        assert room.race == fold(memory.logs[room.id])


async def test_nobody_waits_for_what_others_have_asked(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    """Invariant 6: one player's flood is refused to that player alone."""
    async with running(node):
        room = await node.race(ADA, GRACE)
        flood, other = Recorder(), Recorder()
        memory.hold()
        for n in range(1, WAITING_MOST + 3):
            room.submit(Play("ada", n, CARDS[0]) if n % 2 else Undo("ada", n), flood)
        room.submit(Play("grace", 1, CARDS[0]), other)
        assert flood.reasons == ["busy"] * 2
        memory.go_on()
        await clock.settle()
        assert other.reasons == [None]
        assert flood.reasons[2:] == [None] * WAITING_MOST


async def test_a_log_that_cannot_be_read_or_written_stops_its_race_and_no_other(
    node: Node, memory: Memory, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(node):
        broken, sound = await node.race(ADA, GRACE), await node.race(ADA, GRACE)
        append = node.log.append

        async def corrupt(batch: Sequence[Append]) -> Sequence[int | None]:
            if any(item.race == broken.id for item in batch):
                raise StoreCorrupt(broken.id, "is no log")
            return await append(batch)

        monkeypatch.setattr(node.log, "append", corrupt)
        for room in (broken, sound):
            room.submit(Play("ada", 1, CARDS[0]), node.recorder)
        await clock.settle()
        assert sorted(node.recorder.reasons, key=str) == [None, "not_found"]
        broken.submit(Play("ada", 1, CARDS[0]), node.recorder)
        assert node.recorder.reasons[-1] == "not_found", "at once: nothing is tried again"
        assert broken.head == broken.race
        sound.submit(Play("ada", 2, CARDS[1]), node.recorder)
        await clock.settle()
        assert node.recorder.reasons[-1] is None
