"""A game alone: everything a player does, and the replay of it."""

import random

import pytest

from cellrace_client.practice import Practice, drawn
from cellrace_client.tables import NOTHING_TO_REDO, PracticeTable, Trouble
from cellrace_engine import CLASSIC, POCKET, PRESETS, DealCode, Refusal, Rules, format_move, from_json, verify
from tests.support.lines import winning_line


def test_the_winning_line_wins_and_its_replay_holds() -> None:
    practice = Practice(CLASSIC, DealCode.of(617))
    for number, text in enumerate(winning_line()):
        assert practice.move(text, 100 * number) is None
    assert practice.line.won
    replay = from_json(practice.document("Ada"))
    assert verify(replay).holds
    assert replay.players[0].result is not None
    assert replay.players[0].result.cards_home == 52


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_finish_sends_everything_home_each_card_a_move(rules: Rules) -> None:
    practice = Practice(rules, DealCode.of(617))
    moves = iter(winning_line(rules))
    while not practice.line.finishable:
        practice.move(next(moves), 5)
    before = practice.line.moves
    sent = practice.finish(9)
    assert practice.line.won
    assert practice.line.moves == before + sent
    assert verify(practice.replay("Ada")).holds


def test_undo_and_redo_walk_the_line_both_ways_and_restart_can_be_walked_again() -> None:
    practice = Practice(CLASSIC, DealCode.of(617))
    line = winning_line()[:6]
    for text in line:
        practice.move(text, 1)
    there = practice.line.position
    for _ in range(3):
        practice.undo(2)
    for _ in range(3):
        practice.redo(3)
    assert practice.line.position == there
    assert not practice.taken_back
    practice.restart(4)
    assert practice.line.moves == 0
    for _ in line:
        practice.redo(5)
    assert practice.line.position == there
    practice.undo(6)
    undone = practice.taken_back.next(practice.line)
    legal = [format_move(move, practice.line.position, CLASSIC) for move in practice.line.legal_moves()]
    assert practice.move(next(text for text in legal if text != undone), 7) is None
    assert not practice.taken_back
    assert verify(practice.replay("Ada")).holds


def test_a_table_says_why_something_is_refused() -> None:
    said: list[Trouble] = []
    table = PracticeTable(Practice(CLASSIC, DealCode.of(617)), lambda: 0.0, said.append)
    table.move("12v3")
    table.undo()
    table.redo()
    table.finish()
    assert isinstance(said[0].refusal, Refusal)
    assert said[0].refusal.asked == 3
    assert [trouble.code for trouble in said[1:]] == ["nothing_to_undo", "nothing_to_redo", "not_finishable"]
    assert said[2] == NOTHING_TO_REDO
    assert said[3].text == "not yet: TD lies on 7D in column 1; once no card lies on a lower one"


def test_the_clock_of_a_table_stops_when_it_is_won() -> None:
    now = [10.0]
    table = PracticeTable(Practice(CLASSIC, DealCode.of(617)), lambda: now[0], lambda _: None)
    for text in winning_line():
        now[0] += 0.5
        table.move(text)
    won = table.time_ms
    now[0] += 60
    assert table.time_ms == won == 500 * len(winning_line())


def test_a_random_deal_is_one_that_can_be_won() -> None:
    asked: list[object] = []

    def third(position: object, _rules: object) -> bool:
        asked.append(position)
        return len(asked) == 3

    code = drawn(POCKET, random.Random(1), third)
    assert code.deal() == asked[-1]
    assert code.cells == 4
