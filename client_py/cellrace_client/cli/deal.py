"""`cellrace deal` and `cellrace solve`: boards and lines of play, without a server."""

import argparse
import json
import sys
from typing import NamedTuple

from cellrace_client.cli import EXIT_DATA, EXIT_USAGE
from cellrace_client.cli.progress import Progress
from cellrace_client.deal_names import deal_text
from cellrace_client.openings import opening
from cellrace_engine import DealCode, DealError, Line, Rules, RulesError, format_move
from cellrace_engine.solver import solve


class _Asked(NamedTuple):
    """A deal and its rules, by name and as they are."""

    deal: DealCode
    rules_name: str
    rules: Rules


def _asked(arguments: argparse.Namespace) -> _Asked | None:
    """What was asked for, or `None` once it is said why that is no deal."""
    try:
        deal, rules_name, rules = opening(" ".join(arguments.deal), arguments.rules)
    except (DealError, RulesError) as error:
        print(f"cellrace: {error}", file=sys.stderr)
        return None
    if deal is None:
        print("cellrace: name a deal too (617, FC1-C4-AAAAAKH)", file=sys.stderr)
        return None
    return _Asked(deal, rules_name, rules)


def run_deal(arguments: argparse.Namespace) -> int:
    """Print a board."""
    asked = _asked(arguments)
    if asked is None:
        return EXIT_USAGE
    position = asked.deal.deal()
    if arguments.json:
        print(json.dumps({"deal": str(asked.deal), "number": asked.deal.number, "board": position.text}))
    else:
        print(f"{asked.deal}  (number {asked.deal.number})\n\n{position.draw()}")
    return 0


def run_solve(arguments: argparse.Namespace) -> int:
    """Print a line that wins; status 65 where there is none, or none was found."""
    asked = _asked(arguments)
    if asked is None:
        return EXIT_USAGE
    with Progress() as progress:
        searching = f"looking for a way home on {deal_text(str(asked.deal))} …"
        solution = solve(asked.deal.deal(), asked.rules, stop=lambda: progress.goes_on(searching))
    line, moves = Line.begin(asked.rules, asked.deal.deal()), list[str]()
    for move in solution.line:
        moves.append(format_move(move, line.position, line.rules))
        line = line.play(move)
    if arguments.json:
        found = {
            "deal": str(asked.deal),
            "rules": asked.rules_name,
            "verdict": solution.verdict,
            "moves": moves,
        }
        print(json.dumps(found))
    elif solution.solved:
        print(" ".join(moves))
    else:
        print(
            f"cellrace: {deal_text(str(asked.deal))} under {asked.rules_name}: {solution.verdict}",
            file=sys.stderr,
        )
    return 0 if solution.solved else EXIT_DATA
