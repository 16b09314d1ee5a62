"""The races that a client receives, over as many connections as it takes."""

from collections import deque
from collections.abc import Iterator

from cellrace_client.errors import Disconnected
from cellrace_client.race import Race, Sender
from cellrace_client.requests import Requests
from cellrace_client.session import RaceSession
from cellrace_protocol import commands as c
from cellrace_protocol import events as e

TAKEN_OVER = "taken_over"
"""The code of a race that another connection plays now."""

AT_ONCE = 4
"""Races that are asked for again at the same time: the server carries out eight requests of a connection side by side,
and whoever has many races may want something else meanwhile."""


class Reception:
    """Every race that was entered and not parted from, those that are over too. Each has a channel of the present
    connection, or none while it is on its way back: channels of a connection that is gone may mean other races.

    A race that is parted from on its way back is parted when its channel is known, but not while a request for a race
    is under way, which might lead to the same one.
    """

    def __init__(self, sender: Sender, requests: Requests) -> None:
        self._sender = sender
        self._requests = requests
        self._races: dict[str, Race] = {}
        self._channels: dict[int, Race] = {}
        self._waiting: deque[Race] = deque()
        self._resuming: dict[int, Race] = {}
        self._dropped: set[int] = set()
        self._unwanted: set[int] = set()
        self._new: dict[int, Race] = {}
        """What each request has led to first: whoever asked has it, and nobody else."""

    def __iter__(self) -> Iterator[Race]:
        return iter(list(self._races.values()))

    def on(self, ch: int) -> Race | None:
        """The race of a channel."""
        return self._channels.get(ch)

    def broken(self) -> None:
        """The connection is gone, and all channels with it."""
        for race in self._races.values():
            race.channel_lost()
        self._channels.clear()
        self._waiting.clear()
        self._resuming.clear()
        self._dropped.clear()
        self._unwanted.clear()

    def resume(self) -> None:
        """Ask for every race on a new connection, few at a time: those first that go on."""
        self._resuming.clear()
        self._waiting = deque(sorted(self._races.values(), key=lambda race: race.over))
        self._ask_next()

    def entered(self, message: e.Entered) -> Race | None:
        """The race that an `in` leads to; `None` where it was parted from meanwhile."""
        if message.r in self._dropped:
            self._dropped.discard(message.r)
            if message.ch not in self._channels:
                self._unwanted.add(message.ch)
            self.tidy()
            return None
        race = self._resuming.pop(message.r, None) or self._races.get(message.race)
        self._ask_next()
        self._unwanted.discard(message.ch)
        older = self._channels.get(message.ch)
        if older is not None and older is not race:  # beyond 64 the server parts from races that are over
            self._forget(older, Disconnected("the server has made room for other races"))
        if race is None:
            race = Race(self._sender, RaceSession(message))
            if message.r:
                self._new[message.r] = race
        else:
            race.entered_again(message)
        self._races[race.id] = race
        self._channels[message.ch] = race
        return race

    def failed(self, error: e.Error) -> bool:
        """An error: whether it was the answer to our asking for a race again."""
        if error.r in self._dropped:
            self._dropped.discard(error.r)
            return True
        race = self._resuming.pop(error.r, None)
        if race is None:
            return False
        if error.retry_after:
            self._sender.later(error.retry_after / 1_000, lambda: self._ask_again(race))
        else:
            text = f"the race cannot be resumed: {error.text} ({error.code})"
            self._forget(race, Disconnected(text, code=error.code, facts=error.facts))
        self._ask_next()
        return True

    def taken_over(self, ch: int) -> None:
        """Another connection has the seat: nothing more comes here."""
        race = self._channels.get(ch)
        if race is not None:
            self._forget(race, Disconnected("another connection has taken the seat", code=TAKEN_OVER))

    def parted(self, race: Race) -> None:
        """The race is of no interest any more: say so to the server, when that can be said."""
        if self._races.get(race.id) is not race:
            return
        del self._races[race.id]
        under_way = [r for r, resumed in self._resuming.items() if resumed is race]
        for r in under_way:
            del self._resuming[r]
            self._dropped.add(r)
        self._ask_next()
        if race.channel is not None:
            self._channels.pop(race.channel, None)
            self._sender.send([c.Part(race.channel)])
            race.channel_lost()

    def handed_over(self, r: int) -> None:
        """Whoever asked has what the request has led to."""
        self._new.pop(r, None)

    def abandoned(self, r: int) -> None:
        """Nobody waits any more for where a request leads: it is parted from, now or when it is known, unless somebody
        else has it."""
        race = self._new.pop(r, None)
        if race is None:
            self._dropped.add(r)
        else:
            race.part()

    def tidy(self) -> None:
        """Part from what nobody wants, unless it may just have been asked for again."""
        if self._unwanted and not self._requests.entering:
            self._sender.send([c.Part(ch) for ch in self._unwanted])
            self._unwanted.clear()

    def _ask_next(self) -> None:
        while self._waiting and len(self._resuming) < AT_ONCE:
            self._ask_again(self._waiting.popleft())

    def _ask_for(self, race: Race) -> None:
        r = self._requests.number()
        self._resuming[r] = race
        self._sender.send([race.resume(r)])

    def _ask_again(self, race: Race) -> None:
        wanted = self._races.get(race.id) is race and race.channel is None
        if wanted and race not in self._resuming.values():
            self._ask_for(race)

    def _forget(self, race: Race, why: Disconnected) -> None:
        self._races.pop(race.id, None)
        if race.channel is not None:
            self._channels.pop(race.channel, None)
            race.channel_lost()
        race.close(why)
