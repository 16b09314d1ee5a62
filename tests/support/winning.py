"""Races won by whoever solves them."""

from collections.abc import Sequence
from functools import cache

from cellrace_client import Race
from cellrace_engine import DealCode, Line, format_move, parse_rules
from cellrace_engine.solver import solve


@cache
def winning_moves(deal: str, rules: str) -> Sequence[str]:
    """Moves that win a deal, by its code, the last of them needed."""
    line, said = Line.begin(parse_rules(rules), DealCode.parse(deal).deal()), list[str]()
    for move in solve(line.position, line.rules).line:
        if line.won:
            break
        said.append(format_move(move, line.position, line.rules))
        line = line.play(move)
    return tuple(said)


async def won(race: Race) -> None:
    """Play a race that is about to run home, as fast as can be. It goes on if others are in it."""
    model = await race.until(lambda model: model.phase == "running")
    for move in winning_moves(model.deal, model.rules):
        await race.move(move)
