"""Connections that only receive, and count what they get."""

from collections.abc import Sequence
from typing import TypeVar

from tools.protocol.lines import DEAL

from bench.load.frames import encode, frame
from bench.load.peers import Crowd, Peer
from bench.load.racers import LINE, SUBPROTOCOL

WITHIN_S = 20.0


class Watcher(Peer):
    """Counts messages that are about moves, or anything at all from servers that know no moves."""

    count = 0
    any_message = False

    def heard(self, payload: bytes, /) -> None:
        if self.any_message or payload[1:3] == b"\xa1d":
            self.count += 1


W = TypeVar("W", bound=Watcher)


class Mover(Peer):
    """A player alone in a race."""

    channel = 0
    n = 0
    applied = 0

    def heard(self, payload: bytes, /) -> None:
        self.applied += payload[1:3] == b"\xa1a"

    def begin(self) -> str:
        """Open a race that runs; its name."""
        self.ask("hello", 1, "Ada", until="welcome")
        entered = self.ask("create", 1, str(DEAL), "classic", 1, True, False, 0, until="in")
        self.channel = int(str(entered[2]))
        self.say("ready", self.channel)
        self.wait("go")
        return str(entered[3])

    def moves(self, count: int) -> bytes:
        """The frames of the next actions."""
        return b"".join(frame(encode(self._next())) for _ in range(count))

    def _next(self) -> tuple[object, ...]:
        self.n += 1
        step = (self.n - 1) % (len(LINE) + 1)
        if step == len(LINE):
            return "restart", self.channel, self.n
        return "m", self.channel, self.n, LINE[step]


AT_ONCE = 50
"""Connections that are opened before those that are there are looked after again."""


def watching(crowd: Crowd, port: int, count: int, race: str, kind: type[W]) -> list[W]:
    """So many spectators of a race who have seen its snapshot, driven with the rest."""
    found: list[W] = []
    while len(found) < count:
        watchers = [kind(port, SUBPROTOCOL) for _ in range(min(AT_ONCE, count - len(found)))]
        for watcher in watchers:
            watcher.say("hello", 1, "Mary")
            watcher.say("watch", 1, race)
        for watcher in watchers:
            watcher.wait("snap")
        found += watchers
        crowd.add(watchers)
        crowd.rest()
    return found


def listening(crowd: Crowd, port: int, count: int) -> list[Watcher]:
    """So many receivers of a yardstick, driven with the rest."""
    found: list[Watcher] = []
    while len(found) < count:
        watchers = [Watcher(port) for _ in range(min(AT_ONCE, count - len(found)))]
        for watcher in watchers:
            watcher.any_message = True
        found += watchers
        crowd.add(watchers)
        crowd.rest()
    return found


def until_all_have(crowd: Crowd, watchers: Sequence[Watcher], count: int) -> None:
    """Wait until everybody has got so many messages. Raises `TimeoutError`."""
    waiting = list(watchers)

    def over() -> bool:
        while waiting and waiting[-1].count >= count:
            waiting.pop()
        return not waiting

    crowd.drive(over, WITHIN_S)
