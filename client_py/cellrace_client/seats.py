"""The races that one has sat down in: what becomes of them when one quits."""

import asyncio
from contextlib import suppress

from cellrace_client.errors import Disconnected
from cellrace_client.model import RaceModel
from cellrace_client.race import Race

ANSWER_MOST_S = 2.0
"""How long whoever quits waits for the server to take a seat back."""


def is_played(race: Race) -> bool:
    """Whether one has still something to do in a race that runs: it goes on without us when we go."""
    model = race.model
    if model is None or model.you < 0 or race.over or model.phase != "running":
        return False
    own = model.seats[model.you]
    return own.time < 0 and not own.gave_up


def _is_before_start(model: RaceModel | None) -> bool:
    return model is not None and model.you >= 0 and model.phase in ("lobby", "countdown")


async def give_back(*races: Race) -> None:
    """Give back the seats in those that have not begun, so that nobody waits for us; a server that does not answer is
    not waited for long. The others are left as they are."""
    waiting = [race for race in races if not race.closed and _is_before_start(race.model)]
    for race in waiting:
        race.leave()
    with suppress(TimeoutError, Disconnected):
        async with asyncio.timeout(ANSWER_MOST_S):
            for race in waiting:
                await race.until(lambda model: not _is_before_start(model))


class Seats:
    """Told of every race that one sits down in, it knows in which of them one is still."""

    def __init__(self) -> None:
        self._races: list[Race] = []

    def taken(self, race: Race) -> None:
        """One has sat down there."""
        self._races = [race, *(other for other in self._races if not other.closed)]

    async def give_back(self) -> None:
        """Give back those in races that have not begun."""
        await give_back(*self._races)

    @property
    def goes_on(self) -> str:
        """The name of a race that goes on without us, the one that was sat down in last; empty where there is none.
        Of those that were parted from nothing is heard any more: they are not told."""
        return next((race.id for race in self._races if not race.closed and is_played(race)), "")
