"""A result reaches its board exactly once, however often anything fails (invariant 4), and no move is lost (2)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from cellrace_engine.replay import from_json, verify
from cellrace_server.core.boards import entries
from cellrace_server.core.commands import AnyCommand, GiveUp, Play, Ready
from cellrace_server.core.facts import Finished, Moved
from cellrace_server.core.options import Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Race
from cellrace_server.core.runs import Run, run_id
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services import bookkeeper
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, SOLO, Node, Recorder, running, value
from tests.support.clock import ManualClock
from tests.support.lines import DEAL, winning_line
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

T = TypeVar("T")
LINE = winning_line()
BATCH = 23
BOARD = "deal:FC1-C4-AAAAATJ:classic:human:time:any"


@dataclass
class FaultyMemory(Memory):
    """Goes wrong at the calls named: before they are carried out, or after."""

    before: frozenset[int] = frozenset()
    after: frozenset[int] = frozenset()
    made: list[str] = field(default_factory=list[str])

    async def call(self, action: Callable[[], T]) -> T:
        number = len(self.made)
        self.made.append("call")
        if number in self.before:
            raise StoreUnavailable("before it was carried out")
        done = await super().call(action)
        assert all(proved(self, race) for race in self.logs.keys() - self.unsettled)
        if number in self.after:
            raise StoreUnavailable("after it was carried out")
        return done


def proved(memory: Memory, race: str) -> bool:
    """Every finished run of a race has its replay: only then may the race be settled, after which its log goes."""
    finished = [fact.seat for fact in memory.logs[race] if isinstance(fact, Finished)]
    return all(run_id(race, seat) in memory.replays for seat in finished)


async def created(node: Node) -> Room:
    """A race of one, asked for until it is there."""
    while True:
        try:
            answer = await node.clock.carry_out(node.lobby.create(Visitor(ADA), Terms(SOLO, DEAL)))
        except StoreUnavailable:
            continue
        if isinstance(answer, Room):
            return answer
        await node.clock.pass_time(500)


async def won(node: Node, room: Room) -> None:
    """Play on from wherever the race is until it is won, sending again what is put off."""
    while (race := value(room.race)).phase != "ended":
        (_, seat), *_ = race.seated()
        if race.phase == "lobby":
            await submitted(node, room, [Ready("ada")])
        else:
            until = min(seat.n + BATCH, len(LINE))
            await submitted(node, room, [Play("ada", n + 1, LINE[n]) for n in range(seat.n, until)])
        if value(room.race) == race:
            await node.clock.pass_time(500)


async def submitted(node: Node, room: Room, commands: Sequence[AnyCommand]) -> None:
    """All commands at once; returns when each has its answer."""
    asked = Recorder()
    for command in commands:
        room.submit(command, asked)
    await node.clock.run_until(lambda: len(asked.answers) == len(commands))


async def booked(node: Node, memory: Memory, race: str) -> None:
    await node.clock.run_until(lambda: node.bookkeeper.idle and race not in memory.unsettled)


def check(memory: Memory, race: str) -> None:
    """One row, one replay that proves it, every move once."""
    """And on every other board of the run, which is all there is."""
    ((value, at, name),) = memory.rows[BOARD].values()
    row = memory.runs[name]
    assert list(memory.runs) == [name]
    assert (row.id, row.race, row.player, row.first) == (run_id(race, 0), race, ADA, True)
    assert {
        (board, player, run, counted): counted
        for board, rows in memory.rows.items()
        for player, (counted, _, run) in rows.items()
    }.keys() == {(board, "ada", name, counted) for board, counted in entries(row)}
    assert memory.seen == {("ada", DEAL): race}
    assert (row.time, row.at) == (value, at)
    assert list(memory.replays) == [row.id]
    replay = from_json(memory.replays[row.id].decode())
    verification = verify(replay)
    assert verification.failure is None
    assert verification.lines[0].won
    facts = memory.logs[race]
    assert [fact.n for fact in facts if isinstance(fact, Moved)] == list(range(1, len(LINE) + 1))
    (finished,) = [fact for fact in facts if isinstance(fact, Finished)]
    assert (row.time, row.at) == (finished.time, finished.at)


async def whole_race(memory: FaultyMemory) -> str:
    async with running(Node(memory, ManualClock())) as node:
        room = await created(node)
        await won(node, room)
        await booked(node, memory, room.id)
        return room.id


async def calls_made() -> int:
    """How often a race from its creation to its board asks the store."""
    memory = FaultyMemory()
    check(memory, await whole_race(memory))
    return len(memory.made)


async def test_a_fault_at_any_call_changes_nothing_in_the_end() -> None:
    calls = await calls_made()
    assert calls > 8
    for number in range(calls):
        for memory in (
            FaultyMemory(before=frozenset({number})),
            FaultyMemory(after=frozenset({number})),
            FaultyMemory(before=frozenset({number, number + 2}), after=frozenset({number + 1})),
        ):
            check(memory, await whole_race(memory))


async def test_a_crash_at_any_call_changes_nothing_in_the_end() -> None:
    """The node stops for good at one call, carried out or not; another one takes up what it left."""
    for number in range(await calls_made()):
        for carried_out in (False, True):
            await crash_at(number, carried_out)


async def crash_at(number: int, carried_out: bool) -> None:
    memory = Memory()
    calls = 0

    class Dying(Memory):
        async def call(self, action: Callable[[], T]) -> T:
            nonlocal calls
            calls += 1
            if calls <= number:
                return await memory.call(action)
            if calls == number + 1 and carried_out:
                await memory.call(action)
            raise StoreUnavailable("for good")

    dying = Dying()
    vars(dying).update(vars(memory))  # one store: what a node did before it died is there for the next
    clock = ManualClock()
    first = Node(dying, clock, "a")
    async with running(first):
        await until_it_dies(first)
    async with running(Node(memory, clock, "b")) as second:
        await second.recover()
        races = list(memory.logs)
        room = await second.hall.open(races[0]) if races else await created(second)
        assert room is not None
        await won(second, room)
        await booked(second, memory, room.id)
        for _ in range(2):  # what was opened and never created is given a whole round
            await second.sweeper.sweep()
    check(memory, room.id)
    assert memory.unsettled == set()


async def until_it_dies(node: Node) -> None:
    """The whole race again, as far as it comes."""
    try:
        creating = asyncio.create_task(node.lobby.create(Visitor(ADA), Terms(SOLO, DEAL)))
        await node.clock.settle()
        if not creating.done():
            creating.cancel()
            return
        answer = creating.result()
    except StoreUnavailable:
        return
    assert isinstance(answer, Room)
    answer.submit(Ready("ada"), Recorder())
    await node.clock.settle()
    for start in range(0, len(LINE), BATCH):
        for n in range(start, min(start + BATCH, len(LINE))):
            answer.submit(Play("ada", n + 1, LINE[n]), Recorder())
        await node.clock.settle()
    await node.clock.settle()


async def test_a_run_reviewed_any_number_of_times_stands_once() -> None:
    memory = FaultyMemory()
    race = await whole_race(memory)
    rows, replays = dict(memory.rows[BOARD]), dict(memory.replays)
    memory.unsettled.add(race)
    for name in "bcd":
        async with running(Node(memory, ManualClock(), name)) as node:
            await node.recover()
            await booked(node, memory, race)
            memory.unsettled.add(race)
    assert (memory.rows[BOARD], memory.replays) == (rows, replays)


async def test_a_board_that_cannot_be_written_stops_nothing_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = FaultyMemory()
    async with running(Node(memory, ManualClock())) as node:

        async def corrupt(*_: object) -> None:
            raise StoreCorrupt(BOARD, "is no board")

        monkeypatch.setattr(node.results, "book", corrupt)
        room = await created(node)
        await won(node, room)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
        assert memory.unsettled == {room.id}
        assert node.hall.rooms == {}
    async with running(Node(memory, ManualClock(), "b")) as again:
        await again.recover()
        await booked(again, memory, room.id)
    check(memory, room.id)


async def test_a_race_whose_replay_fails_keeps_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = FaultyMemory()

    def false(*_: object) -> tuple[None, str]:
        return None, "it does not hold"

    monkeypatch.setattr(bookkeeper, "_proved", false)
    async with running(Node(memory, ManualClock())) as node:
        room = await created(node)
        await won(node, room)
        await node.clock.run_until(lambda: node.bookkeeper.idle)
    assert memory.unsettled == {room.id}
    assert memory.rows == {}


async def test_a_booking_that_waits_holds_no_other_race_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one race everything is done in order: it is settled when its run is booked."""
    memory = FaultyMemory()
    async with running(Node(memory, ManualClock())) as node:
        book, free = node.results.book, asyncio.Event()
        slow = await created(node)

        async def late(run: Run, *others: Any) -> None:
            if run.race == slow.id:
                await free.wait()
            await book(run, *others)

        monkeypatch.setattr(node.results, "book", late)
        await won(node, slow)
        assert node.bookkeeper.has(slow.id)
        other = await node.race(ADA, options=SOLO)
        await won(node, other)
        await node.clock.run_until(lambda: other.id not in memory.unsettled)
        assert slow.id in memory.unsettled
        assert not node.bookkeeper.idle
        free.set()
        await booked(node, memory, slow.id)


async def test_the_more_races_wait_to_be_booked_the_more_are_booked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or what waits would grow for as long as races end faster than a few are booked."""
    memory, asked = Memory(), Recorder()
    async with running(Node(memory, ManualClock())) as node:
        settle, free, under_way = node.log.settle, asyncio.Event(), set[str]()

        async def held(race: str) -> None:
            under_way.add(race)
            await free.wait()
            await settle(race)

        monkeypatch.setattr(node.log, "settle", held)
        for races, at_once in ((6, 6), (10, 8), (40, 20), (60, 30)):
            while len(memory.unsettled) < races:
                room = await node.race(ADA, options=SOLO)
                room.submit(GiveUp("ada", 1), asked)
                await node.clock.run_until(lambda room=room: node.bookkeeper.has(room.id))  # type: ignore[misc]
            await node.clock.run_until(lambda most=at_once: len(under_way) == most)  # type: ignore[misc]
            assert len(memory.unsettled) == races
        free.set()
        await node.clock.run_until(lambda: node.bookkeeper.idle and not memory.unsettled)


async def test_people_and_bots_have_boards_of_their_own() -> None:
    memory, robot = Memory(), Player("robot", "Robot", Kind.BOT)
    async with running(Node(memory, ManualClock())) as node:
        room = await node.race(robot, options=SOLO)
        for n, move in enumerate(LINE, 1):
            await node.hall.ask(room, Play("robot", n, move))
        await booked(node, memory, room.id)
        race: Race = value(room.race)
    assert len(memory.rows) == 4
    for board in memory.rows:
        assert board.startswith(f"deal:{race.code}:classic:{Kind.BOT.value}:")


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_result_is_on_no_board_before_spectators_have_seen_the_end(restarted: bool) -> None:
    """Also after a restart between the end and the instant at which it may be known."""
    memory, clock = Memory(), ManualClock()
    delayed = Options(seats=1, countdown_ms=0, delay_ms=30_000)
    node = Node(memory, clock, "a")
    async with running(node):
        room = await node.race(ADA, options=delayed)
        await won(node, room)
        await clock.pass_time(10_000)
        assert (memory.rows, memory.replays, memory.unsettled) == ({}, {}, {room.id})
        assert list(node.hall.rooms) == [room.id], "it is on the list of races still"
        if not restarted:
            await clock.pass_time(19_999)
            assert memory.rows == {}
            await clock.pass_time(1)
    if restarted:
        node = Node(memory, clock, "b")
        async with running(node):
            await node.recover()
            await clock.pass_time(19_999)
            assert (memory.rows, list(node.hall.rooms)) == ({}, [room.id])
            await clock.pass_time(1)
    assert list(memory.rows[BOARD]) == ["ada"]
    assert (memory.unsettled, node.hall.rooms) == (set(), {})
