"""What spectators of a delayed race get, byte by byte: nothing of it could have been different if what they may not
know yet had not happened."""

import asyncio
import functools
import gc
from collections import deque
from collections.abc import Sequence

import pytest

from cellrace_protocol import events as e
from cellrace_protocol.codecs import JSON, MSGPACK, SERVER_CODECS
from cellrace_server.core.commands import (
    AnyCommand,
    Appear,
    GiveUp,
    Join,
    Play,
    Ready,
    Rematch,
    StoreReturned,
    Tick,
    Undo,
    Vanish,
)
from cellrace_server.core.decide import decide
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.views import phase_shown
from cellrace_server.gateway.channels import Channels
from cellrace_server.services.hall import Hall
from cellrace_server.services.room import Room
from tests.server.core.playbook import ALAN, EPOCH, GRACE, Script
from tests.server.gateway.audience import Listener, ManualOffice, shown
from tests.support.clock import ManualClock
from tests.support.lines import winning_line
from tests.support.memory_store import Memory, MemoryRaceLog
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

DELAY = 5_000
LOOK_EVERY = 500


def timeline() -> list[tuple[int, AnyCommand]]:
    """Everything that can happen, with the ms since what was before."""
    line = winning_line()
    before: list[tuple[int, AnyCommand]] = [
        (100, Join(GRACE, "g1")),
        (100, Ready("ada")),
        (100, Ready("grace")),
        (3_000, Tick()),
    ]
    race: list[tuple[int, AnyCommand]] = [
        (400, Play("grace", 1, "2a")),
        (400, Vanish("grace", "g1")),
        (400, Undo("grace", 2)),
        (400, Appear("grace", "g2")),
        *((70, Play("ada", n, move)) for n, move in enumerate(line, 1)),
        (900, StoreReturned(0)),
        (300, GiveUp("grace", 3)),
        (700, Rematch("ada", "next")),
    ]
    return before + race


@functools.cache
def happened() -> tuple[AnyFact, ...]:
    """The facts of the timeline."""
    script = Script(Options(delay_ms=DELAY, best_of=3))
    for after_ms, command in timeline():
        told = StoreReturned(script.now + 400) if isinstance(command, StoreReturned) else command
        script.do(told, after_ms)
    assert script.state.rematch == "next"
    return tuple(script.facts)


START = EPOCH + 3_300
END = EPOCH + sum(after_ms for after_ms, _ in timeline())


class Theatre:
    """A delayed race, and all that its spectators are sent. After the instant `cut` nothing happens in it."""

    def __init__(self, cut: int = END) -> None:
        self.now = EPOCH
        self.facts = deque(fact for fact in happened() if fact.at <= cut)
        self.watchers: list[Listener] = []
        self.left: list[Listener] = []
        self._open([])

    def _open(self, known: Sequence[AnyFact]) -> None:
        self.channels = Channels(Hall(MemoryRaceLog(Memory()), ManualClock()), lambda: self.now)
        self.room = Room("race", ManualOffice())
        if known:
            self.room.restore(known)
        else:
            self.room.overtaken([self.facts.popleft(), self.facts.popleft()])
        self.channel = self.channels.open(self.room)
        self.room.listeners = [self.channels]

    @property
    def race(self) -> Race:
        assert self.room.race is not None
        return self.room.race

    def restart(self) -> None:
        """A new process reads the race from the log, and all come back to it."""
        self.channel.gallery.close()
        self._open(self.room.facts)
        watching, self.watchers = self.watchers, []
        self.left += watching
        for watcher in watching:
            self.watch(f"{watcher.name} again", after=12)

    def watch(self, name: str, subprotocol: str = MSGPACK, after: int | None = None) -> None:
        """A spectator comes, and has seen the facts up to `after`."""
        watcher = Listener(name, SERVER_CODECS[subprotocol])
        self.watchers.append(watcher)
        self.channel.watch(watcher)
        self.channel.catch_up(watcher, after)

    def go_on(self, ms: int = 10) -> None:
        """Let time pass, and what happens in it happen."""
        self.now += ms
        while self.facts and self.facts[0].at <= self.now:
            shown(self.room, [self.facts.popleft()])
        self.channel.gallery.advance()
        self.channel.gallery.flush()

    def look_around(self) -> None:
        """What spectators may ask at any time; and one comes anew."""
        for watcher in self.watchers[:2]:
            for after in (None, 3, 10, 1_000):
                self.channel.catch_up(watcher, after)
        self.watch(f"late {self.now}", after=7)

    def play(self, until: int, restart_at: int = 0) -> None:
        """Go on to the instant `until`, looking around every so often."""
        while self.now < until:
            self.go_on()
            if self.now == restart_at:
                self.restart()
            if (self.now - EPOCH) % LOOK_EVERY == 0:
                self.look_around()

    def sent(self) -> list[list[bytes]]:
        """Every byte to every spectator."""
        return [watcher.writes for watcher in (*self.left, *self.watchers)]


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
@pytest.mark.parametrize("cut", range(START - 10, END, 1_700))
async def test_no_byte_depends_on_what_spectators_may_not_know(cut: int, subprotocol: str) -> None:
    """Two worlds that are the same up to an instant, and then in one of them nothing more happens: for as long as the
    delay nobody in the stalls can tell which one it is."""
    full, still = Theatre(), Theatre(cut)
    for theatre in (full, still):
        theatre.watch("first", subprotocol)
        theatre.play(cut + DELAY - 10, restart_at=cut + DELAY // 2)
    assert len(full.room.facts) > len(still.room.facts)
    assert full.sent() == still.sent()
    assert sum(len(writes) for writes in full.sent()) > 20
    assert phase_shown(full.race, full.now) == phase_shown(still.race, still.now)


async def test_after_the_delay_a_spectator_has_seen_everything_once_and_in_time() -> None:
    """Neither early nor late: before the start at once, then after the delay."""
    theatre = Theatre()
    watcher = Listener("watcher")
    theatre.channel.watch(watcher)
    arrived: list[tuple[int, int]] = []
    while theatre.now < END + DELAY:
        theatre.go_on()
        arrived += [(m.k, theatre.now) for m in watcher.heard() if isinstance(m, e.RaceMessage)]
    assert [k for k, _ in arrived] == list(range(3, len(happened()) + 1))
    for k, instant in arrived:
        fact = happened()[k - 1]
        assert instant == fact.at + (0 if fact.at < START else DELAY)
    assert watcher.gathered == [("next", False)]


async def test_players_of_a_delayed_race_see_everything_at_once() -> None:
    theatre = Theatre()
    theatre.play(START)
    player = Listener("ada")
    theatre.channel.sit(0, player, "ada")
    theatre.go_on(400)
    theatre.go_on(800)
    assert [type(message).__name__ for message in player.heard()] == ["Progress", "Away", "Progress"]


async def test_what_spectators_wait_for_comes_by_itself() -> None:
    """No fact wakes the gallery: its own timer does."""
    theatre = Theatre(START)
    theatre.play(START)
    watcher = Listener("watcher")
    theatre.now = START + DELAY - 20
    theatre.channel.gallery.advance()
    theatre.channel.watch(watcher)
    theatre.now += 20
    await eventually(lambda: bool(watcher.writes))
    assert [type(message).__name__ for message in watcher.heard()] == ["Go"]


def timers() -> int:
    """How many waits are under way."""
    # a look at the class of what stands for something that is gone raises, so its type is asked
    return sum(
        issubclass(type(thing), asyncio.TimerHandle) and not thing.cancelled() for thing in gc.get_objects()
    )


async def test_a_gallery_that_is_closed_waits_for_nothing() -> None:
    before = timers()
    theatre = Theatre(START)
    while theatre.now < START:
        theatre.go_on()
    assert timers() == before + 1
    theatre.channels.close_if_empty(theatre.channel)
    assert len(theatre.channels) == 0
    assert timers() == before


async def test_the_list_of_races_is_as_late_as_the_rest() -> None:
    theatre = Theatre()
    theatre.play(END)
    race = theatre.race
    assert (race.phase, race.start) == (Phase.ENDED, START)
    for instant, phase in (
        (START + DELAY - 1, Phase.COUNTDOWN),
        (START + DELAY, Phase.RUNNING),
        (race.ended + DELAY - 1, Phase.RUNNING),
        (race.ended + DELAY, Phase.ENDED),
    ):
        assert phase_shown(race, instant) is phase
    refused = decide(race, Join(ALAN, "x"), race.ended + DELAY - 1).answer
    assert isinstance(refused, Rejected)
    assert refused.reason == "started"


async def test_what_another_node_says_before_the_start_is_shown_though_its_clock_is_ahead() -> None:
    script = Script(Options(delay_ms=DELAY))
    script.do(Join(GRACE, "g1"))
    room = Room("race", ManualOffice())
    room.restore(script.facts)
    channel = Channels(Hall(MemoryRaceLog(Memory()), ManualClock()), lambda: EPOCH - 7).open(room)
    watcher = Listener("watcher")

    channel.watch(watcher)
    channel.catch_up(watcher, None)

    (seen,) = watcher.heard()
    assert isinstance(seen, e.Snapshot)
    assert seen.k == len(script.facts)
