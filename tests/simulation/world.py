"""Everything of one history: a store, nodes, people, and what must hold at every instant."""

import asyncio
import functools
import itertools
from collections.abc import Callable, Iterator

from cellrace_engine import CLASSIC, Line, deal, format_move, legal_moves
from cellrace_engine.solver import solve
from tests.simulation.cluster import SimulatedNode
from tests.simulation.hosts import Hosts
from tests.simulation.people import Person, acting
from tests.simulation.pipe import Pipe
from tests.simulation.tally import Tally
from tests.simulation.truth import Truth
from tests.simulation.virtual_time import VirtualLoop
from tests.support.memory_store import Memory

NAMES = ("Ada", "Grace", "Alan", "Edsger", "Barbara")
NODES = ("a", "b")
LONG_MS = 70 * 60_000
"""After so long without anybody every race is over and settled."""

SWEEPS_MS = 3 * 60_000
"""Within this what a node still has of races that are settled is swept away."""

KEPT = ("names", "seen", "replays", "runs", "rows", "ratings", "rated_races", "careers")
"""What of a store's memory is set down when a history is over; the logs are, fact by fact."""


@functools.cache
def winning_line(number: int) -> tuple[str, ...]:
    """A line that wins a deal under the classic rules, in notation."""
    line, said = Line.begin(CLASSIC, deal(number)), list[str]()
    for move in solve(deal(number), CLASSIC).line:
        said.append(format_move(move, line.position, line.rules))
        line = line.play(move)
    return tuple(said)


def unheard(_line: str) -> None:
    """Is told, and keeps nothing."""


class World:
    """Call `step` after whatever was done: it runs what can run and checks what must hold. `close` at the end.

    `record` is told of every message that anybody is sent, of every fact, and at the end of what the store holds.
    """

    def __init__(self, tally: Tally, record: Callable[[str], None] = unheard) -> None:
        self.tally = tally
        self._record = record
        self.loop = VirtualLoop()
        asyncio.set_event_loop(self.loop)
        self.loop.set_exception_handler(self._never_retrieved)
        self.faults: list[str] = []
        self.memory = Memory()
        self.truth = Truth(self.memory, record)
        deals = itertools.count()
        self.nodes = {
            name: SimulatedNode(self.loop, self.memory, name, off, deals)
            for name, off in zip(NODES, (0, 7), strict=True)
        }
        self.people = {
            name: Person(name, self.loop, self.truth, functools.partial(self._told, name)) for name in NAMES
        }
        self.hosts = Hosts(self.truth, tuple(self.nodes.values()))
        self.slow: set[str] = set()
        self.older: list[Pipe] = []
        self.sound = False
        self.step()

    def _told(self, name: str, message: bytes) -> None:
        self._record(f"{name} {message.hex()}")

    def _never_retrieved(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        self.faults.append(f"{context.get('message')}: {context.get('exception')!r}")

    def step(self, ms: int = 0) -> None:
        """Let what was sent arrive (unless its sender is slow), let time pass, and check."""
        self.sound = False
        for person in self.people.values():
            if person.name not in self.slow:
                self.deliver(person, len(person.pipe.up))
        self.loop.pass_time(ms)
        self.truth.observe()
        self.truth.check_rows()
        for person in self.people.values():
            if person.name not in self.slow:
                person.hear()
        self.check()
        self.sound = True

    def check(self) -> None:
        """What must hold at every instant."""
        assert not self.faults, self.faults
        for node in self.nodes.values():
            node.check_working()
        is_well = self.memory.well and not any(node.hall.committer.away for node in self.nodes.values())
        if not is_well or self.memory.news_waits:
            self.hosts.doubt()
        self.hosts.check(self.loop.ms)
        if is_well:
            for person in self.people.values():
                waits = person.action_unanswered and person.name not in self.slow
                assert not waits, f"{person.name} waits, and not for the store"

    def connect(self, name: str, node: str) -> None:
        self.older.append(self.loop.call(self.people[name].connect, self.nodes[node]))

    def deliver(self, person: Person, messages: int) -> None:
        """Let so many of the messages that are on their way reach the server."""
        if person.pipe.up:
            self.loop.call(person.pipe.deliver, messages)

    def deliver_together(self) -> None:
        """What is on its way from everybody who is not slow reaches the servers at one instant: on two nodes, each
        decides before it hears of the other."""
        quick = [person.pipe for person in self.people.values() if person.name not in self.slow]

        def deliver() -> None:
            for pipe in quick:
                if pipe.up:
                    pipe.deliver(len(pipe.up))

        self.loop.call(deliver)

    def cut(self, name: str) -> None:
        """The person's connection is lost, without a word."""
        self.loop.call(self.people[name].pipe.cut)
        self.step()

    def crash(self, name: str) -> None:
        """A node dies and another comes up in its place at once."""
        self.loop.call(self.nodes[name].crash)
        self.nodes[name].boot()
        self.hosts.died(self.loop.ms)
        self.step()

    def acting(self) -> Iterator[tuple[Person, int]]:
        for person in self.people.values():
            for channel in acting(person) if person.pipe.open else ():
                yield person, channel

    def line(self, person: Person, channel: int) -> Line:
        """Where the person stands in a race that runs, as far as it is durable."""
        race = self.truth.races[person.following[channel].race].now
        taken = race.seats[race.seat_of(person.player)]
        assert taken is not None, "somebody who can act has a seat"
        assert taken.line is not None, "and a board"
        return taken.line

    def wander(self, person: Person, channel: int, moves: int) -> None:
        """Move somehow, so that each move can be made."""
        line = self.line(person, channel)
        for _ in range(moves):
            legal = legal_moves(line.position, line.rules)
            if legal:
                move = legal[len(legal) // 2]
                person.act(channel, format_move(move, line.position, line.rules))
                line = line.play(move)

    def play_on(self, person: Person, channel: int, moves: int) -> None:
        """Go on with the winning line, from the deal on where it is not under way."""
        race = self.truth.races[person.following[channel].race].now
        if not person.plan:
            person.act(channel, "restart")
            person.plan.extend(winning_line(race.deal))
        for _ in range(min(moves, len(person.plan))):
            person.act(channel, person.plan.popleft())

    # The end

    def heal(self) -> None:
        """Nothing is wrong any more: everything that waited is answered within a few seconds."""
        self.memory.mend()
        self.slow.clear()
        for name in NODES:
            self.nodes[name].check_working()
        self.step(10_000)
        for person in self.people.values():
            assert not person.unanswered, f"{person.name} waits for an answer"

    def close(self) -> None:
        """Everybody goes. Nothing may stay behind."""
        self.heal()
        for pipe in [*self.older, *(person.pipe for person in self.people.values())]:
            self.loop.call(pipe.cut)
        for node in self.nodes.values():
            self.loop.call(node.fall_silent)
        until = self.loop.ms + LONG_MS
        while self.memory.unsettled and self.loop.ms < until:
            self.step(SWEEPS_MS)
        self.step(SWEEPS_MS)
        self.truth.check_results()
        self.tally.count(self.truth, self.memory)
        for kept in KEPT:
            self._record(f"{kept} {getattr(self.memory, kept)}")
        assert not self.memory.unsettled
        for node in self.nodes.values():
            node.check_empty()

    def tear_down(self) -> None:
        """End what runs, checked or not."""
        for node in self.nodes.values():
            self.loop.call(node.crash)
        self.loop.settle()
        self.loop.close()
        asyncio.set_event_loop(None)
