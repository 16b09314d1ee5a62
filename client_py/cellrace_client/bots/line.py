"""A bot that plays a given line of moves at a steady pace."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from cellrace_client.errors import ActionRefused
from cellrace_client.model import RaceModel
from cellrace_client.race import Race

OVER = frozenset({"race_over", "seat_done"})
"""Refusals that are no fault of the line: time was up."""


async def play_line(
    race: Race, moves: Sequence[str], pace_s: float
) -> tuple[RaceModel, ActionRefused | None]:
    """Get ready, play `moves` with a pause of `pace_s` seconds before each, give up if they do not win, and return the
    race when it is over. A move that is refused ends the line, and is returned beside it. Raises `Disconnected`."""
    race.ready()
    await race.until(lambda model: model.phase in ("running", "ended"))
    refused: ActionRefused | None = None
    for move in moves:
        await asyncio.sleep(pace_s)
        try:
            await race.move(move)
        except ActionRefused as error:
            refused = None if error.code in OVER else error
            break
    model = await race.until(lambda _: True)
    if model.phase == "running" and model.seats[race.seat].time < 0:
        with suppress(ActionRefused):  # the race may have ended just now
            await race.give_up()
    return await race.until(lambda model: model.phase == "ended"), refused
