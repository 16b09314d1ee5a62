"""The spectators of a race on this node: in ticks, and as late as the race's host wants them to see."""

import asyncio
import functools
from collections.abc import Callable, Mapping

from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact, Rematched, Started
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.secrecy import deal_is_public
from cellrace_server.gateway.crowds import Crowds
from cellrace_server.gateway.once import Once, framed
from cellrace_server.gateway.receiver import Receiver
from cellrace_server.gateway.snapshots import Snapshots
from cellrace_server.gateway.ticks import Ticks
from cellrace_server.gateway.translate import gap, message_for
from cellrace_server.services.room import Room

GAP_MOST = 100
"""Of a longer gap one gets a snapshot instead."""


class Gallery:
    """`number` is the channel's. Facts from the start on are shown `delay_ms` after they happened, those before at
    once; a snapshot, and what one missed, are as old. Without a delay nothing is folded twice."""

    __slots__ = ("_crowds", "_late", "_now", "_number", "_release", "_room", "_snapshots", "_ticks")

    def __init__(self, number: int, room: Room, now: Callable[[], int], crowds: Crowds) -> None:
        self._ticks = Ticks()
        self._crowds = crowds
        self._number = number
        self._snapshots = Snapshots(number)
        self._room = room
        self._now = now
        self._release: asyncio.TimerHandle | None = None
        self._late: Race | None = None
        self._rewind()

    @property
    def watchers(self) -> Mapping[Receiver, None]:
        """Who receives the race here, in the order in which they came."""
        return self._ticks.watchers

    @property
    def race(self) -> Race | None:
        """The race as spectators know it."""
        return self._room.race if self._delay == 0 else self._late

    @property
    def _delay(self) -> int:
        race = self._room.race
        return 0 if race is None else race.options.delay_ms

    def enter(self, receiver: Receiver) -> None:
        """Show this receiver what happens from now on; `catch_up` shows what was."""
        self._ticks.enter(receiver)
        self._crowds.watched(self._room.id, len(self.watchers))

    def leave(self, receiver: Receiver) -> None:
        """Show this receiver what is due, and nothing more. Harmless when repeated."""
        if receiver in self.watchers:
            self._ticks.leave(receiver)
            self._crowds.watched(self._room.id, len(self.watchers))

    def catch_up(self, receiver: Receiver, after: int | None) -> None:
        """The facts above `after` that may be seen, or a snapshot where there is no `after` or the gap is too long."""
        if receiver in self.watchers:
            self._ticks.up_to_date(receiver)
        race = self.race
        if race is None:
            return
        codec = receiver.codec
        if after is None or not 0 < after <= race.number or race.number - after > GAP_MOST:
            seen_at = self._now() - (0 if race.phase is Phase.LOBBY else self._delay)
            spectators = self._crowds.spectators(race.id)
            receiver.write(framed(self._snapshots.of(race, -1, seen_at, spectators), codec))
            return
        missed = gap(self._number, -1, self._room.history, after, race.number)
        receiver.write(b"".join([framed(message, codec) for message in missed]))

    def caught_up(self, receiver: Receiver) -> None:
        """A receiver has read what waited for it: one that had fallen behind gets a snapshot."""
        if self._ticks.is_behind(receiver):
            self.catch_up(receiver, None)

    def happened(self, once: Once, fact: AnyFact, after: Race) -> None:
        """One more durable fact of the room; `once` is what it is to spectators."""
        if not self._delay:
            self._show(once, fact, after)
        elif self._release is None:
            self.advance()

    def advance(self) -> None:
        """Show what may be seen by now, and wait for what may not. With a delay only; called again by itself."""
        self._advance(show=True)

    def restored(self) -> None:
        """What was shown is not so."""
        self._ticks.forget()
        self._rewind()
        for watcher in list(self.watchers):
            self.catch_up(watcher, None)

    def close(self) -> None:
        """Nobody watches any more."""
        self.flush()
        self._wait(None)

    def flush(self) -> None:
        """Send what has happened since the last tick."""
        self._ticks.flush()

    def say(self, once: Once) -> None:
        """Something that is no fact, for everybody here, in the next tick."""
        self._ticks.say(once)

    def _show(self, once: Once, fact: AnyFact, after: Race) -> None:
        if not self.watchers:
            return
        self.say(once)
        if after.phase is Phase.ENDED:
            self.flush()
        if type(fact) is Rematched:
            for watcher in list(self.watchers):
                watcher.gather(after.id, fact.race, False)

    # With a delay

    def _rewind(self) -> None:
        """Begin with what spectators may know now."""
        self._late = None
        if self._delay:
            self._advance(show=False)

    def _advance(self, show: bool) -> None:
        now = self._now()
        wait_ms: int | None = None
        while wait_ms is None and (fact := self._next()) is not None:
            due_ms = self._due_at(fact) - now
            if due_ms > 0:
                wait_ms = due_ms
            else:
                self._reach(fact, show)
        self._wait(wait_ms)

    def _next(self) -> AnyFact | None:
        """The first fact that spectators do not know."""
        known = 0 if self._late is None else self._late.number
        return self._room.facts[known] if known < len(self._room.facts) else None

    def _reach(self, fact: AnyFact, show: bool) -> None:
        before, self._late = self._late, evolve(self._late, fact)
        if show:
            make = functools.partial(message_for, self._number, -1, before, fact, self._late)
            self._show(Once(make), fact, self._late)

    def _due_at(self, fact: AnyFact) -> int:
        """When spectators may know of the fact that follows what they know: one before the start at once, also where
        it comes from a node whose clock is ahead."""
        under_way = type(fact) is Started or (self._late is not None and deal_is_public(self._late))
        return fact.at + self._delay if under_way else 0

    def _wait(self, wait_ms: int | None) -> None:
        """Go on in `wait_ms`; `None`: when something happens."""
        if self._release is not None:
            self._release.cancel()
            self._release = None
        if wait_ms is not None:
            self._release = asyncio.get_running_loop().call_later(wait_ms / 1_000, self.advance)
