"""Ghosts for players who wait for strangers, and to whom nobody comes."""

import asyncio
import logging

from cellrace_server.core.commands import AnyCommand, FallBack, Leave, Ready
from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.lobby import GHOST_AFTER_MS, awaits_ghost
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.race import Phase, Race
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services.ghosts import GhostRaces
from cellrace_server.services.hall import Hall
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import RETRY_AFTER_MS, Answer, Room

logger = logging.getLogger(__name__)


class StandIns:
    """Hears of every race (`services.room.Listener`). Run `run` beside the rest.

    The race against the ghost is opened first; then one append ends the other race and says where it goes on, unless
    somebody has come. So whoever waits is never left between the two, and nodes that do this at once do it once.
    """

    def __init__(self, ghosts: GhostRaces, hall: Hall, clock: Clock) -> None:
        self._ghosts = ghosts
        self._hall = hall
        self._clock = clock
        self._waits: dict[str, asyncio.Task[None]] = {}

    def happened(self, room: Room, _before: Race | None, _fact: AnyFact, after: Race, /) -> None:
        if after.phase is Phase.LOBBY:
            self._look_at(room, after)

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        if room.race is not None:
            self._look_at(room, room.race)

    async def run(self) -> None:
        """Until cancelled. What was under way then is done by whoever has the race next."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            for wait in list(self._waits.values()):
                wait.cancel()

    def _look_at(self, room: Room, race: Race) -> None:
        if awaits_ghost(race) is None or room.id in self._waits:
            return
        self._waits[room.id] = asyncio.create_task(self._wait(room), name=f"ghost for {room.id}")

    async def _wait(self, room: Room) -> None:
        try:
            await self._wait_alone(room)
        except (StoreCorrupt, BrokenLog):
            logger.exception("race %s: no ghost stands in", room.id)
        finally:
            del self._waits[room.id]  # at once: the next fact may begin another wait

    async def _wait_alone(self, room: Room) -> None:
        """Until somebody comes or a ghost has stood in; what happens in the race makes the wait begin anew."""
        while (race := room.race) is not None and awaits_ghost(race) is not None:
            due = race.at + GHOST_AFTER_MS
            if self._clock.now() < due:
                await self._clock.wait_until(due)
                continue
            try:
                await self._stand_in(room, race)
            except StoreUnavailable:
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
            else:
                return

    async def _stand_in(self, room: Room, race: Race) -> None:
        waiting = awaits_ghost(race)
        assert waiting is not None, "somebody waits"
        visitor = Visitor(waiting.player, waiting.session, bots_welcome=False)
        found = await self._ghosts.stand_in(visitor, waiting.ghost, race)
        if isinstance(found, Rejected):
            logger.info("race %s: no ghost stands in: %s", race.id, found.text)
            return
        answer = await self._insist(room, FallBack(waiting.player.id, found.id))
        then = Leave(waiting.player.id) if isinstance(answer, Rejected) else Ready(waiting.player.id)
        await self._insist(found, then)

    async def _insist(self, room: Room, command: AnyCommand) -> Answer:
        """What comes of it, as soon as the store is there."""
        while isinstance(answer := await self._hall.ask(room, command), Rejected):
            if answer.reason != Reason.UNAVAILABLE:
                break
            await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
        return answer
