"""What the solver says, while everything else goes on: hints, and random deals that can be won."""

import asyncio
import random
import threading
from typing import NamedTuple

from cellrace_client.practice import drawn
from cellrace_engine import DealCode, Line, Position, Rules, format_move
from cellrace_engine.solver import Limits, Solution, solve

QUICKLY = Limits(nodes=20_000, states=40_000)
"""For a deal that is to be offered: a hard one is passed over."""

AT_LENGTH = Limits(nodes=200_000, states=250_000)
"""For a hint: half a minute at the most."""


class Advice(NamedTuple):
    """The first move of a line that wins, in notation; empty where none was found. `lost`: it is proved that there is
    none."""

    move: str
    lost: bool = False
    piles: tuple[int, ...] = ()


async def advise(line: Line) -> Advice:
    """Look for a way home from where a line stands, in a thread. A cancelled call stops the search soon."""
    solution = await _search(line.position, line.rules, AT_LENGTH)
    if not solution.line:
        return Advice("", solution.proved_lost)
    move = solution.line[0]
    return Advice(format_move(move, line.position, line.rules), piles=(move.source, move.destination))


async def solution_of(position: Position, rules: Rules, limits: Limits = AT_LENGTH) -> Solution:
    """Solve a position in a thread; cancelled as `advise`."""
    return await _search(position, rules, limits)


async def solvable(rules: Rules) -> DealCode:
    """A random deal that can be won under these rules. A cancelled call stops the search soon."""
    stopped = threading.Event()

    def is_won(position: Position, asked: Rules) -> bool:
        return stopped.is_set() or solve(position, asked, QUICKLY, stopped.is_set).solved

    try:
        return await asyncio.to_thread(drawn, rules, random.Random(), is_won)
    except asyncio.CancelledError:
        stopped.set()
        raise


async def _search(position: Position, rules: Rules, limits: Limits) -> Solution:
    stopped = threading.Event()
    try:
        return await asyncio.to_thread(solve, position, rules, limits, stopped.is_set)
    except asyncio.CancelledError:
        stopped.set()
        raise


def hintless(line: Line, advice: Advice) -> str:
    """What to say, by its key in the catalogue, of advice without a move: where nothing was moved yet there is nothing
    to take back."""
    if not advice.lost:
        return "hint.none"
    return "hint.lost" if line.moves else "hint.lost_deal"
