"""How a bot may play: by solving, by chance, as a stored run did, by a line that it was given."""

import asyncio
import random
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cellrace_client.bots.racer import Manner, go_home
from cellrace_client.errors import ActionRefused
from cellrace_client.model import RaceModel
from cellrace_client.race import Race
from cellrace_client.session import Do
from cellrace_engine import Action, Line, Move, Position, format_move
from cellrace_engine.replay.document import RESTART, UNDO

OVER = frozenset({"race_over", "seat_done"})
"""Refusals that are nobody's fault: time was up."""

MOVES_MOST = 200
"""So many moves by chance are enough to see that they lead nowhere."""


class Player(Protocol):
    """Plays one's own seat in a race that runs."""

    async def play(self, race: Race, model: RaceModel, /) -> str:
        """Play until one is home or has no more to do; giving up is left to the caller. Returns what went wrong, empty
        where nothing did: that the race was over meanwhile is nothing wrong. Raises `Disconnected`."""
        ...


class Solver(NamedTuple):
    """Solves the deal, and plays as people do."""

    manner: Manner

    async def play(self, race: Race, model: RaceModel) -> str:
        await go_home(race, model, self.manner)
        return ""


class Chance(NamedTuple):
    """Makes legal moves by chance, `MOVES_MOST` at the most."""

    manner: Manner

    async def play(self, race: Race, _: RaceModel) -> str:
        before: Position | None = None
        for _number in range(MOVES_MOST):
            line = race.line
            move = None if line is None or line.won else by_chance(line, before, self.manner.chance)
            if line is None or move is None:
                break
            before = line.position
            await self.manner.pause(self.manner.strength.move_s)
            refused = await _refused(race, format_move(move, line.position, line.rules))
            if refused is not None:
                return _fault(refused)
        return ""


def by_chance(line: Line, before: Position | None, chance: random.Random) -> Move | None:
    """A legal move, but none that only leads back to the position `before` where there is another; `None` where there
    is no legal move at all."""
    moves = line.legal_moves()
    chance.shuffle(moves)
    onward = (move for move in moves if line.play(move).position != before)
    return next(onward, moves[0] if moves else None)


class Ghost(NamedTuple):
    """Does what was done in a stored run, at its own times, `speed` times as fast."""

    actions: Sequence[Action]
    speed: float

    async def play(self, race: Race, _: RaceModel) -> str:
        loop = asyncio.get_running_loop()
        began = loop.time()
        for t_ms, do in self.actions:
            await asyncio.sleep(began + t_ms / 1_000 / self.speed - loop.time())
            refused = await _refused(race, do)
            if refused is not None:
                return _fault(refused)
        return ""


class ByHeart(NamedTuple):
    """Makes these moves, with a pause of `pace_s` seconds before each."""

    moves: Sequence[str]
    pace_s: float

    async def play(self, race: Race, _: RaceModel) -> str:
        for move in self.moves:
            await asyncio.sleep(self.pace_s)
            refused = await _refused(race, move)
            if refused is not None:
                return _fault(refused)
        return ""


async def _refused(race: Race, do: str) -> ActionRefused | None:
    """Do something, a move or what a replay calls otherwise; why it was refused."""
    try:
        await race.begin({UNDO: Do.UNDO, RESTART: Do.RESTART}.get(do, do))
    except ActionRefused as error:
        return error
    return None


def _fault(refused: ActionRefused) -> str:
    return "" if refused.code in OVER else f"a move was refused: {refused.text}"
