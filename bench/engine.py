"""What the engine costs, with python-chess timed in the same run as the yardstick.

`python -m bench.engine` prints a table, and what the solver takes for some deals and hints; `--whole` solves deals 1 to
1000, asks for a hint at every seventh position of the solution lines and proves the eight lost deals lost (five
minutes). All figures are CPU time of this process: each thing takes turns with its yardstick, and medians are given, of
the ratios too.
"""

import argparse
import gc
import json
import random
import statistics
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

import chess

from cellrace_engine import (
    CLASSIC,
    PILE_NAMES,
    POCKET,
    PRESETS,
    Action,
    Game,
    Line,
    Move,
    PlayerKind,
    PlayerRun,
    Position,
    Refusal,
    Replay,
    Rules,
    deal,
    format_move,
    legal_moves,
    read_move,
    verify,
)
from cellrace_engine.solver import hint, solve

SOLUTIONS = Path(__file__).parent.parent / "tests" / "data" / "solutions.jsonl"
ROUNDS = 15
# The deals of the first million that nobody can win with four cells.
KNOWN_LOST = (11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948)

Played = tuple[Line, list[Move]]
Answer = TypeVar("Answer", Line, Move)
# Something measured: how many items one call handles, and the call.
Measured = tuple[int, Callable[[], object]]


def solved_games(rules: Rules, most: int) -> list[Played]:
    """Return games of real winning lines; a move that automatic moves have made already is left out."""
    games: list[Played] = []
    with SOLUTIONS.open(encoding="utf-8") as rows:
        solutions = [json.loads(row) for row in rows]
    for solution in [found for found in solutions if found["cells"] == rules.cells][:most]:
        start = line = Line.begin(rules, deal(solution["deal"], rules.cells))
        moves: list[Move] = []
        for source, destination, count in solution["moves"]:
            move = Move(PILE_NAMES.index(source), PILE_NAMES.index(destination), count)
            after = line.try_play(move)
            if not isinstance(after, Refusal):
                line = after
                moves.append(move)
        games.append((start, moves))
    return games


def positions_of(games: list[Played]) -> list[Position]:
    positions: list[Position] = []
    for start, moves in games:
        line = start
        for move in moves:
            positions.append(line.position)
            line = line.play(move)
    return positions


def accepted(answer: Answer | Refusal) -> Answer:
    assert not isinstance(answer, Refusal)
    return answer


def try_play(games: list[Played]) -> Measured:
    def run() -> None:
        for start, moves in games:
            line: Any = start  # what is no line any more has no `try_play`
            for move in moves:
                line = line.try_play(move)
            assert line.moves == len(moves)

    return sum(len(moves) for _, moves in games), run


def cards_moved(games: list[Played]) -> Measured:
    """Count every card transfer, automatic ones included, of the same calls as `try_play`."""
    items, run = try_play(games)
    for start, moves in games:
        line = start
        for move in moves:
            line = line.play(move)
        items += sum(len(step.automatic) for step in line.steps())
    return items, run


def read_and_play(games: list[Played]) -> Measured:
    texts: list[tuple[Line, list[str]]] = []
    for start, moves in games:
        line, said = start, list[str]()
        for move in moves:
            said.append(format_move(move, line.position, line.rules))
            line = line.play(move)
        texts.append((start, said))

    def run() -> None:
        for start, said in texts:
            line = start
            for text in said:
                move = read_move(text, line.position, line.rules)
                line = accepted(line.try_play(accepted(move)))

    return sum(len(said) for _, said in texts), run


def push_and_pop(games: list[Played]) -> Measured:
    def run() -> None:
        for start, moves in games:
            game = Game(start.position, start.rules)
            for move in moves:
                game.push(move)
            for _ in moves:
                game.pop()

    return sum(len(moves) for _, moves in games), run


def generate(positions: list[Position], rules: Rules) -> Measured:
    return len(positions), lambda: [legal_moves(position, rules) for position in positions]


def deals() -> Measured:
    return 200, lambda: [deal(number) for number in range(1, 201)]


def replays() -> Measured:
    start, moves = next(played for played in solved_games(POCKET, 100) if len(played[1]) >= 100)
    line, actions = start, list[Action]()
    for number, move in enumerate(moves[:100]):
        actions.append(Action(number * 500, format_move(move, line.position, line.rules)))
        line = line.play(move)
    run = PlayerRun("bench", PlayerKind.BOT, tuple(actions))
    replay = Replay(POCKET, (run,), layout=start.position.text)
    assert verify(replay).holds
    return 1, lambda: verify(replay)


def chess_games(number: int) -> list[list[chess.Move]]:
    chance = random.Random(617)
    games: list[list[chess.Move]] = []
    for _ in range(number):
        board, moves = chess.Board(), list[chess.Move]()
        while len(moves) < 100 and not board.is_game_over():
            moves.append(chance.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)
    return games


def chess_legal_and_push(games: list[list[chess.Move]]) -> Measured:
    def run() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.is_legal(move)
                board.push(move)

    return sum(map(len, games)), run


def chess_push_and_pop(games: list[list[chess.Move]]) -> Measured:
    def run() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push(move)
            for _ in moves:
                board.pop()

    return sum(map(len, games)), run


def chess_generate(games: list[list[chess.Move]]) -> Measured:
    boards: list[chess.Board] = []
    for moves in games:
        board = chess.Board()
        for move in moves:
            boards.append(board.copy(stack=False))
            board.push(move)
    boards = boards[::5]
    return len(boards), lambda: [list(board.legal_moves) for board in boards]


def timed(item: Measured) -> float:
    """Seconds of CPU time for each."""
    items, run = item
    began = process_time()
    run()
    return (process_time() - began) / items


def raced(item: Measured, yardstick: Measured, rounds: int) -> tuple[float, float]:
    """How much quicker it is than the yardstick, timed in turns, and its seconds for each: medians over the rounds.

    What else runs on the machine slows both of a turn, more or less: their ratio is steadier than either.
    """
    turns = [(timed(yardstick), timed(item)) for _ in range(rounds)]
    return statistics.median(one / other for one, other in turns), statistics.median(own for _, own in turns)


def engine_table(rounds: int) -> None:
    games = {name: solved_games(rules, 40) for name, rules in PRESETS.items()}
    boards = chess_games(8)
    positions = positions_of(games["pocket"])[::4]
    judging = {f"validate and apply, {name}": try_play(played) for name, played in games.items()}
    judging["the same, classic, automatic moves counted"] = cards_moved(games["classic"])
    judging["read the text, validate and apply, pocket"] = read_and_play(games["pocket"])
    contests = {
        "is_legal and push": (chess_legal_and_push(boards), judging),
        "push and pop": (
            chess_push_and_pop(boards),
            {"Game.push and pop, pocket": push_and_pop(games["pocket"])},
        ),
        "all legal moves": (
            chess_generate(boards),
            {
                f"all legal moves, {name}": generate(positions, PRESETS[name])
                for name in ("classic", "relaxed")
            },
        ),
    }
    alone = {"deal": deals(), "verify a replay of 100 moves": replays()}
    # What was made for all of them is no garbage of any: a server does the same when it has started.
    gc.collect()
    gc.freeze()
    print(f"{'':45}{'a second':>12}{'µs each':>10}{'against the yardstick':>24}")
    for name, (yardstick, contenders) in contests.items():
        show(f"python-chess: {name}", statistics.median(timed(yardstick) for _ in range(rounds)))
        for contender, item in contenders.items():
            ratio, seconds = raced(item, yardstick, rounds)
            show(contender, seconds, f"{ratio:.1f}x")
    for name, item in alone.items():
        show(name, statistics.median(timed(item) for _ in range(rounds)))


def show(name: str, seconds: float, ratio: str = "") -> None:
    print(f"{name:45}{1 / seconds:12,.0f}{1e6 * seconds:10.1f}{ratio:>24}")


def spread(values: list[float]) -> str:
    ordered = sorted(values)
    middle, high = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    return f"median {middle:.1f}, p95 {high:.0f}, greatest {ordered[-1]:.0f}"


def solver_table(most: int) -> None:
    taken: list[float] = []
    nodes: list[float] = []
    for number in range(1, most + 1):
        began = process_time()
        solution = solve(deal(number), CLASSIC)
        taken.append(1000 * (process_time() - began))
        nodes.append(solution.nodes)
        assert solution.solved, number
    print(f"solve deals 1-{most}, four cells: ms {spread(taken)}; nodes: {spread(nodes)}")


def hint_table(every: int) -> None:
    taken: list[float] = []
    for cells in (4, 2, 1):
        rules = replace(POCKET, cells=cells)
        for position in positions_of(solved_games(rules, 120))[::every]:
            began = process_time()
            hint(position, rules)
            taken.append(1000 * (process_time() - began))
    print(f"hint at {len(taken)} positions of the solution lines (4, 2 and 1 cells): ms {spread(taken)}")


def lost_table(rules: Rules, name: str) -> None:
    taken: list[float] = []
    for number in KNOWN_LOST:
        began = process_time()
        assert solve(deal(number), rules).proved_lost, number
        taken.append(process_time() - began)
    print(
        f"the {len(taken)} known lost deals proved lost, {name}: {min(taken):.1f} to {max(taken):.1f} s each"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--solver", type=int, default=100, metavar="N", help="solve deals 1 to N (default 100)"
    )
    parser.add_argument("--every", type=int, default=40, help="ask for a hint at every so many positions")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--whole", action="store_true", help="all that is promised of the solver")
    arguments = parser.parse_args()
    engine_table(arguments.rounds)
    solver_table(1_000 if arguments.whole else arguments.solver)
    hint_table(7 if arguments.whole else arguments.every)
    if arguments.whole:
        for name in ("classic", "relaxed", "pocket"):
            lost_table(PRESETS[name], name)


if __name__ == "__main__":
    main()
