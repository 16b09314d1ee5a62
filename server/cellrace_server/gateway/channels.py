"""Races as connections see them: who receives what of each, encoded once for all who receive the same."""

import asyncio
import functools
from collections import deque
from collections.abc import Callable, Sequence
from typing import cast

from cellrace_protocol.events import Notice, Watching
from cellrace_protocol.lean import lean
from cellrace_server.core.facts import AnyFact, Away, Here, HostAway, Left, Rematched
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.views import BOARD_FACTS, BoardFact
from cellrace_server.gateway.attendance import Attendance
from cellrace_server.gateway.crowds import Crowds, LocalCrowds
from cellrace_server.gateway.gallery import GAP_MOST, Gallery
from cellrace_server.gateway.once import Once, framed
from cellrace_server.gateway.outbox import Outbox
from cellrace_server.gateway.receiver import Receiver
from cellrace_server.gateway.snapshots import Snapshots
from cellrace_server.gateway.translate import BoardMessages, gap, life_message
from cellrace_server.services.hall import Hall
from cellrace_server.services.listing import Row
from cellrace_server.services.nodes import instance_of
from cellrace_server.services.room import Room

REST_MS = 60_000
"""How long the number of a channel that nobody receives is not given to another race."""


class Channel:
    """One race and everybody on this node who receives it: players by seat at once, spectators in the gallery. When it
    is over a player may look at the result on any number of connections, of which one has the seat still."""

    __slots__ = (
        "_attendance",
        "_beside",
        "_crowds",
        "_now",
        "_snapshots",
        "_spectators_told",
        "gallery",
        "number",
        "players",
        "room",
    )

    def __init__(self, number: int, room: Room, now: Callable[[], int], crowds: Crowds) -> None:
        self.number = number
        self.room = room
        self.players: dict[int, Receiver] = {}
        self._beside: dict[Receiver, int] = {}
        self.gallery = Gallery(number, room, now, crowds)
        self._now = now
        self._crowds = crowds
        self._spectators_told = 0
        self._snapshots = Snapshots(number)
        self._attendance = Attendance(room)

    @property
    def over(self) -> bool:
        """The race has ended."""
        return self.room.race is not None and self.room.race.phase is Phase.ENDED

    @property
    def empty(self) -> bool:
        """Nobody receives this race here."""
        return not self.players and not self._beside and not self.gallery.watchers

    def sit(self, seat: int, receiver: Receiver, player: str, by_itself: bool = False) -> None:
        """The newest connection has the seat; an older one is told and receives nothing more. In a race that is over it
        goes on to receive it; and who has come back `by_itself` leaves the seat to another device that is there."""
        self.gallery.leave(receiver)
        self._beside.pop(receiver, None)
        older = self.players.get(seat)
        if older is not None and older is not receiver:
            if not self.over:
                self._detach(older)
            elif by_itself and instance_of(older.session) != instance_of(receiver.session):
                self._beside[receiver] = seat
                return
            else:
                self._beside[older] = seat
        self.players[seat] = receiver
        race = self.room.race
        taken = race.seats[seat] if race is not None else None
        if taken is not None and (taken.session != receiver.session or taken.away):
            self._attendance.appears(player, receiver.session)

    def watch(self, receiver: Receiver) -> None:
        """Show this receiver what spectators see. A host without a seat is there from now on."""
        self.gallery.enter(receiver)
        race = self.room.race
        if race is None or not race.only_hosts(receiver.player):
            return
        if race.host_away or race.host_session != receiver.session:
            self._attendance.appears(race.host, receiver.session)

    def elsewhere(self, receiver: Receiver, player: str) -> bool:
        """The player has a seat, and this receiver is not the one that has it here."""
        if self._seat_of(receiver) >= 0:
            return False
        race = self.room.head
        return race is not None and race.seat_of(player) >= 0

    def part(self, receiver: Receiver, player: str) -> None:
        """Send nothing more to this receiver. If it had a seat, the seat is without its player now; if it was that of a
        host who has none, the race is without its host."""
        race = self.room.race
        if race is not None and race.only_hosts(player) and receiver in self.gallery.watchers:
            self._attendance.vanishes(player, receiver.session)
        self.gallery.leave(receiver)
        self._beside.pop(receiver, None)
        for seat, sitting in list(self.players.items()):
            if sitting is receiver:
                del self.players[seat]
                self._attendance.vanishes(player, receiver.session)
                self._seat_who_is_beside(seat)

    def _seat_who_is_beside(self, seat: int) -> None:
        newest = next((receiver for receiver, at in reversed(self._beside.items()) if at == seat), None)
        if newest is not None:
            del self._beside[newest]
            self.players[seat] = newest

    def _seat_of(self, receiver: Receiver) -> int:
        """Where this receiver sits, or looks at its result; -1 for one that does not."""
        sitting = next((seat for seat, player in self.players.items() if player is receiver), -1)
        return self._beside.get(receiver, sitting)

    def _receivers(self) -> list[Receiver]:
        """The players' connections, as they are now."""
        return [*self.players.values(), *self._beside]

    def catch_up(self, receiver: Receiver, after: int | None) -> None:
        """Send the facts numbered above `after`, or a snapshot where there is no `after` or the gap is too long.

        What one may see goes by where one receives: on a seat, or among the spectators.
        """
        seat = self._seat_of(receiver)
        if seat < 0:
            self.gallery.catch_up(receiver, after)
            return
        race = self.room.race
        assert race is not None, "somebody sits in it"
        if after is None or not 0 < after <= race.number or race.number - after > GAP_MOST:
            spectators = self._crowds.spectators(race.id)
            whole = self._snapshots.of(race, seat, self._now(), spectators)
            receiver.write(framed(whole, receiver.codec))
            return
        missed = gap(self.number, seat, self.room.history, after)
        receiver.write(b"".join([framed(message, receiver.codec) for message in missed]))

    def counted(self, spectators: int) -> None:
        """Tell everybody how many watch the race, if they have been told another number."""
        if spectators == self._spectators_told:
            return
        self._spectators_told = spectators
        once = Once(lambda: Watching(self.number, spectators))
        for receiver in self._receivers():
            receiver.write(once.frame(receiver.codec))
        self.gallery.say(once)

    def happened(self, before: Race | None, fact: AnyFact, after: Race) -> None:
        """Show one durable fact: to its author first, then to the other players, then to spectators."""
        if before is not None and type(fact) in BOARD_FACTS:
            self._board(before, cast("BoardFact", fact), after)
            return
        once = Once(functools.partial(life_message, self.number, before, fact, after))
        for receiver in self._receivers():
            receiver.write(once.frame(receiver.codec))
        self.gallery.happened(once, fact, after)
        self._react(fact)

    def _board(self, before: Race, fact: BoardFact, after: Race) -> None:
        messages = BoardMessages(self.number, before, fact, after)
        players = self.players
        mover = players.get(fact.seat)
        if mover is not None:
            mover.write(framed(messages.applied(), mover.codec))
        if len(players) > (mover is not None):
            rivals = Once(messages.rivals)
            for receiver in players.values():  # writing never changes who sits where
                if receiver is not mover:
                    receiver.write(rivals.frame(receiver.codec))
        if after.options.delay_ms or self.gallery.watchers:
            self.gallery.happened(Once(messages.diff), fact, after)

    def _react(self, fact: AnyFact) -> None:
        """What some facts mean for who receives what."""
        match fact:
            case Left(seat=seat) if (leaver := self.players.pop(seat, None)) is not None:
                self.watch(leaver)
            case Here(seat=seat, session=session):
                self._took(seat, session)
            case Away(seat=seat) if seat in self.players:
                # The race takes commands on top of this fact once all that came with it is folded.
                asyncio.get_running_loop().call_soon(self._object, seat)
            case HostAway():
                asyncio.get_running_loop().call_soon(self._object_for_host)
            case Rematched(race=race):
                for receiver in list(self.players.values()):
                    receiver.gather(self.room.id, race, True)
            case _:
                pass

    def _took(self, seat: int, session: str) -> None:
        """A connection, on whichever node, has taken a seat: one that sat here before it makes way."""
        sitting = self.players.get(seat)
        if sitting is None or sitting.session == session or self._attendance.appearing(sitting.session):
            return
        del self.players[seat]
        self._detach(sitting)

    def _object(self, seat: int) -> None:
        """Another node takes this one for dead and has said that a connection is gone which is there."""
        sitting, race = self.players.get(seat), self.room.race
        taken = race.seats[seat] if race is not None else None
        if sitting is not None and taken is not None and taken.away and taken.session == sitting.session:
            self._attendance.appears(taken.player.id, sitting.session)

    def _object_for_host(self) -> None:
        """The same of a host without a seat; or it was one of several connections that is gone."""
        race = self.room.race
        if race is None or not race.host_away or not race.host_outside:
            return
        there = next((each for each in self.gallery.watchers if each.player == race.host), None)
        if there is not None:
            self._attendance.appears(race.host, there.session)

    def _detach(self, older: Receiver) -> None:
        self._attendance.superseded(older.session)
        notice = Notice("taken_over", "another connection has taken this seat over", self.number)
        older.write(framed(lean(notice), older.codec))
        older.detached(self.number)

    def restored(self) -> None:
        """What was sent is not so: everybody gets a snapshot. One seat has one connection again if the race goes on."""
        for receiver in () if self.over else list(self._beside):
            del self._beside[receiver]
            self._detach(receiver)
        if self.room.race is not None:
            for receiver in self._receivers():
                self.catch_up(receiver, None)
        self.gallery.restored()


class Channels:
    """Channels by race; `crowds` counts who watches. Numbers are small, for they travel with every message; one that
    was given back rests for a while, so that what a client sent late for one race does not reach another. What happens
    in a race in one go is held in the `outbox` meanwhile."""

    def __init__(self, hall: Hall, now: Callable[[], int], crowds: Crowds | None = None) -> None:
        self._crowds = crowds or LocalCrowds()
        self.outbox = Outbox()
        self._by_race: dict[str, Channel] = {}
        self._resting: deque[tuple[int, int]] = deque()
        self._numbers = 0
        self._hall = hall
        self._now = now

    def __len__(self) -> int:
        return len(self._by_race)

    @property
    def spectators(self) -> int:
        """Spectators of all races; one who watches two counts twice."""
        return sum(len(channel.gallery.watchers) for channel in self._by_race.values())

    def open(self, room: Room) -> Channel:
        """The channel of a room; the hall keeps the room for as long as it is open."""
        channel = self._by_race.get(room.id)
        if channel is None:
            self._hall.keep(room)
            channel = self._by_race[room.id] = Channel(self._number(), room, self._now, self._crowds)
        return channel

    def of(self, room: Room) -> Channel | None:
        """The channel of a room, if anybody receives it."""
        return self._by_race.get(room.id)

    def _number(self) -> int:
        if self._resting and self._resting[0][0] <= self._now():
            return self._resting.popleft()[1]
        self._numbers += 1
        return self._numbers - 1

    def close_if_empty(self, channel: Channel) -> None:
        """Give the number back when nobody receives the channel any more."""
        if channel.empty and self._by_race.get(channel.room.id) is channel:
            channel.gallery.close()
            del self._by_race[channel.room.id]
            self._resting.append((self._now() + REST_MS, channel.number))
            self._hall.release(channel.room)

    async def listed(self, rows: Sequence[Row], /) -> None:
        """Nothing: races are shown one by one here."""

    async def counted(self, race: str, spectators: int, /) -> None:
        channel = self._by_race.get(race)
        if channel is not None:
            channel.counted(spectators)

    def happened(self, room: Room, before: Race | None, fact: AnyFact, after: Race, /) -> None:
        channel = self._by_race.get(room.id)
        if channel is not None:
            self.outbox.held = True
            channel.happened(before, fact, after)

    def settled(self, room: Room, /) -> None:
        if self.outbox.held:
            self.outbox.flush()

    def restored(self, room: Room, /) -> None:
        channel = self._by_race.get(room.id)
        if channel is not None:
            channel.restored()
