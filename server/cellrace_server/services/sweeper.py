"""Looking after races that no node looks after any more: their node has died, and nobody else had them open."""

import logging

from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.race import deadline
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.services.bookkeeper import Bookkeeper
from cellrace_server.services.hall import Hall
from cellrace_server.services.nodes import Nodes
from cellrace_server.services.room import Room

EVERY_MS = 60_000
LATE_MS = 10_000
"""A race whose deadline is so long past has no node that keeps it."""

logger = logging.getLogger(__name__)


class Sweeper:
    """Reads the unsettled races that are not open here, at the start and every minute.

    One that is over is booked and settled; one whose deadline is long past, or whose players all were on nodes that are
    gone, stays open here; one that was opened and never created is settled when a whole round has found it so. All
    others are some node's, and are let go again.
    """

    def __init__(self, hall: Hall, log: RaceLog, bookkeeper: Bookkeeper, clock: Clock, nodes: Nodes) -> None:
        self._hall = hall
        self._log = log
        self._bookkeeper = bookkeeper
        self._clock = clock
        self._nodes = nodes
        self._empty: set[str] = set()
        self._unreadable: set[str] = set()

    async def recover(self) -> None:
        """Open every unsettled race: for the start, when all may be this node's. Raises `StoreUnavailable`."""
        for race in await self._log.unsettled():
            room = await self._read(race)
            if room is not None:
                self._bookkeeper.review(room)

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            await self._clock.wait_until(self._clock.now() + EVERY_MS)
            try:
                await self.sweep()
            except StoreUnavailable:
                logger.debug("not swept: the store is away")

    async def sweep(self) -> None:
        """One round. Raises `StoreUnavailable`: the rest is for the next."""
        found_empty: dict[str, None] = {}
        left: list[Room] = []
        for race in await self._log.unsettled():
            if race in self._hall.rooms or self._bookkeeper.has(race):
                continue
            room = await self._read(race)
            if race in self._unreadable:
                continue
            if room is None:
                found_empty[race] = None
            elif not self._someone_keeps(room):
                left.append(room)
            else:
                self._hall.drop(room)
        unsettled = set(await self._log.unsettled()) if left else set[str]()
        for room in left:
            if room.id in unsettled:  # else somebody has settled it since, perhaps this node
                logger.warning("race %s was left by its node", room.id)
                self._bookkeeper.review(room)
        for race in found_empty:
            if race in self._empty:
                await self._log.settle(race)
        self._empty = found_empty.keys() - self._empty

    async def _read(self, race: str) -> Room | None:
        """Its room, `None` if there is no such race, or it is one of the unreadable: those are left alone, and told
        of once."""
        try:
            room = await self._hall.open(race)
        except (StoreCorrupt, BrokenLog):
            if race not in self._unreadable:
                logger.exception("race %s cannot be read: left alone", race)
            self._unreadable.add(race)
            return None
        self._unreadable.discard(race)
        return room

    def _someone_keeps(self, room: Room) -> bool:
        if room.race is not None and self._nodes.orphaned(room.race):
            return False
        due = deadline(room.race) if room.race is not None else None
        return due is not None and self._clock.now() < due + LATE_MS
