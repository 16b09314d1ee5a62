"""The list of races and the counts of spectators, of all nodes together: for people to look at, never to rely on."""

import heapq
import logging
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cellrace_server.core.facts import AnyFact, Finished, GaveUp, Moved, Outage, Restarted, Undone
from cellrace_server.core.listing import Entry, entry_of, unsettled_for_spectators
from cellrace_server.core.people import Player
from cellrace_server.core.race import Race
from cellrace_server.ports.bulletin import Ask, Bulletin, Heard, Leave, Said, Word
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.services.hall import Hall
from cellrace_server.services.nodes import BEAT_MS, Nodes
from cellrace_server.services.room import Room

EVERY_MS = 1_000
"""How often what has changed is told: to the other nodes, and to who looks at the list or a count."""

ROWS_MOST = 100

logger = logging.getLogger(__name__)


class Row(NamedTuple):
    """A race on the list, and how many watch it on all nodes."""

    entry: Entry
    spectators: int


class Reader(Protocol):
    """Who shows the list and the counts. Called between other work, once in `EVERY_MS` at most."""

    async def listed(self, rows: Sequence[Row], /) -> None:
        """The newest rows, after something has changed in them perhaps."""
        ...

    async def counted(self, race: str, spectators: int, /) -> None:
        """So many watch a race now, on all nodes."""
        ...


class _Node:
    """What another node has said."""

    def __init__(self, house_bots: int = 0) -> None:
        self.house_bots = house_bots
        self.entries: dict[str, Entry] = {}
        self.crowds: dict[str, int] = {}


class Listing:
    """Hears of every room here (`services.room.Listener`), of spectators here (`watched`), and of other nodes.

    What stands is the newest entry that any node has for a race, and the sum of the spectators of all. `nodes` learns
    here who is heard; what a node said that is gone without a word is missed then, and what a node did not hear it asks
    for. Run `run` and `follow` beside the rest.
    """

    def __init__(
        self, hall: Hall, bulletin: Bulletin, clock: Clock, nodes: Nodes, house_bots: int = 0
    ) -> None:
        self._hall = hall
        self._bulletin = bulletin
        self._clock = clock
        self._nodes = nodes
        self._readers: list[Reader] = []
        self._own = _Node(house_bots)
        self._others: dict[str, _Node] = {}
        self._known: dict[str, None] = {}
        self._dirty: dict[str, None] = {}
        self._entries: dict[str, Entry] = {}
        self._of: dict[str, dict[str, None]] = {}
        """The races in which a name sits."""
        self._untold: dict[str, Entry | None] = {}
        self._uncounted: dict[str, int] = {}
        self._crowds_changed: dict[str, None] = {}
        self._newest: Sequence[Row] | None = None
        self._most_watched: Sequence[Row] | None = None
        self._told: Sequence[Row] = ()
        self._whole = True
        self._missing = False
        self._said_at = 0
        self._round_at = 0

    def listen(self, reader: Reader) -> None:
        """Tell `reader` of changes from now on."""
        self._readers.append(reader)

    # What people ask

    def newest(self) -> Sequence[Row]:
        """At most `ROWS_MOST` public races that are open or running, the newest first; those here as they are now."""
        self._look()
        if self._newest is None:
            listed = (entry for entry in self._entries.values() if entry.listed)
            newest = heapq.nlargest(ROWS_MOST, listed, key=_age)
            self._newest = [Row(entry, self.spectators(entry.race)) for entry in newest]
        return self._newest

    def most_watched(self) -> Sequence[Row]:
        """The same, those with the most spectators first."""
        self._look()
        if self._most_watched is None:
            rows = [
                Row(entry, self.spectators(race)) for race, entry in self._entries.items() if entry.listed
            ]
            self._most_watched = heapq.nlargest(
                ROWS_MOST, rows, key=lambda row: (row.spectators, *_age(row.entry))
            )
        return self._most_watched

    def of(self, player: Player) -> list[str]:
        """The races that are not over in which a player sits, listed or not: those here as they are now, those of other
        nodes as was heard last, by the name."""
        here, elsewhere = self._hall.holdings.places(player.id), self._of.get(player.name, ())
        return sorted(here | {race for race in elsewhere if race not in self._hall.rooms})

    def spectators(self, race: str) -> int:
        """How many watch a race, on all nodes."""
        return self._own.crowds.get(race, 0) + sum(node.crowds.get(race, 0) for node in self._others.values())

    @property
    def house_bots(self) -> int:
        """How many house bots all nodes keep."""
        return self._own.house_bots + sum(node.house_bots for node in self._others.values())

    # What happens here

    def watched(self, race: str, spectators: int) -> None:
        """So many watch a race here now."""
        self._uncounted[race] = spectators
        self._count(self._own, race, spectators)

    def happened(self, room: Room, _before: Race | None, fact: AnyFact, _after: Race, /) -> None:
        if type(fact) not in _UNSEEN:
            self._dirty[room.id] = None

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        self._dirty[room.id] = None

    # What is told

    async def run(self) -> None:
        """Tell what has changed, again and again, until cancelled."""
        while True:
            await self._clock.wait_until(self._clock.now() + EVERY_MS)
            await self.tell()

    async def tell(self) -> None:
        """One round: to readers here first, then to the other nodes."""
        self._look()
        self._nap()
        self._miss_the_silent()
        await self._tell_readers()
        await self._tell_nodes()

    async def follow(self) -> None:
        """Hear what other nodes say, until cancelled."""
        async for heard in self._bulletin.hear():
            self._hear(heard)
            if not heard.node:
                await self._say(Ask())

    async def leave(self) -> None:
        """This node goes: the others need not miss it."""
        await self._say(Leave())

    async def _tell_readers(self) -> None:
        crowds, self._crowds_changed = self._crowds_changed, {}
        rows = self.newest()
        changed, self._told = rows is not self._told, rows
        for reader in self._readers:
            if changed:
                await reader.listed(rows)
            for race in crowds:
                await reader.counted(race, self.spectators(race))

    async def _tell_nodes(self) -> None:
        if self._missing:
            self._missing = not await self._say(Ask())
        if self._whole:
            word = Word(dict(self._own.entries), dict(self._own.crowds), True, self._own.house_bots)
        else:
            word = Word(self._untold, self._uncounted, False, self._own.house_bots)
        nothing = not (word.entries or word.crowds or word.whole)
        if nothing and self._clock.now() < self._said_at + BEAT_MS:
            return
        self._untold, self._uncounted, self._whole = {}, {}, False
        self._whole = not await self._say(word) or self._whole
        self._said_at = self._clock.now()

    async def _say(self, said: Said) -> bool:
        try:
            await self._bulletin.say(said)
        except StoreUnavailable as error:
            logger.debug("nothing said to other nodes: %s", error)
            self._nodes.unsure()
            return False
        return True

    # What stands

    def _look(self) -> None:
        """Bring the entries of races here up to date."""
        now = self._clock.now()
        here = self._hall.rooms
        if here.keys() != self._known.keys():
            gone = [race for race in self._known if race not in here]
            come = [race for race in here if race not in self._known]
            self._dirty |= dict.fromkeys(gone + come)
            self._known = dict.fromkeys(here)
        dirty, self._dirty = self._dirty, {}
        for race in dirty:
            room = here.get(race)
            state = room.race if room is not None else None
            entry = None
            if room is not None and state is not None:
                entry = entry_of(state, room.facts[0].at, now)
                if unsettled_for_spectators(state, now):
                    self._dirty[race] = None
            if entry != self._own.entries.get(race):
                self._untold[race] = entry
                self._enter(self._own, race, entry)

    def _hear(self, heard: Heard) -> None:
        node, said = heard
        if not node:
            self._nodes.listen_anew()
            self._forget(*self._others)
        elif isinstance(said, Leave):
            self._nodes.left(node)
            self._forget(node)
        elif isinstance(said, Ask):
            self._nodes.heard(node)
            self._whole = True
        else:
            self._take(node, said)

    def _take(self, name: str, word: Word) -> None:
        if word.whole:
            self._forget(name)
        node = self._others.get(name)
        if node is None:
            node = self._others[name] = _Node()
            self._missing = self._missing or not word.whole
        self._nodes.heard(name)
        node.house_bots = word.house_bots
        for race, entry in word.entries.items():
            self._enter(node, race, entry)
        for race, spectators in word.crowds.items():
            self._count(node, race, spectators)

    def _nap(self) -> None:
        """A node that has slept itself cannot tell who was silent meanwhile: what was said waits to be read."""
        now = self._clock.now()
        if now >= self._round_at + BEAT_MS:
            self._nodes.unsure()
        self._round_at = now

    def _miss_the_silent(self) -> None:
        silent = [name for name in self._others if not self._nodes.alive(name)]
        if silent:
            logger.info("%d nodes have fallen silent", len(silent))
        self._forget(*silent)

    def _forget(self, *names: str) -> None:
        for name in names:
            node = self._others.pop(name, None)
            if node is not None:
                for race in list(node.entries):
                    self._enter(node, race, None)
                for race in list(node.crowds):
                    self._count(node, race, 0)

    def _enter(self, node: _Node, race: str, entry: Entry | None) -> None:
        if entry is None:
            node.entries.pop(race, None)
        else:
            node.entries[race] = entry
        known = [one.entries[race] for one in (self._own, *self._others.values()) if race in one.entries]
        before = self._entries.pop(race, None)
        if known:
            self._entries[race] = max(known, key=lambda entry: entry.number)
        self._index(race, before, self._entries.get(race))
        self._newest = self._most_watched = None

    def _index(self, race: str, before: Entry | None, after: Entry | None) -> None:
        was, now = before.players if before is not None else (), after.players if after is not None else ()
        if was == now:
            return
        for name in was:
            races = self._of[name]
            races.pop(race, None)
            if not races:
                del self._of[name]
        for name in now:
            self._of.setdefault(name, {})[race] = None

    def _count(self, node: _Node, race: str, spectators: int) -> None:
        if node.crowds.get(race, 0) == spectators:
            return
        if spectators:
            node.crowds[race] = spectators
        else:
            node.crowds.pop(race, None)
        self._crowds_changed[race] = None
        self._newest = self._most_watched = None


def _age(entry: Entry) -> tuple[int, str]:
    return entry.created, entry.race


_UNSEEN: frozenset[type] = frozenset({Moved, Undone, Restarted, Finished, GaveUp, Outage})
"""Facts that the list does not show."""
