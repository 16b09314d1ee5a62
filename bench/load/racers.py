"""Players in races of two, who move as fast as they are acknowledged."""

import itertools
import time
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from tools.protocol.lines import DEAL, WINNING

from bench.load.frames import encode, frame
from bench.load.peers import PING, Closed, Crowd, Peer
from bench.meter import Meter

SUBPROTOCOL = "cellrace.1.msgpack"
LINE = WINNING[:-1]
"""Moves of a game, but for the one that wins it; then it begins again."""

ACTIONS_MOST = 9_900
"""Of a player in one race; the server allows a few more."""

HEAD = 4
ONE_LETTER, APPLIED, REFUSED = 0xA1, ord("a"), b"\xa2no"
WARM_S = 0.1
DRAIN_S = 20.0


class Latencies:
    """Seconds from sending a move, until its author hears of it and until the opponent does."""

    def __init__(self) -> None:
        self.own: list[float] = []
        self.rival: list[float] = []


class Racer(Peer):
    """One player. `depth` moves are on their way at once. What a rival does is heard as one message a move."""

    bytes_in: int

    def __init__(self, port: int, latencies: Latencies, subprotocol: str = SUBPROTOCOL) -> None:
        super().__init__(port, subprotocol)
        self.rival: Racer | None = None
        self.latencies = latencies
        self.done = 0
        self.out = 0
        self.going = False
        self.channel = 0
        self.n = 0
        self.bytes_out = 0
        self.sent: deque[float] = deque()
        self.unseen: deque[float] = deque()

    def move(self) -> None:
        """Send the next action."""
        self.n += 1
        step = (self.n - 1) % (len(LINE) + 1)
        message = (
            ("m", self.channel, self.n, LINE[step]) if step < len(LINE) else ("restart", self.channel, self.n)
        )
        data = frame(encode(message))
        now = time.perf_counter()
        self.sent.append(now)
        self.unseen.append(now)
        self.bytes_out += len(data)
        self.out += 1
        self.send(data)

    def received(self, data: bytes) -> None:
        """Reads frames where they lie: this is what the generator's speed hangs on."""
        if not data:
            raise Closed("the connection ended")
        self.bytes_in += len(data)
        data = self.rest + data
        position, size = 0, len(data)
        while size - position >= HEAD:
            length, start = data[position + 1], position + 2
            if length == 126:
                length, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            end = start + length
            if end > size:
                break
            if data[position] == PING:
                self.pong(data[start:end])
            else:
                self._message(data[start + 1 : start + 4])
            position = end
        self.rest = data[position:]

    def _message(self, name: bytes) -> None:
        """A message by the first bytes of its name."""
        if name[0] == ONE_LETTER:
            self._told(name[1] == APPLIED)
        elif name == REFUSED:
            raise Closed("a move was refused")

    def _told(self, mine: bool) -> None:
        now = time.perf_counter()
        if not mine:
            rival = self.rival
            assert rival is not None
            self.latencies.rival.append(now - rival.unseen.popleft())
            return
        self.latencies.own.append(now - self.sent.popleft())
        self.done += 1
        self.out -= 1
        if self.going:
            self.move()


class Window(NamedTuple):
    """What was measured while all were at it."""

    moves: int
    seconds: float
    own: list[float]
    rival: list[float]
    bytes_in: int
    bytes_out: int


def fresh(racers: Sequence[Racer], margin: int) -> bool:
    """Whether each can make so many more moves in this race."""
    return all(racer.n + margin < ACTIONS_MOST for racer in racers)


def play(crowd: Crowd, racers: Sequence[Racer], depth: int, seconds: float, meter: Meter) -> Window:
    """Let all of them move for so long, `depth` moves of each on their way. `meter` is started when the first answers
    have come, and stopped while all are still at it."""
    for racer in racers:
        racer.going = True
        for _ in range(depth):
            racer.move()
    began = time.perf_counter() + WARM_S
    crowd.drive(lambda: time.perf_counter() >= began, DRAIN_S)
    latencies = racers[0].latencies
    latencies.own.clear()
    latencies.rival.clear()
    before = _sums(racers)
    began = time.perf_counter()
    meter.start()
    crowd.drive(lambda: time.perf_counter() - began >= seconds, seconds + DRAIN_S)
    meter.stop()
    took = time.perf_counter() - began
    done, bytes_in, bytes_out = (now - then for now, then in zip(_sums(racers), before, strict=True))
    window = Window(done, took, list(latencies.own), list(latencies.rival), bytes_in, bytes_out)
    for racer in racers:
        racer.going = False
    crowd.drive(lambda: not any(racer.out or racer.unseen for racer in racers), DRAIN_S)
    return window


def _sums(racers: Sequence[Racer]) -> tuple[int, int, int]:
    return (
        sum(racer.done for racer in racers),
        sum(racer.bytes_in for racer in racers),
        sum(racer.bytes_out for racer in racers),
    )


_races = itertools.count()

AT_ONCE = 20
"""Races whose players sit down together; who has sat down answers pings while the next do."""


def seated(crowd: Crowd, port: int, races: int, latencies: Latencies, idiomatic: bool = False) -> list[Racer]:
    """Two players a race, ready for their first move, driven with the rest."""
    subprotocol = "" if idiomatic else SUBPROTOCOL
    hosts, guests = list[Racer](), list[Racer]()
    while len(hosts) < races:
        pairs = [
            (Racer(port, latencies, subprotocol), Racer(port, latencies, subprotocol))
            for _ in range(min(AT_ONCE, races - len(hosts)))
        ]
        for host, guest in pairs:
            host.rival, guest.rival = guest, host
        if idiomatic:
            _sit_down_anywhere(pairs)
        else:
            _sit_down(pairs)
        hosts += [host for host, _ in pairs]
        guests += [guest for _, guest in pairs]
        crowd.add(player for pair in pairs for player in pair)
        crowd.rest()
    return hosts + guests


def _sit_down(pairs: Sequence[tuple[Racer, Racer]]) -> None:
    """All at once: every answer waits for the store."""
    players = [player for pair in pairs for player in pair]
    for player in players:
        player.say("hello", 1, "Ada")
        player.wait("welcome")
    for host, _ in pairs:
        host.say("create", 1, str(DEAL), "classic", 2, False, False, 0)
    for host, guest in pairs:
        entered = host.wait("in")
        host.channel = guest.channel = int(str(entered[2]))
        guest.say("join", 1, entered[3])
    for _, guest in pairs:
        guest.wait("in")
    for player in players:
        player.say("ready", player.channel)
    for player in players:
        player.wait("go")


def _sit_down_anywhere(pairs: Sequence[tuple[Racer, Racer]]) -> None:
    for pair in pairs:
        race = f"race {next(_races)}"
        for player in pair:
            player.ask("join", race, until="in")
