"""The three readings of the rules agree: the fast judge, the explaining one, and the list of legal moves."""

import pytest
from hypothesis import given

from cellrace_engine import (
    CLASSIC,
    NO_CARD,
    POCKET,
    RELAXED,
    Line,
    Move,
    Position,
    Reason,
    Refusal,
    Rules,
    RunCapacity,
    deal,
    legal_moves,
    parse_card,
    reason_against,
)
from cellrace_engine.generate import any_legal_move
from cellrace_engine.referee import RUNS, placed
from tests.engine.strategies import lines, steady

EVERY_MOVE = [Move(s, d, n) for s in range(-1, 17) for d in range(-1, 17) for n in range(-1, 15)]


@steady
@given(lines)
def test_both_judges_and_the_generator_agree_on_every_move(line: Line) -> None:
    position, rules = line.position, line.rules
    legal = legal_moves(position, rules)
    assert legal == sorted(set(legal))
    expected = set(legal)
    for move in EVERY_MOVE:
        allowed = placed(position, move, rules) is not None
        assert allowed is (reason_against(position, move, rules) is None), (position.text, move)
        assert allowed is (move in expected), (position.text, move)
    assert any_legal_move(position, rules) is bool(legal)
    assert line.stuck is (not legal and not line.won)


@steady
@given(lines)
def test_a_refused_move_changes_nothing_and_says_why(line: Line) -> None:
    before = (line.position.text, line.score, line.moves, line.undos, line.last)
    for move in EVERY_MOVE[::17]:
        after = line.try_play(move)
        if isinstance(after, Refusal):
            assert after == line.reason_against(move)
            assert after.text
    assert (line.position.text, line.score, line.moves, line.undos, line.last) == before


def capacity_of(rules: Rules, empty_cells: int, empty_columns: int) -> int:
    if rules.run_capacity == "linear":
        return (empty_cells + 1) * (1 + empty_columns)
    return (empty_cells + 1) << empty_columns


def tower(cells: int, empty_cells: int, empty_columns: int, onto: str | None) -> Position:
    """A run QH JS TH ... AS at the end of column 1; column 2 ends with `onto` or is empty."""
    names = [rank + ("H" if at % 2 == 0 else "S") for at, rank in enumerate("QJT98765432A")]
    run = [parse_card(name) for name in names]
    target = [] if onto is None else [parse_card(onto)]
    rest = [card for card in range(52) if card not in run + target]
    held, rest = rest[: cells - empty_cells], rest[cells - empty_cells :]
    fillers = 6 - empty_columns
    others = [bytes(rest[at : at + 1]) for at in range(fillers)]
    rest = rest[fillers:]
    # What is left over lies under the run and the target, where it matters to nothing.
    second = bytes(target) if onto is None else bytes(rest[:5] + target)
    first = bytes((rest if onto is None else rest[5:]) + run)
    empty = [b""] * empty_columns
    return Position((first, second, *others, *empty), bytes(held + [NO_CARD] * empty_cells), bytes(4))


TARGETS = ["2D", "3C", "4D", "5C", "6D", "7C", "8D", "9C", "TD", "JC", "QD", "KC"]


@pytest.mark.parametrize("capacity", RunCapacity)
@pytest.mark.parametrize("cells", [4, 2, 1])
def test_the_capacity_is_exact_for_every_number_of_cells_columns_and_either_destination(
    cells: int, capacity: RunCapacity
) -> None:
    rules = Rules(cells=cells, run_capacity=capacity)
    for empty_cells in range(cells + 1):
        for empty_columns in range(7):
            for count in range(1, 13):
                onto = tower(cells, empty_cells, empty_columns, TARGETS[count - 1])
                possible = capacity_of(rules, empty_cells, empty_columns)
                check_capacity(onto, rules, count, possible)
                # Column 2 is empty and the destination: it does not count.
                into = tower(cells, empty_cells, empty_columns, None)
                check_capacity(into, rules, count, possible)


def check_capacity(position: Position, rules: Rules, count: int, possible: int) -> None:
    position.check()
    move = Move(0, 1, count)
    refusal = reason_against(position, move, rules)
    assert (placed(position, move, rules) is not None) is (count <= possible)
    assert (move in legal_moves(position, rules)) is (count <= possible)
    if count > possible:
        assert refusal is not None
        assert (refusal.reason, refusal.asked, refusal.possible) == (Reason.OVER_CAPACITY, count, possible)


def test_a_refusal_for_capacity_gives_all_numbers() -> None:
    refusal = reason_against(tower(4, 1, 0, "4D"), Move(0, 1, 3), CLASSIC)
    assert refusal is not None
    assert refusal.text == "3 cards asked, 2 can move: 1 empty cell, 0 empty columns"
    assert (refusal.asked, refusal.possible, refusal.empty_cells, refusal.empty_columns) == (3, 2, 1, 0)
    refusal = reason_against(tower(4, 0, 1, "4D"), Move(0, 1, 3), CLASSIC)
    assert refusal is not None
    assert refusal.text == "3 cards asked, 2 can move: 0 empty cells, 1 empty column"


def test_a_pair_that_is_no_run_does_not_move() -> None:
    # 10D 9S 4H: the pair 10D 9S lies under another card.
    ends = [[parse_card(name) for name in names.split()] for names in ("TD 9S 4H", "JS")]
    rest = [card for card in range(52) if card not in ends[0] + ends[1]]
    position = Position((bytes(rest), bytes(ends[0]), bytes(ends[1]), *[b""] * 5), b"4444", bytes(4))
    position.check()
    refusal = reason_against(position, Move(1, 2, 3), CLASSIC)
    assert refusal is not None
    assert refusal.reason is Reason.NOT_A_RUN
    assert "4H does not follow 9S" in refusal.text


@pytest.mark.parametrize(
    ("move", "rules", "reason"),
    [
        (Move(16, 0), RELAXED, Reason.NO_SUCH_PILE),
        (Move(0, -1), RELAXED, Reason.NO_SUCH_PILE),
        (Move(0, 0), RELAXED, Reason.SAME_PILE),
        (Move(0, 8, 2), RELAXED, Reason.ONE_CARD_ONLY),
        (Move(0, 8, 0), RELAXED, Reason.BAD_COUNT),
        (Move(8, 0), RELAXED, Reason.EMPTY_SOURCE),
        (Move(12, 0), RELAXED, Reason.EMPTY_SOURCE),
        (Move(12, 0), CLASSIC, Reason.NEVER_FROM_FOUNDATION),
        (Move(12, 8), POCKET, Reason.FOUNDATION_TO_COLUMN_ONLY),
        (Move(12, 13), RELAXED, Reason.BETWEEN_FOUNDATIONS),
        (Move(0, 1, 8), RELAXED, Reason.TOO_FEW_CARDS),
        (Move(0, 1, 7), RELAXED, Reason.NOT_A_RUN),
        (Move(0, 1), RELAXED, Reason.WRONG_COLOUR_OR_RANK),
        (Move(0, 12), RELAXED, Reason.WRONG_FOUNDATION),
        (Move(0, 15), RELAXED, Reason.NOT_NEXT_ON_FOUNDATION),
    ],
)
def test_each_refusal_has_its_reason(move: Move, rules: Rules, reason: Reason) -> None:
    refusal = reason_against(deal(1), move, rules)
    assert refusal is not None
    assert refusal.reason is reason


def test_an_occupied_cell_and_a_cell_that_does_not_exist() -> None:
    line = Line.begin(POCKET, deal(1)).play(Move(0, 8))
    refusal = line.reason_against(Move(1, 8))
    assert refusal is not None
    assert (refusal.reason, refusal.onto) == (Reason.CELL_OCCUPIED, "6S")
    assert line.try_play(Move(8, 9)) != line
    two = reason_against(deal(1, 2), Move(0, 10), POCKET)
    assert two is not None
    assert two.text == "there is no cell c: this game has 2 cells"


def test_what_is_no_run_is_not_remembered() -> None:
    """Else whoever sends nonsense for long enough fills the memory."""
    run, none = bytes(map(parse_card, ("KH", "QS", "JD"))), bytes(map(parse_card, ("KH", "QD")))
    assert (RUNS[run], RUNS[none]) == (True, False)
    assert run in RUNS
    assert none not in RUNS
