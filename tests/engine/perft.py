"""Counts of all lines of so many moves, by two independent readings of the rules.

`python -m tests.engine.perft` writes `tests/data/perft.json` anew, after both readings have agreed; that
takes some minutes.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from cellrace_engine import Line, Move, Position, deal
from tests.engine.vectors import DATA, move_of, read, rules_named

FILE = DATA / "perft.json"
PRESETS = ("classic", "relaxed", "pocket4", "pocket2", "pocket1", "linear")

EVERY_MOVE = tuple(
    Move(source, destination, count)
    for source in range(16)
    for destination in range(16)
    for count in range(1, 14)
)


def generated(line: Line) -> list[Move]:
    """The moves that the fast generator lists."""
    return line.legal_moves()


def tried(line: Line) -> list[Move]:
    """The moves, of all there could be, against which the explaining judge has no reason."""
    return [move for move in EVERY_MOVE if line.reason_against(move) is None]


def count(line: Line, depth: int, moves_of: Callable[[Line], list[Move]]) -> int:
    """Return the number of lines of `depth` moves from here."""
    moves = moves_of(line)
    if depth == 1:
        return len(moves)
    return sum(count(line.play(move), depth - 1, moves_of) for move in moves)


def starts() -> Iterator[tuple[str, Position]]:
    """Deals, and positions from the middle and the end of games, for each preset."""
    solutions = {
        (solution["deal"], solution["cells"]): solution["moves"] for solution in read("solutions.jsonl")
    }
    for preset in PRESETS:
        cells = rules_named(preset).cells
        for number in (1, 617, 11982):
            yield preset, deal(number, cells)
        for played in (25, 60):
            yield preset, reached(cells, solutions[2, cells][:played])


def reached(cells: int, moves: list[Any]) -> Position:
    """Return where the first moves of the solution of deal 2 lead."""
    line = Line.begin(rules_named(f"pocket{cells}"), deal(2, cells))
    for triple in moves:
        line = line.play(move_of(triple))
    return line.position


def counted(preset: str, start: Position) -> dict[str, Any]:
    line = Line.begin(rules_named(preset), start)
    counts = [count(line, depth, generated) for depth in (1, 2, 3)]
    assert counts == [count(line, depth, tried) for depth in (1, 2, 3)], (preset, start.text)
    return {"preset": preset, "start": start.text, "counts": [*counts, count(line, 4, generated)]}


def main() -> None:
    rows = [counted(preset, start) for preset, start in starts()]
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
