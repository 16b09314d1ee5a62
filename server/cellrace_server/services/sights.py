"""Who has seen which deal: what a race begins with is written down for its players, and what is shown to others too."""

import asyncio
import logging
from collections.abc import Sequence

from cellrace_server.core.facts import AnyFact, Started
from cellrace_server.core.race import Race
from cellrace_server.core.secrecy import deal_is_public
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.sightings import Sight, Sightings
from cellrace_server.services.room import RETRY_AFTER_MS, Room

logger = logging.getLogger(__name__)

AT_ONCE = 100
"""Sights that are put down at the same time."""

NAMED = "named"
"""By what somebody saw a deal who asked for it."""


def watched(race: str) -> str:
    """By what somebody saw the deal of a race who had no seat in it."""
    return f"{race}, watched"


def replayed(run: str) -> str:
    """By what somebody saw a deal who looked at a run on it."""
    return f"{run}, replayed"


class Sights:
    """Hears of every race. A race is its players' first sight of the deal if it is what they saw it by first.

    What is put down `later` is repeated until the store has it. A crash before that loses it, but not for players of a
    race: it is settled only once that is stored (`of_race`).
    """

    def __init__(self, sightings: Sightings, clock: Clock) -> None:
        self._sightings = sightings
        self._clock = clock
        self._waiting: asyncio.Queue[Sight] = asyncio.Queue()

    async def see(self, player: str, deal: int, by: str) -> bool:
        """Whether it is by this that the player saw the deal first; durable. Raises `StoreUnavailable`."""
        (first,) = await self._sightings.see([Sight(player, deal, by)])
        return first

    async def of_race(self, race: Race) -> None:
        """Everybody seated in a race that has started has seen its deal. Raises `StoreUnavailable`."""
        if deal_is_public(race):
            await self._sightings.see(
                [Sight(seat.player.id, race.deal, race.id) for _, seat in race.seated()]
            )

    def later(self, player: str, deal: int, by: str) -> None:
        """Put it down soon, without waiting for it."""
        self._waiting.put_nowait(Sight(player, deal, by))

    def happened(self, room: Room, _before: Race | None, fact: AnyFact, after: Race, /) -> None:
        if type(fact) is Started:
            for _, seat in after.seated():
                self.later(seat.player.id, after.deal, room.id)

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        pass

    async def run(self) -> None:
        """Put down what waits until cancelled."""
        while True:
            sights = [await self._waiting.get()]
            while len(sights) < AT_ONCE and not self._waiting.empty():
                sights.append(self._waiting.get_nowait())
            while sights := await self._left_of(sights):
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)

    async def _left_of(self, sights: Sequence[Sight]) -> list[Sight]:
        """Those of `sights` that the store could not take. Each is asked for by itself: what cannot be read of one
        player holds up nobody else."""
        done = await asyncio.gather(*map(self._done, sights))
        return [sight for sight, put_down in zip(sights, done, strict=True) if not put_down]

    async def _done(self, sight: Sight) -> bool:
        try:
            await self._sightings.see([sight])
        except StoreUnavailable:
            return False
        except StoreCorrupt:
            logger.exception("what %s has seen cannot be read", sight.player)
        return True
