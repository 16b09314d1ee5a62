"""Who has seen which deal: what a race begins with is written down for its players, and what is shown to others too."""

import asyncio
from typing import NamedTuple

from cellrace_server.core.facts import AnyFact, Started
from cellrace_server.core.race import Race
from cellrace_server.core.secrecy import deal_is_public
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.sightings import Sightings
from cellrace_server.services.room import RETRY_AFTER_MS, Room

NAMED = "named"
"""By what somebody saw a deal who asked for it."""


def watched(race: str) -> str:
    """By what somebody saw the deal of a race who had no seat in it."""
    return f"{race}, watched"


def replayed(run: str) -> str:
    """By what somebody saw a deal who looked at a run on it."""
    return f"{run}, replayed"


class _Sight(NamedTuple):
    player: str
    deal: int
    by: str


class Sights:
    """Hears of every race. A race is its players' first sight of the deal if it is what they saw it by first.

    What is put down `later` is repeated until the store has it. A crash before that loses it, but not for players of a
    race: it is settled only once that is stored (`of_race`).
    """

    def __init__(self, sightings: Sightings, clock: Clock) -> None:
        self._sightings = sightings
        self._clock = clock
        self._waiting: asyncio.Queue[_Sight] = asyncio.Queue()

    async def see(self, player: str, deal: int, by: str) -> bool:
        """Whether it is by this that the player saw the deal first; durable. Raises `StoreUnavailable`."""
        return await self._sightings.see(player, deal, by)

    async def of_race(self, race: Race) -> None:
        """Everybody seated in a race that has started has seen its deal. Raises `StoreUnavailable`."""
        if deal_is_public(race):
            for _, seat in race.seated():
                await self.see(seat.player.id, race.deal, race.id)

    def later(self, player: str, deal: int, by: str) -> None:
        """Put it down soon, without waiting for it."""
        self._waiting.put_nowait(_Sight(player, deal, by))

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
            sight = await self._waiting.get()
            while not await self._done(sight):
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)

    async def _done(self, sight: _Sight) -> bool:
        try:
            await self.see(*sight)
        except StoreUnavailable:
            return False
        return True
