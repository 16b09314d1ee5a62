"""Erasing a player: nothing is kept any more, what is kept is removed, logs lose the name, and the token is dead."""

import logging
from collections.abc import Callable, Sequence

from cellrace_server.core.commands import Withdraw
from cellrace_server.core.days import day_number
from cellrace_server.core.erasing import without_names
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Player
from cellrace_server.ports.careers import Careers
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.erasure import Erasure
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.services.hall import Hall
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
        self, people: People, erasure: Erasure, careers: Careers, log: RaceLog, hall: Hall, clock: Clock
    ) -> None:
        self._people = people
        self._hall = hall
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

    async def vacate(self, player: str) -> None:
        """Where the player was erased, by whichever node: give up the seats that are left here, for there may have been
        some that the asked node did not know of, and host nothing any more. With an empty text, those of everybody.
        Raises `StoreUnavailable`."""
        for sitting in [player] if player else self._hall.holdings.players():
            races = self._hall.holdings.seats(sitting) | self._hall.holdings.open_races(sitting)
            if races and await self._erasure.begun(sitting):
                for room in [self._hall.rooms[race] for race in sorted(races) if race in self._hall.rooms]:
                    answer = await self._hall.ask(room, Withdraw(sitting))
                    if isinstance(answer, Rejected) and answer.retry_after:
                        raise StoreUnavailable(f"the seat in {room.id} is not given up yet: {answer.text}")

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
            await self._take_name_out(player.id, races)
            offset += AT_ONCE
        await self._take_name_out(player.id, await self._careers.named(player.id))
        await self._erasure.wipe(player.id, day_number(self._clock.now()))
        await self._people.forget(player)
        await self._erasure.end(player.id)

    async def _take_name_out(self, player: str, races: Sequence[str]) -> None:
        for race in races:
            await self._log.rewrite(race, without_names(await self._log.read(race), (player,)))
