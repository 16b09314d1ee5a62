"""The solver: legal lines, true verdicts, limits that hold."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellrace_engine import (
    CLASSIC,
    LINEAR,
    PILE_NAMES,
    POCKET,
    RELAXED,
    Line,
    Position,
    Rules,
    RulesError,
    RunCapacity,
    TakeBack,
    deal,
    legal_moves,
)
from cellrace_engine.automatic import settled
from cellrace_engine.referee import placed
from cellrace_engine.solver import Limits, Solution, Verdict, assess, hint, solve
from cellrace_engine.solver.board import Board
from cellrace_engine.solver.expand import Expander
from cellrace_engine.solver.safety import SafeCards, Safety
from tests.engine.judge import Key, can_be_won, canonical, cornered, end_game
from tests.engine.strategies import lines, rule_sets, steady
from tests.engine.vectors import move_of, read

KNOWN_LOST = (11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948)
FEW_CELLS = [solution for solution in read("solutions.jsonl") if solution["cells"] < 4]


def check_line(position: Position, rules: Rules, solution: Solution) -> None:
    """The referee accepts every move of a solution and sees it win."""
    line = Line.begin(rules, position)
    for move in solution.line:
        line = line.play(move)
    assert line.won


class NothingSafe(SafeCards):
    """Sends no card home by itself."""

    def __init__(self) -> None:
        super().__init__(Safety.CARDS_COME_BACK)

    def __missing__(self, heights: bytes) -> bytes:
        return b""


@steady
@given(lines)
def test_the_compact_board_reaches_what_the_immutable_one_reaches(line: Line) -> None:
    position, rules = line.position, line.rules
    state = Board.of(position).state()
    assert (state[:8], state[8]) == canonical(position)
    children = Expander(rules, NothingSafe(), take_back=True).children(state, position.foundations)
    found: dict[Key, bytes] = {}
    for _, board in children:
        child = board.state()
        found[child[:8], child[8]] = board.heights
    reached: dict[Key, bytes] = {}
    single: set[Key] = set()
    for move in legal_moves(position, rules):
        after = placed(position, move, rules)
        assert after is not None
        reached[canonical(after)] = after.foundations
        if move.count == 1:
            single.add(canonical(after))
    assert found.items() <= reached.items()
    assert single <= found.keys() | {canonical(position)}


@settings(steady, max_examples=40)
@given(rule_sets, st.integers(1, 10**6))
def test_a_deal_is_solved_legally_under_any_rules(rules: Rules, number: int) -> None:
    position = deal(number, rules.cells)
    solution = solve(position, rules, Limits(nodes=1500))
    if solution.solved:
        check_line(position, rules, solution)
    else:
        assert solution.line == ()


@settings(steady, max_examples=300)
@given(rule_sets, st.integers(0, 10**6), st.booleans())
def test_verdicts_are_those_of_a_judge_without_shortcuts(rules: Rules, seed: int, at_the_end: bool) -> None:
    position = end_game(seed, rules.cells) if at_the_end else cornered(seed, rules)
    truth = can_be_won(position, rules, most=800)
    if truth is None:
        return
    solution = solve(position, rules, Limits(nodes=20_000))
    if solution.solved:
        check_line(position, rules, solution)
    proves = rules.take_back == "never" or not rules.automatic_moves
    assert solution.verdict is (Verdict.SOLVED if truth else Verdict.LOST if proves else Verdict.UNKNOWN)


def test_positions_of_both_kinds_are_among_those_judged() -> None:
    rules = replace(POCKET, cells=2)
    positions = [cornered(seed, rules) for seed in range(40)] + [end_game(seed, 2) for seed in range(20)]
    verdicts = [can_be_won(position, rules, 800) for position in positions]
    assert verdicts.count(True) >= 10
    assert verdicts.count(False) >= 10


@settings(steady, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 4]),
    st.sampled_from(RunCapacity),
    st.sampled_from(TakeBack),
)
def test_automatic_moves_never_turn_a_solvable_position_into_a_lost_one(
    seed: int, cells: int, capacity: RunCapacity, take_back: TakeBack
) -> None:
    rules = Rules(cells=cells, run_capacity=capacity, take_back=take_back)
    position = end_game(seed, cells)
    for move in legal_moves(position, rules):
        before = placed(position, move, rules)
        assert before is not None
        after, made = settled(before)
        if made and can_be_won(before, rules, 400):
            assert solve(after, rules).solved
            assert can_be_won(after, rules, 400) is not False


@pytest.mark.parametrize("number", range(1, 41))
def test_deals_are_solved_with_four_cells(number: int) -> None:
    for rules in (CLASSIC, LINEAR):
        solution = solve(deal(number), rules)
        assert solution.solved
        check_line(deal(number), rules, solution)


@pytest.mark.parametrize(
    "solution", FEW_CELLS, ids=lambda solution: f"{solution['deal']}-{solution['cells']}"
)
def test_deals_known_to_be_won_with_fewer_cells_are_solved(solution: dict[str, int]) -> None:
    rules = replace(POCKET, cells=solution["cells"])
    position = deal(solution["deal"], solution["cells"])
    found = solve(position, rules)
    assert found.solved
    check_line(position, rules, found)


@pytest.mark.parametrize("number", [146692, 781948])
def test_two_deals_known_to_be_lost_are_proved_lost(number: int) -> None:
    assert solve(deal(number), CLASSIC).proved_lost


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [CLASSIC, LINEAR, POCKET, RELAXED], ids=["classic", "linear", "pocket", "relaxed"]
)
@pytest.mark.parametrize("number", KNOWN_LOST)
def test_every_deal_known_to_be_lost_is_proved_lost(number: int, rules: Rules) -> None:
    solution = solve(deal(number), rules)
    assert solution.proved_lost
    assert solution.line == ()


@pytest.mark.slow
def test_the_first_thousand_deals_are_solved() -> None:
    for number in range(1, 1001):
        solution = solve(deal(number), CLASSIC)
        assert solution.solved, number
        check_line(deal(number), CLASSIC, solution)


def test_a_won_and_a_nearly_won_position() -> None:
    won = Position((b"",) * 8, b"4444", bytes([13] * 4))
    assert solve(won, CLASSIC) == Solution(Verdict.SOLVED, (), 0, 1)
    assert hint(won, CLASSIC) is None
    nearly = Position((bytes([51]), *[b""] * 7), b"4444", bytes([13, 13, 13, 12]))
    for rules in (CLASSIC, RELAXED):
        assert [PILE_NAMES[move.destination] for move in solve(nearly, rules).line] == ["hS"]


def test_limits_hold_and_say_unknown() -> None:
    for limits in (Limits(nodes=100), Limits(nodes=0), Limits(states=50)):
        solution = solve(deal(11982), CLASSIC, limits)
        assert solution.verdict is Verdict.UNKNOWN
        assert solution.nodes <= max(limits.nodes if limits.nodes < 1000 else 1000, 0)
    assert hint(deal(11982), CLASSIC, Limits(nodes=100)) is None
    assert assess(deal(11982), CLASSIC, Limits(nodes=100)).par is None
    bounded = solve(deal(11982), CLASSIC, Limits(states=5_000))
    assert bounded.states <= 5_000
    for states in (0, 1, 2, 10, 50, 100):
        assert solve(deal(11982), CLASSIC, Limits(states=states)).states <= states


@pytest.mark.parametrize("question", [1, 2, 3])
def test_a_stop_that_was_true_once_ends_the_whole_search(question: int) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked == question

    solution = solve(deal(11982), CLASSIC, stop=stop)
    assert solution.verdict is Verdict.UNKNOWN
    assert asked == question
    assert solution.nodes <= 256 * question


def test_a_search_can_be_stopped_from_outside() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    solution = solve(deal(11982), CLASSIC, stop=stop)
    assert solution.verdict is Verdict.UNKNOWN
    assert solution.nodes < 3_000


def test_other_cells_than_the_rules_have_are_refused() -> None:
    with pytest.raises(RulesError):
        solve(deal(1, 2), CLASSIC)


def test_the_same_question_gets_the_same_answer() -> None:
    assert solve(deal(617), CLASSIC) == solve(deal(617), CLASSIC)


@pytest.mark.parametrize("rules", [CLASSIC, RELAXED], ids=["classic", "relaxed"])
def test_whoever_follows_the_hints_wins(rules: Rules) -> None:
    line = Line.begin(rules, deal(617))
    while not line.won:
        move = hint(line.position, rules)
        assert move is not None
        line = line.play(move)
        assert line.moves < 200


@settings(steady, max_examples=30)
@given(st.integers(0, len(FEW_CELLS) - 1), st.integers(0, 200), rule_sets)
def test_a_hint_on_the_way_is_legal(index: int, moves: int, rules: Rules) -> None:
    solution = FEW_CELLS[index]
    line = Line.begin(replace(POCKET, cells=solution["cells"]), deal(solution["deal"], solution["cells"]))
    for triple in solution["moves"][:moves]:
        line = line.play(move_of(triple))
    rules = replace(rules, cells=solution["cells"])
    move = hint(line.position, rules, Limits(nodes=3000))
    if move is not None:
        assert move in legal_moves(line.position, rules)


def test_par_is_a_line_no_longer_than_the_first_and_difficulty_grows_with_the_search() -> None:
    easy, hard = assess(deal(3), CLASSIC), assess(deal(1941), CLASSIC)
    for number, assessed in ((3, easy), (1941, hard)):
        first = solve(deal(number), CLASSIC)
        assert assessed.par == len(assessed.line) <= len(first.line)
        check_line(deal(number), CLASSIC, replace(first, line=assessed.line))
    assert easy.difficulty is not None
    assert hard.difficulty is not None
    assert 0 <= easy.difficulty < hard.difficulty <= 100
    assert assess(deal(781948), CLASSIC).verdict is Verdict.LOST
