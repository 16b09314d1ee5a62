"""Who is sent what, in which order, and how often it is encoded for that."""

import asyncio

import pytest

from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_server.core.commands import AnyCommand, GiveUp, Leave, Play, Rematch, Undo
from cellrace_server.gateway.channels import REST_MS, Channel, Channels
from cellrace_server.gateway.gallery import GAP_MOST
from cellrace_server.services.hall import Hall
from cellrace_server.services.room import Room
from tests.server.core.playbook import ADA, ALAN, GRACE, Script, started
from tests.server.gateway.audience import CountingCodec, Listener, ManualOffice, shown
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory, MemoryRaceLog
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


def hall() -> Hall:
    """A hall that nobody has asked for anything."""
    return Hall(MemoryRaceLog(Memory()), ManualClock())


class Stage:
    """A race by playbook, shown on a channel. What connections tell the race is for other tests."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.channels = Channels(hall(), lambda: self.script.now)
        self.room = Room("race", ManualOffice())
        self.room.restore(script.facts)
        self.channel: Channel = self.channels.open(self.room)
        self.room.listeners = [self.channels]
        self.order: list[str] = []

    def listener(self, name: str, seat: int = -1, subprotocol: str = MSGPACK) -> Listener:
        listener = Listener(name, CountingCodec(subprotocol), self.order)
        if seat >= 0:
            self.channel.sit(seat, listener, self.script.player_on(seat))
        else:
            self.channel.watch(listener)
        return listener

    def do(self, *commands: AnyCommand) -> None:
        for command in commands:
            shown(self.room, self.script.do(command, after_ms=10))


@pytest.fixture
def stage() -> Stage:
    return Stage(started(ADA, GRACE, ALAN))


def names(messages: list[e.AnyServerMessage]) -> list[str]:
    return [type(message).__name__ for message in messages]


async def test_the_mover_first_then_rivals_at_once_then_spectators_in_ticks(stage: Stage) -> None:
    watcher = stage.listener("watcher")
    players = [stage.listener(name, seat) for seat, name in enumerate(["ada", "grace", "alan"])]
    stage.do(Play("grace", 1, "2a"), Play("grace", 2, "2b"))
    assert stage.order == ["grace", "ada", "alan", "grace", "ada", "alan"]
    assert [names(player.heard()) for player in players] == [
        ["Progress"] * 2,
        ["Applied"] * 2,
        ["Progress"] * 2,
    ]
    assert watcher.heard() == []
    stage.channel.gallery.flush()
    assert stage.order.count("watcher") == 1
    assert names(watcher.heard()) == ["Diff", "Diff"]


async def test_a_tick_comes_by_itself(stage: Stage) -> None:
    watcher = stage.listener("watcher")
    stage.do(Play("grace", 1, "2a"))
    await eventually(lambda: bool(watcher.writes), within=5)
    assert names(watcher.heard()) == ["Diff"]


async def test_messages_are_encoded_once_an_audience_and_codec(stage: Stage) -> None:
    codec = CountingCodec(MSGPACK)
    mover = Listener("grace", codec)
    stage.channel.sit(1, mover, "grace")
    for seat, player in ((0, "ada"), (2, "alan")):
        stage.channel.sit(seat, Listener(f"rival {seat}", codec), player)
    watchers = [Listener(f"watcher {n}", codec) for n in range(50)]
    for watcher in watchers:
        stage.channel.watch(watcher)
    stage.do(Play("grace", 1, "2a"))
    stage.channel.gallery.flush()
    assert codec.encoded == 3  # the mover's, the rivals', the spectators'
    assert len({watcher.writes[0] for watcher in watchers}) == 1
    stage.do(GiveUp("grace", 2))
    stage.channel.gallery.flush()
    assert codec.encoded == 4  # the same for all


async def test_both_codecs_say_the_same(stage: Stage) -> None:
    here, there = stage.listener("here"), stage.listener("there", subprotocol=JSON)
    stage.do(Play("grace", 1, "2a"), GiveUp("ada", 1))
    stage.channel.gallery.flush()
    assert (heard := here.heard()) == there.heard()
    assert names(heard) == ["Diff", "GaveUp"]


async def test_open_boards_are_shown_to_rivals() -> None:
    stage = Stage(started(ADA, GRACE, open_boards=True))
    rival = stage.listener("ada", 0)
    stage.do(Play("grace", 1, "2a"))
    assert names(rival.heard()) == ["Diff"]


async def test_the_newest_connection_has_the_seat_and_the_older_is_told(stage: Stage) -> None:
    older = stage.listener("older", 1)
    newer = stage.listener("newer", 1)
    assert older.detached_from == [stage.channel.number]
    (notice,) = older.heard()
    assert isinstance(notice, e.Notice)
    assert (notice.code, notice.ch) == ("taken_over", stage.channel.number)
    stage.do(Play("grace", 1, "2a"))
    assert (older.heard(), names(newer.heard())) == ([], ["Applied"])
    stage.channel.sit(1, newer, "grace")
    assert newer.heard() == []


@pytest.mark.spec("6.2")
async def test_a_result_is_received_by_any_number_of_connections_and_the_newest_is_brought_to_the_rematch() -> (
    None
):
    stage = Stage(started(ADA, GRACE))
    older = stage.listener("older", 1)
    stage.do(GiveUp("ada", 1), GiveUp("grace", 1))
    newer, newest = stage.listener("newer", 1), stage.listener("newest", 1)
    channel = stage.channel
    assert not any(channel.elsewhere(each, "grace") for each in (older, newer, newest))
    channel.catch_up(older, None)
    (*_, snapshot) = older.heard()
    assert isinstance(snapshot, e.Snapshot)
    assert snapshot.you == 1
    channel.part(newest, "grace")
    stage.do(Rematch("grace", "again"))
    for each in (older, newer):
        assert each.detached_from == []
        assert names(each.heard())[-1] == "Rematched"
    assert [each.gathered for each in (older, newer, newest)] == [[], [("again", True)], []]
    for each in (newer, older):
        assert not channel.empty
        channel.part(each, "grace")
    assert channel.empty


async def test_one_connection_has_the_seat_again_where_the_end_of_a_race_was_lost() -> None:
    stage = Stage(started(ADA, GRACE))
    known = len(stage.script.facts)
    older = stage.listener("older", 1)
    stage.do(GiveUp("ada", 1), GiveUp("grace", 1))
    newer = stage.listener("newer", 1)
    stage.room.restore(stage.script.facts[:known])
    assert (older.detached_from, newer.detached_from) == ([stage.channel.number], [])
    assert names(newer.heard())[-1] == "Snapshot"


async def test_who_sits_down_gets_what_was_due_as_a_spectator_first(stage: Stage) -> None:
    watcher = stage.listener("watcher")
    stage.do(Play("grace", 1, "2a"))
    stage.channel.sit(0, watcher, "ada")
    stage.do(Play("grace", 2, "2b"))
    assert names(watcher.heard()) == ["Diff", "Progress"]


async def test_who_leaves_a_seat_watches() -> None:
    stage = Stage(Script())
    leaver = stage.listener("ada", 0)
    stage.do(Leave("ada"))
    assert "Left" in names(leaver.heard())
    assert stage.channel.players == {}
    assert list(stage.channel.gallery.watchers) == [leaver]


async def test_the_end_does_not_wait_for_a_tick(stage: Stage) -> None:
    watcher = stage.listener("watcher")
    stage.do(*(GiveUp(player, 1) for player in ("ada", "grace", "alan")))
    assert names(watcher.heard()) == ["GaveUp"] * 3 + ["End"]


@pytest.mark.parametrize("seat", [-1, 0, 1])
async def test_a_gap_is_what_was_missed(stage: Stage, seat: int) -> None:
    live = stage.listener("live", seat)
    before = stage.script.state.number
    stage.do(*(Play("grace", n, card) for n, card in enumerate(["2a", "2b", "2c"], 1)), GiveUp("alan", 1))
    stage.channel.gallery.flush()
    again = stage.listener("again", seat)
    stage.channel.catch_up(again, before)
    expected = [message for message in live.heard() if not isinstance(message, e.Notice)]
    assert again.heard() == expected
    for after in (None, 0, before + 100):
        stage.channel.catch_up(again, after)
        assert names(again.heard()) == ["Snapshot"]


async def test_of_a_gap_that_is_too_long_one_gets_a_snapshot(stage: Stage) -> None:
    before = stage.script.state.number
    for n in range(1, GAP_MOST + 2):
        stage.do(Play("grace", n, "2a") if n % 2 else Undo("grace", n))
    receiver = stage.listener("receiver", 1)
    for after, expected in ((before, 1), (before + 1, GAP_MOST)):
        stage.channel.catch_up(receiver, after)
        assert len(receiver.heard()) == expected


async def test_after_facts_were_lost_everybody_gets_a_snapshot(stage: Stage) -> None:
    watcher, player = stage.listener("watcher"), stage.listener("ada", 0)
    stage.do(Play("grace", 1, "2a"))
    player.heard()
    stage.room.restore(stage.script.facts[:-1])
    assert names(player.heard()) == ["Snapshot"]
    (snapshot,) = watcher.heard()
    assert isinstance(snapshot, e.Snapshot)
    assert snapshot.k == len(stage.script.facts) - 1
    stage.channel.gallery.flush()
    assert watcher.heard() == []


async def test_numbers_are_given_out_again_when_they_have_rested() -> None:
    now = 0
    channels = Channels(hall(), lambda: now)
    rooms = [Room(f"race{n}", ManualOffice()) for n in range(4)]
    opened = [channels.open(room) for room in rooms]
    assert [channel.number for channel in opened] == [0, 1, 2, 3]
    assert channels.open(rooms[2]) is opened[2]
    watcher = Listener("watcher")
    opened[3].watch(watcher)
    for channel in opened:
        channels.close_if_empty(channel)
    assert len(channels) == 1
    again = [Room(f"again{n}", ManualOffice()) for n in range(4)]
    assert [channels.open(room).number for room in again[:2]] == [4, 5]
    now += REST_MS
    assert [channels.open(room).number for room in again[2:]] == [0, 1]
    opened[3].part(watcher, "")
    channels.close_if_empty(opened[3])
    channels.close_if_empty(opened[3])
    assert len(channels) == 4


async def test_a_channel_without_receivers_costs_nothing(stage: Stage) -> None:
    stage.do(Play("grace", 1, "2a"))
    assert stage.order == []
    assert not any(task for task in asyncio.all_tasks() if task is not asyncio.current_task())


async def test_everybody_is_told_how_many_watch_when_that_is_another_number(stage: Stage) -> None:
    ada, mary = stage.listener("ada", 0), stage.listener("mary", subprotocol=JSON)
    for spectators in (1, 1, 3):
        await stage.channels.counted("race", spectators)
    await stage.channels.counted("another race", 7)
    stage.channel.gallery.flush()
    for listener in (ada, mary):
        assert listener.heard() == [e.Watching(0, 1), e.Watching(0, 3)]


async def test_a_snapshot_says_how_many_watch(stage: Stage) -> None:
    mary = stage.listener("mary")
    stage.listener("alan")
    stage.channel.catch_up(mary, None)
    (snapshot,) = mary.heard()
    assert isinstance(snapshot, e.Snapshot)
    assert snapshot.spectators == 2
    stage.channel.part(mary, "mary")
    ada = stage.listener("ada", 0)
    stage.channel.catch_up(ada, None)
    (snapshot,) = ada.heard()
    assert isinstance(snapshot, e.Snapshot)
    assert snapshot.spectators == 1


async def test_who_fell_behind_gets_a_snapshot_when_it_has_read(stage: Stage) -> None:
    slow, quick = stage.listener("slow"), stage.listener("quick")
    slow.reads = False
    stage.do(Play("grace", 1, "2a"))
    stage.channel.gallery.flush()
    stage.do(Play("grace", 2, "2b"))
    stage.channel.gallery.flush()
    slow.reads = True
    for _ in range(2):
        stage.channel.gallery.caught_up(slow)
    stage.do(Play("grace", 3, "2c"))
    stage.channel.gallery.flush()
    assert names(slow.heard()) == ["Snapshot", "Diff"]
    assert names(quick.heard()) == ["Diff"] * 3
