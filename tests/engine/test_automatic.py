"""Safe automatic moves, held against the plain reading of the rule: one card at a time, everything looked at."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import CLASSIC, NO_CARD, PRESETS, Line, Move, Position, Refusal, deal
from cellrace_engine.automatic import settled
from cellrace_engine.referee import placed
from tests.engine.judge import end_game
from tests.engine.strategies import lines, played, steady
from tests.engine.vectors import move_of, read

AUTOMATIC = {name: replace(rules, automatic_moves=True) for name, rules in PRESETS.items()}
RED = (1, 2)


def is_safe(card: int, heights: list[int]) -> bool:
    """Aces and twos always are; else all cards of the other colour that are lower by one must be home."""
    level, suit = divmod(card, 4)
    others = [other for other in range(4) if (other in RED) != (suit in RED)]
    return level < 2 or all(heights[other] >= level for other in others)


def one_by_one(position: Position) -> tuple[Position, tuple[Move, ...]]:
    """Send the safe card of the lowest rank, then of the first suit, home until there is none."""
    piles = [*map(list, position.columns), *([] if card == NO_CARD else [card] for card in position.cells)]
    heights, made = list(position.foundations), list[Move]()
    while True:
        exposed = {pile[-1]: number for number, pile in enumerate(piles) if pile}
        ready = [card for card in exposed if heights[card % 4] == card // 4 and is_safe(card, heights)]
        if not ready:
            break
        card = min(ready)
        made.append(Move(exposed[card], 12 + card % 4))
        piles[exposed[card]].pop()
        heights[card % 4] += 1
    cells = bytes(pile[0] if pile else NO_CARD for pile in piles[8:])
    return Position(tuple(map(bytes, piles[:8])), cells, bytes(heights)), tuple(made)


def assert_settled_after_every_move(line: Line) -> None:
    for move in line.legal_moves():
        moved = placed(line.position, move, line.rules)
        assert moved is not None
        expected, automatic = one_by_one(moved) if line.rules.automatic_moves else (moved, ())
        after = line.play(move)
        step = after.step
        assert step is not None
        assert (after.position, step.move, step.automatic) == (expected, move, automatic), line.position.text
        assert after.score == line.score + points(line, move) + points_home(line, automatic)


def points(line: Line, move: Move) -> int:
    rules = line.rules
    if move.destination >= 12:
        return rules.points_to_foundation
    if move.source >= 12:
        return max(rules.points_taken_back, -line.score)
    return rules.points_cell_to_column if move.source >= 8 > move.destination else 0


def points_home(line: Line, automatic: tuple[Move, ...]) -> int:
    return len(automatic) * line.rules.points_to_foundation


@steady
@given(lines)
def test_after_every_move_what_is_safe_is_home_in_the_order_of_the_rules(line: Line) -> None:
    assert_settled_after_every_move(line)


@steady
@given(st.sampled_from(sorted(PRESETS)), st.integers(1, 10**6), st.lists(st.integers(1, 10**4), max_size=120))
def test_so_it_is_under_all_presets_with_and_without(name: str, number: int, picks: list[int]) -> None:
    for rules in (PRESETS[name], AUTOMATIC[name]):
        assert_settled_after_every_move(played(rules, number, picks))


@pytest.mark.parametrize("name", AUTOMATIC)
def test_so_it_is_near_the_end(name: str) -> None:
    """Starts where much may be safe at once, and some moves on, where runs of many cards go home."""
    rules = AUTOMATIC[name]
    longest = 0
    for seed in range(150):
        chance = Random(seed)
        line = Line.begin(rules, end_game(seed, rules.cells))
        for _ in range(4):
            assert_settled_after_every_move(line)
            if not (moves := line.legal_moves()):
                break
            line = line.play(chance.choice(moves))
            assert line.step is not None
            longest = max(longest, len(line.step.automatic))
    assert longest > 12


def test_so_it_is_all_along_games_as_they_are_won() -> None:
    solutions = [solution for solution in read("solutions.jsonl") if solution["cells"] == 4]
    won = 0
    for solution in solutions[:12]:
        line = Line.begin(CLASSIC, deal(solution["deal"], 4))
        for triple in solution["moves"]:
            after = line.try_play(move_of(triple))
            if not isinstance(after, Refusal):  # else an automatic move has made it, or hinders it
                assert_settled_after_every_move(line)
                line = after
        won += line.won
    assert won >= 8


@steady
@given(lines)
def test_any_position_is_settled_by_the_same_moves(line: Line) -> None:
    assert settled(line.position) == one_by_one(line.position)


def test_undo_to_the_start_leaves_its_safe_cards_to_the_next_move() -> None:
    """At the start alone safe cards may lie exposed, and so they may again once all is taken back."""
    start = end_game(3, 4)
    line = Line.begin(CLASSIC, start)
    first = line.play(line.legal_moves()[0])
    back = first.undo()
    assert isinstance(back, Line)
    assert back.position == start
    assert_settled_after_every_move(back)
