"""Erasing a player: nothing is kept any more, what is kept is removed, logs lose the name, and the token is dead."""

import logging
from collections.abc import Callable

from cellrace_server.core.erasing import without_names
from cellrace_server.core.people import Player
from cellrace_server.ports.careers import Careers
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.erasure import Erasure
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.services.identities import People
from cellrace_server.services.room import RETRY_AFTER_MS

AT_ONCE = 100

LOOK_EVERY_MS = 600_000
"""How often a node looks for what another has left."""

logger = logging.getLogger(__name__)


class Eraser:
    """Every step finds what is left and may be repeated; the token dies last, so that who was told of no success can
    ask again. `run` finishes what a node that stopped has left. Races that are not settled yet lose the name when they
    are (`services.ledger`)."""

    def __init__(
        self, people: People, erasure: Erasure, careers: Careers, log: RaceLog, clock: Clock
    ) -> None:
        self._people = people
        self._erasure = erasure
        self._careers = careers
        self._log = log
        self._clock = clock

    async def erase(self, player: Player, told: Callable[[], None]) -> None:
        """All of it. `told` is called when it is done, right before the player's connections are closed. Raises
        `StoreUnavailable`: then some of it is done, and the rest will be, if not by asking again."""
        identity = await self._people.who(player.id)
        player = player if identity is None else identity.player
        try:
            await self._erasure.begin(player)
            await self._finish(player)
            told()
        finally:  # the token may be dead, whatever came of the rest
            self._people.changed(player.id)

    async def run(self) -> None:
        """Finish what was begun before, here or elsewhere; then wait until cancelled."""
        while True:
            try:
                await self._finish_what_is_left()
            except StoreUnavailable:
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
            else:
                await self._clock.wait_until(self._clock.now() + LOOK_EVERY_MS)

    async def _finish_what_is_left(self) -> None:
        try:
            left = await self._erasure.unfinished()
        except StoreCorrupt:
            logger.exception("it cannot be read who is to be erased")
            return
        for player in left:
            try:
                await self._finish(player)
            except StoreCorrupt:
                logger.exception("player %s is not erased whole: something cannot be read", player.id)
            self._people.changed(player.id)

    async def _finish(self, player: Player) -> None:
        offset = 0
        while races := await self._careers.races(player.id, AT_ONCE, offset):
            for race in races:
                facts = await self._log.read(race)
                await self._log.rewrite(race, without_names(facts, (player.id,)))
            offset += AT_ONCE
        await self._erasure.wipe(player.id)
        await self._people.forget(player)
        await self._erasure.end(player.id)
