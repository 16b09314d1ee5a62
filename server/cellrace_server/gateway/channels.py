"""Races as connections see them: who receives what of each, encoded once for all who receive the same."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from cellrace_protocol.codecs import Codec
from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.events import Notice
from cellrace_server.core.facts import AnyFact, Left
from cellrace_server.core.race import Phase, Race
from cellrace_server.gateway.frames import frame
from cellrace_server.gateway.translate import (
    BOARD_FACTS,
    BoardMessages,
    gap,
    life_message,
    snapshot,
)
from cellrace_server.services.room import Room

TICK_S = 0.03
"""Spectators get what happened in ticks of this length."""

GAP_MOST = 100
"""Of a longer gap one gets a snapshot instead."""

REST_MS = 60_000
"""How long the number of a channel that nobody receives is not given to another race."""

ServerCodec = Codec[AnyClientMessage]


class Receiver(Protocol):
    """A connection, as a channel needs it."""

    @property
    def codec(self) -> ServerCodec: ...

    def write(self, frames: bytes, /) -> None:
        """Send whole frames; nothing happens when the connection is gone."""
        ...

    def detached(self, channel: "Channel", /) -> None:
        """The channel does not send to this receiver any more."""
        ...


class _Once:
    """One message, encoded and framed once for each codec that asks."""

    __slots__ = ("_frames", "_make", "_message")

    def __init__(self, make: Callable[[], msgspec.Struct]) -> None:
        self._make = make
        self._message: msgspec.Struct | None = None
        self._frames: dict[str, bytes] = {}

    def frame(self, codec: ServerCodec) -> bytes:
        framed = self._frames.get(codec.subprotocol)
        if framed is None:
            if self._message is None:
                self._message = self._make()
            framed = frame(codec.encode(self._message), codec.binary)
            self._frames[codec.subprotocol] = framed
        return framed


class Channel:
    """One race and everybody on this node who receives it: players by seat at once, spectators in ticks."""

    def __init__(self, number: int, room: Room) -> None:
        self.number = number
        self.room = room
        self.players: dict[int, Receiver] = {}
        self.watchers: dict[Receiver, None] = {}
        self._ticks: dict[str, bytearray] = {}
        self._tick: asyncio.TimerHandle | None = None

    @property
    def over(self) -> bool:
        """The race has ended."""
        return self.room.race is not None and self.room.race.phase is Phase.ENDED

    @property
    def empty(self) -> bool:
        return not self.players and not self.watchers

    def sit(self, seat: int, receiver: Receiver) -> None:
        """The newest connection has the seat; an older one is told and receives nothing more."""
        self.flush()
        self.watchers.pop(receiver, None)
        older = self.players.get(seat)
        if older is not None and older is not receiver:
            notice = Notice("taken_over", "another connection has taken this seat over", self.number)
            older.write(frame(older.codec.encode(notice), older.codec.binary))
            older.detached(self)
        self.players[seat] = receiver

    def watch(self, receiver: Receiver) -> None:
        self.flush()
        self.watchers[receiver] = None

    def elsewhere(self, receiver: Receiver, player: str) -> bool:
        """The player has a seat, and this receiver is not the one that has it here."""
        if any(sitting is receiver for sitting in self.players.values()):
            return False
        race = self.room.head
        return race is not None and race.seat_of(player) >= 0

    def part(self, receiver: Receiver) -> None:
        """Send nothing more to this receiver."""
        self.watchers.pop(receiver, None)
        for seat, player in list(self.players.items()):
            if player is receiver:
                del self.players[seat]

    def catch_up(self, receiver: Receiver, after: int | None, now: int) -> None:
        """Send the facts numbered above `after`, or a snapshot where there is no `after` or the gap is too long.

        What one may see goes by where one receives: on a seat, or among the spectators.
        """
        race = self.room.race
        assert race is not None, "a channel is opened on a race that exists"
        self.flush()
        seat = next((seat for seat, player in self.players.items() if player is receiver), -1)
        codec = receiver.codec
        if after is None or not 0 < after <= race.number or race.number - after > GAP_MOST:
            message = snapshot(self.number, race, seat, now)
            receiver.write(frame(codec.encode(message), codec.binary))
            return
        missed = gap(self.number, seat, self.room.history, after)
        receiver.write(b"".join([frame(codec.encode(message), codec.binary) for message in missed]))

    def happened(self, before: Race | None, fact: AnyFact, after: Race) -> None:
        """Show one durable fact: to its author first, then to the other players, then to spectators."""
        if type(fact) in BOARD_FACTS and before is not None:
            self._board(before, fact, after)
            return
        once = _Once(lambda: life_message(self.number, before, fact, after))
        for receiver in list(self.players.values()):
            receiver.write(once.frame(receiver.codec))
        self._spectate(once)
        if type(fact) is Left and (leaver := self.players.pop(fact.seat, None)) is not None:
            self.watch(leaver)
        if after.phase is Phase.ENDED:
            self.flush()

    def _board(self, before: Race, fact: AnyFact, after: Race) -> None:
        messages = BoardMessages(self.number, before, fact, after)  # type: ignore[arg-type]
        mover = self.players.get(fact.seat)  # type: ignore[union-attr]
        if mover is not None:
            codec = mover.codec
            mover.write(frame(codec.encode(messages.applied()), codec.binary))
        if len(self.players) > (mover is not None):
            rivals = _Once(messages.rivals)
            for receiver in list(self.players.values()):
                if receiver is not mover:
                    receiver.write(rivals.frame(receiver.codec))
        if self.watchers:
            self._spectate(_Once(messages.diff))

    def _spectate(self, once: _Once) -> None:
        if not self.watchers:
            return
        for codec in {receiver.codec.subprotocol: receiver.codec for receiver in self.watchers}.values():
            self._ticks.setdefault(codec.subprotocol, bytearray()).extend(once.frame(codec))
        if self._tick is None:
            self._tick = asyncio.get_running_loop().call_later(TICK_S, self.flush)

    def flush(self) -> None:
        """Send spectators what has happened since the last tick."""
        if self._tick is None:
            return
        self._tick.cancel()
        self._tick = None
        frames = {codec: bytes(buffer) for codec, buffer in self._ticks.items()}
        self._ticks.clear()
        for receiver in list(self.watchers):
            pending = frames.get(receiver.codec.subprotocol)
            if pending:
                receiver.write(pending)

    def restored(self, now: int) -> None:
        """What was sent is not so: everybody gets a snapshot."""
        self._ticks.clear()
        if self.room.race is None:
            return
        for receiver in [*self.players.values(), *self.watchers]:
            self.catch_up(receiver, None, now)


class Channels:
    """Channels by race. Numbers are small, for they travel with every message; one that was given back rests for a
    while, so that what a client sent late for one race does not reach another."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._by_race: dict[str, Channel] = {}
        self._resting: deque[tuple[int, int]] = deque()
        self._numbers = 0
        self._now = now

    def __len__(self) -> int:
        return len(self._by_race)

    def open(self, room: Room) -> Channel:
        """The channel of a room."""
        channel = self._by_race.get(room.id)
        if channel is None:
            channel = self._by_race[room.id] = Channel(self._number(), room)
        return channel

    def _number(self) -> int:
        if self._resting and self._resting[0][0] <= self._now():
            return self._resting.popleft()[1]
        self._numbers += 1
        return self._numbers - 1

    def close_if_empty(self, channel: Channel) -> None:
        """Give the number back when nobody receives the channel any more."""
        if channel.empty and self._by_race.get(channel.room.id) is channel:
            channel.flush()
            del self._by_race[channel.room.id]
            self._resting.append((self._now() + REST_MS, channel.number))

    def happened(self, room: Room, before: Race | None, fact: AnyFact, after: Race, /) -> None:
        channel = self._by_race.get(room.id)
        if channel is not None:
            channel.happened(before, fact, after)

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        channel = self._by_race.get(room.id)
        if channel is not None:
            channel.restored(self._now())
