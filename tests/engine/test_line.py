"""Lines: undo, restart, depth, steps, transfers, finish, tap, and histories of any length."""

import copy
import pickle
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given

from cellrace_engine import (
    CLASSIC,
    LINEAR,
    NO_CARD,
    POCKET,
    RELAXED,
    Game,
    IllegalMove,
    Line,
    Move,
    Position,
    Reason,
    Refusal,
    Rules,
    card_name,
    deal,
    parse_move,
)
from cellrace_engine.automatic import settled
from cellrace_engine.referee import placed
from tests.engine.strategies import lines, played, steady
from tests.engine.vectors import move_of, read


def accepted(line: Line | Refusal) -> Line:
    assert isinstance(line, Line)
    return line


def refused(line: Line | Refusal) -> Refusal:
    assert isinstance(line, Refusal)
    return line


def won_line(cells: int = 4) -> Line:
    solution = next(solution for solution in read("solutions.jsonl") if solution["cells"] == cells)
    line = Line.begin(replace(POCKET, cells=cells), deal(solution["deal"], cells))
    for triple in solution["moves"]:
        line = line.play(move_of(triple))
    return line


class Table:
    """A receiver that knows no rules: it takes cards from the end of one pile and puts them on another."""

    def __init__(self, position: Position) -> None:
        self.piles = [list(column) for column in position.columns]
        self.piles += [[] if card == NO_CARD else [card] for card in position.cells]
        self.piles += [[] for _ in range(4 - len(position.cells))]
        self.piles += [
            [rank * 4 + suit for rank in range(height)] for suit, height in enumerate(position.foundations)
        ]

    def apply(self, transfers: Iterable[Move]) -> None:
        for source, destination, count in transfers:
            taken = self.piles[source][-count:]
            del self.piles[source][-count:]
            self.piles[destination] += taken

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.piles == other.piles

    __hash__ = None  # type: ignore[assignment]


@steady
@given(lines)
def test_a_receiver_without_rules_that_applies_transfers_ends_at_the_right_position(line: Line) -> None:
    table = Table(line.start)
    for step in line.steps():
        table.apply(step.transfers)
    assert table == Table(line.position)
    for step in reversed(line.steps()):
        table.apply(step.reversed_transfers)
    assert table == Table(line.start)


@steady
@given(lines)
def test_undo_restores_position_points_and_moves_and_counts_itself(line: Line) -> None:
    for move in line.legal_moves():
        after = line.play(move)
        if after.won or line.rules.undo_depth == 0:
            continue
        back = accepted(after.undo())
        assert (back.position, back.score, back.board_score) == (line.position, line.score, line.board_score)
        assert (back.moves, back.undos, back.steps()) == (line.moves, line.undos + 1, line.steps())
        assert after.last is not None
        assert after.last.move == move


@steady
@given(lines)
def test_points_stay_within_their_bounds_and_the_board_counts_each_card_once(line: Line) -> None:
    rules = line.rules
    assert line.score >= 0
    bound = 52 * (rules.points_to_foundation + rules.points_cell_to_column)
    assert 0 <= line.board_score <= bound
    if not line.won:
        restarted = accepted(line.restart())
        assert (restarted.score, restarted.board_score, restarted.moves) == (0, 0, 0)
        assert (restarted.undos, restarted.position) == (line.undos, line.start)


def test_no_loop_of_moves_raises_the_board_score() -> None:
    rules = replace(RELAXED, points_cell_to_column=5)
    line = Line.begin(rules, deal(1)).play(Move(4, 8)).play(Move(4, 9)).play(Move(4, 10)).play(Move(4, 11))
    line = line.play(Move(4, 13))  # the ace of diamonds goes home
    line = line.play(parse_move("b2", line))
    farmed = line
    for _ in range(3):
        farmed = farmed.play(Move(1, 9)).play(Move(9, 1))
    assert farmed.position == line.position
    assert farmed.score > line.score
    assert farmed.board_score == line.board_score == 15


def test_an_undo_is_a_restore_and_no_inverse_sum() -> None:
    line = Line.begin(RELAXED, deal(1))
    for text in ("5a", "5b", "5c", "5d", "5h"):
        line = line.play(parse_move(text, line))
    assert line.score == 10
    line = line.play(parse_move("b2", line))
    taken_back = line.play(Move(13, 9))
    assert taken_back.score == 0
    assert accepted(taken_back.undo()).score == 10


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_beyond_the_depth_the_oldest_move_is_forgotten(depth: int) -> None:
    line = Line.begin(replace(LINEAR, undo_depth=depth), deal(1))
    for text in ("1a", "ab", "ba", "ab", "ba"):
        line = line.play(parse_move(text, line))
    for undone in range(depth):
        assert line.last is not None
        line = accepted(line.undo())
        assert line.moves == 4 - undone
    assert line.last is None
    refusal = refused(line.undo())
    assert refusal.reason is Reason.UNDO_DEPTH_REACHED
    assert len(line.steps()) == line.moves == 5 - depth


def test_there_is_nothing_to_undo_at_the_start() -> None:
    line = Line.begin(CLASSIC, deal(1))
    assert refused(line.undo()).reason is Reason.NOTHING_TO_UNDO
    assert line.last is None
    assert line.steps() == ()


@pytest.mark.parametrize("cells", [4, 2, 1])
def test_once_won_nothing_more_is_accepted(cells: int) -> None:
    line = won_line(cells)
    assert line.won
    assert line.cards_home == 52
    assert not line.stuck
    assert line.legal_moves() == []
    assert line.board_score >= 520
    for answer in (line.undo(), line.restart(), line.try_play(Move(12, 0)), line.try_play(Move(0, 8))):
        assert refused(answer).reason is Reason.GAME_OVER
    with pytest.raises(IllegalMove, match="the game is won") as caught:
        line.play(Move(12, 0))
    assert caught.value.refusal.reason is Reason.GAME_OVER


def test_a_hundred_thousand_moves_are_no_strain() -> None:
    line = Line.begin(LINEAR, deal(1)).play(Move(0, 8))
    for _ in range(50_000):
        line = line.play(Move(8, 9)).play(Move(9, 8))
    assert line.moves == 100_001
    assert len(line.steps()) == 100_001
    assert line == line.play(Move(8, 9)).previous
    assert hash(line) != hash(line.start)
    assert "100001 moves" in repr(line)
    once = accepted(line.undo())
    assert once.moves == 100_000
    del line, once  # the whole chain goes here, without recursion


def test_equality_is_where_a_line_stands() -> None:
    line = Line.begin(CLASSIC, deal(1))
    assert line == Line.begin(CLASSIC, deal(1))
    assert hash(line) == hash(Line.begin(CLASSIC, deal(1)))
    assert line != Line.begin(LINEAR, deal(1))
    assert line != Line.begin(CLASSIC, deal(2))
    assert line != accepted(line.play(Move(0, 8)).undo())
    assert line != "a line"


def test_safe_cards_go_up_by_themselves_after_a_move_but_not_at_the_start_nor_after_an_undo() -> None:
    text = "KC3S/KD3H/KH3D/KS3C/QC/QD/QH/QS|2D,,,|C2D1H2S2"
    position = _with_rest(text)
    line = Line.begin(CLASSIC, position)
    assert line.cards_home == 7
    after = line.play(Move(4, 9))
    assert after.last is not None
    assert [move.destination for move in after.last.automatic][:1] == [13]
    assert after.cards_home > 7
    assert after.moves == 1
    assert accepted(after.undo()).cards_home == 7
    switched_off = Line.begin(replace(CLASSIC, automatic_moves=False), position).play(Move(4, 9))
    assert switched_off.cards_home == 7


def _with_rest(text: str) -> Position:
    """Read a position of which some cards are left out; they go to the top of column 8."""
    there = {card for card in range(52) if card_name(card) in text}
    heights = [int(height) for height in re.findall(r"[CDHS](\d+)", text.split("|")[2])]
    there |= {rank * 4 + suit for suit, height in enumerate(heights) for rank in range(height)}
    rest = "".join(card_name(card) for card in range(52) if card not in there)
    columns, cells, homes = text.split("|")
    before, last = columns.rsplit("/", 1)
    return Position.parse(f"{before}/{rest}{last}|{cells}|{homes}")


@pytest.mark.parametrize("rules", [CLASSIC, replace(CLASSIC, automatic_moves=False), RELAXED])
def test_the_finish_offer_sends_the_lowest_card_first_and_wins(rules: Rules) -> None:
    columns = [[51 - card for card in range(at, 52, 8)] for at in range(8)]
    position = Position(tuple(bytes(column) for column in columns), bytes([NO_CARD] * 4), bytes(4))
    position.check()
    line = Line.begin(rules, position)
    assert line.finishable
    moves = line.finish_moves()
    went: list[int] = []
    for move in moves:
        before = line
        line = line.play(move)
        if not rules.automatic_moves:
            went.append(before.position.columns[move.source][-1])
            assert line.won or accepted(line.undo()).position == before.position
    assert line.won
    if not rules.automatic_moves:
        assert went == list(range(52))


def test_no_finish_is_offered_while_a_rank_rises() -> None:
    line = Line.begin(CLASSIC, deal(1))
    assert not line.finishable
    assert line.finish_moves() == ()


@steady
@given(lines)
def test_a_tap_sends_a_card_to_a_legal_place_and_home_first(line: Line) -> None:
    legal = line.legal_moves()
    for pile in range(16):
        move = line.tap(pile)
        if move is None:
            continue
        assert move in legal
        same = [other for other in legal if other.source == pile and other.count == 1]
        if any(other.destination >= 12 for other in same):
            assert move.destination >= 12
        elif any(other.destination < 8 and line.position.columns[other.destination] for other in same):
            assert line.position.columns[move.destination]
        elif 8 <= move.destination < 12:
            alone = pile < 8 and len(line.position.columns[pile]) == 1
            assert alone or not any(other.destination < 8 for other in same)


def test_a_tap_deeper_in_a_column_takes_the_run() -> None:
    line = Line.begin(CLASSIC, deal(1))
    for depth in (0, -1, 2, 9):
        assert line.tap(0, depth) is None
    assert line.tap(8) is None
    assert line.tap(99) is None
    pair = played(LINEAR, 1, [])
    assert pair.tap(0) == Move(0, 8)


def test_a_cell_that_can_be_changed_for_another_is_no_end() -> None:
    line = Line.begin(POCKET, deal(1))
    for text in ("5a", "6b", "1c"):
        line = line.play(parse_move(text, line))
    assert not line.stuck
    assert Move(8, 11) in line.legal_moves()


@steady
@given(lines)
def test_every_move_is_followed_by_all_safe_moves_and_by_none_where_they_are_off(line: Line) -> None:
    for move in line.legal_moves():
        moved = placed(line.position, move, line.rules)
        assert moved is not None
        after = line.play(move)
        expected = settled(moved) if line.rules.automatic_moves else (moved, ())
        assert (after.position, after.steps_back(1)[0].automatic) == expected


def chain(line: Line) -> list[Line]:
    found: list[Line] = []
    at: Line | None = line
    while at is not None:
        found.append(at)
        at = at.previous
    return found


Kept = TypeVar("Kept", Line, Game)


def pickled(value: Kept, protocol: int = pickle.DEFAULT_PROTOCOL) -> Kept:
    other: Kept = pickle.loads(pickle.dumps(value, protocol))  # noqa: S301  # our own
    return other


def assert_same(other: Line, line: Line) -> None:
    assert (other, other.board_score, other.steps()) == (line, line.board_score, line.steps())
    assert chain(other) == chain(line)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_long_game_survives_pickle_and_copy(protocol: int) -> None:
    game = Game(1, replace(RELAXED, undo_depth=7))
    for text in ("5a", "5b", "5c", "5d", "5h", "b2"):
        game.push(text)
    game.undo()
    game.undo()
    game.undo()
    for number in range(5_000):
        game.push("cd" if number % 2 == 0 else "dc")
    for _ in range(4):
        game.undo()
    line = game.line
    assert_same(pickled(line, protocol), line)
    assert_same(copy.deepcopy(line), line)
    assert_same(copy.copy(line), line)
    for played_on in (copy.deepcopy(game), pickled(game, max(2, protocol))):
        assert_same(played_on.line, line)
    other = pickled(line, protocol)
    for _ in range(3):
        other = accepted(other.undo())
    assert refused(other.undo()).reason is Reason.UNDO_DEPTH_REACHED


@steady
@given(lines)
def test_any_line_survives_pickle(line: Line) -> None:
    assert_same(pickled(line), line)


def test_a_line_after_a_restart_and_a_won_one_survive_pickle() -> None:
    line = accepted(Line.begin(CLASSIC, deal(1)).play(Move(0, 8)).undo())
    for other in (line, accepted(line.play(Move(0, 8)).restart()), won_line()):
        assert_same(pickled(other), other)


def test_the_board_counts_cards_that_are_home_and_were_not_at_the_start() -> None:
    line = Line.begin(RELAXED, _with_rest("KC/KD/KH/KS/QC/QD/AD/|,,,|C1D0H1S1"))
    line = line.play(Move(12, 8))
    assert line.board_score == 0
    line = line.play(Move(6, 13))
    assert line.board_score == 10
    assert line.play(Move(8, 12)).board_score == 10
