"""What spectators are told: joined for a while, written once, in turns so that players need not wait for them."""

import asyncio
from collections.abc import Mapping

from cellrace_server.gateway.once import Once, ServerCodec
from cellrace_server.gateway.receiver import Receiver

TICK_S = 0.03
"""Spectators get what happened in ticks of this length."""

AT_ONCE = 100
"""Spectators that are written to in one go: a millisecond or two. Moves come in between."""


class Ticks:
    """`watchers` are in the order in which they came. One that does not read falls behind: it gets nothing until it has
    read, and then needs a snapshot. Whoever sends one says so (`up_to_date`)."""

    __slots__ = ("_behind", "_codecs", "_frames", "_late", "_next", "_timer", "_turn", "_users", "watchers")

    def __init__(self) -> None:
        self.watchers: dict[Receiver, None] = {}
        self._behind: set[Receiver] = set()
        self._codecs: dict[str, ServerCodec] = {}
        self._users: dict[str, int] = {}
        self._next: dict[str, bytearray] = {}
        # Who has some bytes of the next tick already, or must not have them.
        self._late: dict[Receiver, int] = {}
        self._turn: list[Receiver] = []  # who is still to get the last tick, last first
        self._frames: dict[str, bytes] = {}
        self._timer: asyncio.Handle | None = None

    def enter(self, receiver: Receiver) -> None:
        """Tell this receiver everything that is said from now on. Harmless when repeated."""
        if receiver not in self.watchers:
            self.watchers[receiver] = None
            codec = receiver.codec
            self._codecs.setdefault(codec.subprotocol, codec)
            self._users[codec.subprotocol] = self._users.get(codec.subprotocol, 0) + 1
            self.up_to_date(receiver)

    def up_to_date(self, receiver: Receiver) -> None:
        """A watcher knows everything that was said so far."""
        self._behind.discard(receiver)
        self._not_in_turn(receiver)
        said = self._next.get(receiver.codec.subprotocol)
        if said:
            self._late[receiver] = len(said)

    def leave(self, receiver: Receiver) -> None:
        """Tell it what was said so far, and nothing more. Harmless when repeated."""
        if receiver not in self.watchers:
            return
        if self._not_in_turn(receiver):
            self._show(receiver, self._frames)
        self._show(receiver, self._next, self._late.pop(receiver, 0))
        del self.watchers[receiver]
        self._behind.discard(receiver)
        subprotocol = receiver.codec.subprotocol
        self._users[subprotocol] -= 1
        if not self._users[subprotocol]:
            del self._users[subprotocol], self._codecs[subprotocol]
            self._next.pop(subprotocol, None)

    def is_behind(self, receiver: Receiver) -> bool:
        """Whether something that was said was kept from it."""
        return receiver in self._behind

    def say(self, once: Once) -> None:
        """Tell everybody with the next tick."""
        for subprotocol, codec in self._codecs.items():
            self._next.setdefault(subprotocol, bytearray()).extend(once.frame(codec))
        if self._codecs and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._tick)

    def flush(self) -> None:
        """Tell everybody now what was said."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._go_on(len(self._turn))
        self._begin()
        self._go_on(len(self._turn))

    def forget(self) -> None:
        """What was said is not so: nobody is told."""
        self._turn.clear()
        self._next.clear()
        self._late.clear()

    def _tick(self) -> None:
        self._begin()
        self._take_turns()

    def _take_turns(self) -> None:
        """Some of them now, the others when the event loop has looked at everything else."""
        self._timer = None
        self._go_on(AT_ONCE)
        loop = asyncio.get_running_loop()
        if self._turn:
            self._timer = loop.call_soon(self._take_turns)
        elif self._next:
            self._timer = loop.call_later(TICK_S, self._tick)

    def _begin(self) -> None:
        """What was said is a tick, and what is said from now on the next."""
        said, self._next = self._next, {}
        late, self._late = self._late, {}
        self._frames = {subprotocol: bytes(frames) for subprotocol, frames in said.items()}
        if self._frames:
            self._turn = list(reversed(self.watchers))
            if late:
                self._turn = [watcher for watcher in self._turn if watcher not in late]
            for watcher, offset in late.items():
                self._show(watcher, self._frames, offset)

    def _go_on(self, most: int) -> None:
        turn, said, behind = self._turn, self._frames, self._behind
        alike = next(iter(said.values())) if len(said) == 1 and said.keys() == self._codecs.keys() else None
        for _ in range(min(most, len(turn))):
            watcher = turn.pop()
            frames = alike or said.get(watcher.codec.subprotocol)
            if frames and watcher not in behind and not watcher.show(frames):
                behind.add(watcher)

    def _show(self, watcher: Receiver, said: Mapping[str, bytes | bytearray], offset: int = 0) -> None:
        frames = bytes(said.get(watcher.codec.subprotocol, b"")[offset:])
        if frames and watcher not in self._behind and not watcher.show(frames):
            self._behind.add(watcher)

    def _not_in_turn(self, receiver: Receiver) -> bool:
        """Let it wait for this tick no longer; whether it did."""
        if receiver in self._turn:
            self._turn.remove(receiver)
            return True
        return False
