"""Races won by whoever solves them."""

from cellrace_client import Race
from cellrace_engine import DealCode, Line, format_move, parse_rules
from cellrace_engine.solver import solve


async def won(race: Race) -> None:
    """Play a race that is about to run home, as fast as can be. It goes on if others are in it."""
    model = await race.until(lambda model: model.phase == "running")
    line = Line.begin(parse_rules(model.rules), DealCode.parse(model.deal).deal())
    for move in solve(line.position, line.rules).line:
        if line.won:
            break
        await race.move(format_move(move, line.position, line.rules))
        line = line.play(move)
