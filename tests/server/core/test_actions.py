"""During the race: moves, undo, restart, finish, giving up, results."""

import pytest

from cellrace_engine import LINEAR, RELAXED
from cellrace_server.core.commands import Finish, GiveUp, Leave, Play, Restart, StoreReturned, Tick, Undo
from cellrace_server.core.facts import Ended, EndReason, Finished, GaveUp, Moved, Outage, Restarted, Undone
from cellrace_server.core.outcome import Rejected, Repeated
from cellrace_server.core.race import Phase, Result, deadline
from cellrace_server.core.standings import standings
from tests.server.core.playbook import ADA, ALAN, GRACE, NO_AUTOMATIC, Script, play, started
from tests.support.lines import winning_line


def test_a_move_is_a_fact_with_its_number_and_time() -> None:
    script = started(ADA, GRACE)
    (fact,) = script.do(Play("ada", 1, "2a"), after_ms=1_500)
    assert isinstance(fact, Moved)
    assert (fact.seat, fact.n, fact.at) == (0, 1, script.now)
    assert script.state.time(fact.at) == 1_500


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("", "unreadable"),
        ("xx", "unreadable"),
        ("\u0000\u0001", "unreadable"),
        ("12", "wrong_colour_or_rank"),
        ("1h", "not_next_on_foundation"),
        ("a1", "empty_source"),
        ("h5", "never_from_foundation"),
        ("11", "same_pile"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move: str, reason: str) -> None:
    script = started(ADA, GRACE)
    assert script.refused(Play("ada", 1, move)) == reason
    assert isinstance(script.answer, Rejected)
    assert script.answer.expected == 1


def test_a_move_before_the_start_is_refused_and_not_kept() -> None:
    script = Script()
    assert script.refused(Play("ada", 1, "2a")) == "not_started"


def test_a_number_ahead_is_refused_with_the_one_expected() -> None:
    script = started(ADA, GRACE)
    assert script.refused(Play("ada", 2, "2a")) == "out_of_order"
    assert isinstance(script.answer, Rejected)
    assert script.answer.expected == 1


@pytest.mark.parametrize("n", [0, -1])
def test_a_number_that_cannot_be_is_out_of_order(n: int) -> None:
    assert started(ADA, GRACE).refused(Play("ada", n, "2a")) == "out_of_order"


def test_an_action_sent_twice_is_applied_once() -> None:
    script = started(ADA, GRACE)
    script.do(Play("ada", 1, "2a"))
    before = script.state
    for again in (Play("ada", 1, "2a"), Play("ada", 1, "26"), Undo("ada", 1)):
        assert script.do(again) == ()
        assert script.answer == Repeated(0, 1)
        assert script.state == before


def test_boards_are_independent() -> None:
    script = started(ADA, GRACE)
    script.do(Play("ada", 1, "2a"))
    script.do(Play("grace", 1, "2b"))
    first, second = script.state.seats
    assert first is not None
    assert first.line is not None
    assert second is not None
    assert second.line is not None
    assert first.line.position != second.line.position
    assert (first.n, second.n) == (1, 1)


def test_undo_and_restart_are_numbered_actions() -> None:
    script = started(ADA, GRACE)
    script.do(Play("ada", 1, "2a"))
    script.do(Play("ada", 2, "2b"))
    assert script.do(Undo("ada", 3)) == (Undone(script.now, 0, 3),)
    assert script.do(Restart("ada", 4)) == (Restarted(script.now, 0, 4),)
    assert script.refused(Undo("ada", 5)) == "nothing_to_undo"


def test_the_winning_move_finishes_the_seat_with_its_time() -> None:
    script = started(ADA, GRACE)
    moves = winning_line()
    play(script, ADA, moves[:-1])
    facts = script.do(Play("ada", len(moves), moves[-1]), after_ms=100)
    time = 100 * len(moves)
    assert facts[1:] == (Finished(script.now, 0, time, 0, 0),)
    assert script.state.phase is Phase.RUNNING
    for command in (Play("ada", len(moves) + 1, "12"), Undo("ada", len(moves) + 1)):
        assert script.refused(command) == "seat_done"


def test_the_race_ends_when_the_last_seat_is_done() -> None:
    script = started(ADA, GRACE)
    play(script, ADA, winning_line())
    facts = script.do(GiveUp("grace", 1))
    assert facts == (GaveUp(script.now, 1, 1), Ended(script.now, EndReason.ALL_DONE))
    assert script.refused(Play("grace", 2, "2a")) == "race_over"


def test_giving_up_twice_is_a_repetition() -> None:
    script = started(ADA, GRACE)
    script.do(GiveUp("grace", 1))
    assert script.do(GiveUp("grace", 1)) == ()
    assert script.answer == Repeated(1, 1)
    assert script.refused(Play("grace", 2, "2a")) == "seat_done"


def test_compensation_comes_off_the_time_and_never_more_than_all_of_it() -> None:
    script = started(ADA)
    moves = winning_line()
    play(script, ADA, moves[:-1], every_ms=1)
    facts = script.do(Play("ada", len(moves), moves[-1], compensation=10**9, error=7))
    assert isinstance(facts[1], Finished)
    assert (facts[1].time, facts[1].compensation, facts[1].error) == (0, len(moves) - 1, 7)


def test_finish_sends_everything_home_card_by_card() -> None:
    script = started(ADA, rules=NO_AUTOMATIC)
    moves = winning_line(NO_AUTOMATIC)
    for index, move in enumerate(moves):
        seat = script.state.seats[0]
        assert seat is not None
        assert seat.line is not None
        if seat.line.finishable:
            left = 52 - seat.line.cards_home
            facts = script.do(Finish("ada", index + 1), after_ms=10)
            assert [fact.n for fact in facts if isinstance(fact, Moved)] == list(
                range(index + 1, index + 1 + left)
            )
            assert [type(fact) for fact in facts[left:]] == [Finished, Ended]
            return
        script.do(Play("ada", index + 1, move), after_ms=10)
    pytest.fail("the offer to finish never came")


def test_finish_is_refused_before_its_time() -> None:
    assert started(ADA, GRACE).refused(Finish("ada", 1)) == "not_finishable"


def test_when_time_is_up_the_race_ends() -> None:
    script = started(ADA, GRACE, limit_ms=60_000)
    script.do(Play("ada", 1, "2a"), after_ms=59_999)
    assert script.do(Tick(), after_ms=1) == (Ended(script.now, EndReason.TIME_LIMIT),)


def test_a_move_at_the_limit_is_too_late() -> None:
    script = started(ADA, GRACE, limit_ms=60_000)
    assert script.do(Play("ada", 1, "2a"), after_ms=60_000) == (Ended(script.now, EndReason.TIME_LIMIT),)
    assert isinstance(script.answer, Rejected)
    assert script.answer.reason == "race_over"


def test_a_seat_cannot_be_left_during_the_race() -> None:
    assert started(ADA, GRACE).refused(Leave("ada")) == "started"


def test_time_never_runs_backwards() -> None:
    script = started(ADA, GRACE)
    script.do(Play("ada", 1, "2a"), after_ms=500)
    (fact,) = script.do(Play("grace", 1, "2a"), after_ms=-400)
    assert fact.at == script.now + 400


def test_an_outage_of_the_store_is_taken_off_everybodys_time() -> None:
    script = started(ADA, GRACE)
    script.do(Play("ada", 1, "2a"), after_ms=1_000)
    since = script.now + 500
    limit = deadline(script.state)
    assert limit is not None
    assert script.do(StoreReturned(since), after_ms=10_000) == (Outage(script.now, since),)
    assert script.state.time(script.now) == 1_500
    assert deadline(script.state) == limit + 9_500


def test_an_outage_is_taken_off_once_and_only_from_the_last_fact_on() -> None:
    script = started(ADA, GRACE)
    since = script.now
    script.do(Play("ada", 1, "2a"), after_ms=1_000)
    assert script.do(StoreReturned(since), after_ms=2_000) == (Outage(script.now, script.now - 2_000),)
    assert script.do(StoreReturned(since)) == ()
    assert script.state.time(script.now) == 1_000


def test_an_outage_past_the_limit_does_not_end_the_race() -> None:
    script = started(ADA, GRACE, limit_ms=60_000)
    facts = script.do(StoreReturned(script.now + 30_000), after_ms=90_000)
    assert [type(fact) for fact in facts] == [Outage]
    assert script.state.phase is Phase.RUNNING


def test_standings_rank_finishers_by_time_then_cards_home_then_fewer_moves() -> None:
    script = started(ADA, GRACE, ALAN)
    play(script, GRACE, winning_line(), every_ms=10)
    play(script, ADA, ["2a"])
    script.do(GiveUp("ada", 2))
    script.do(GiveUp("alan", 1))
    rows = standings(script.state)
    assert [(row.place, row.seat) for row in rows] == [(1, 1), (2, 2), (3, 0)]
    assert rows[0].result == Result(10 * len(winning_line()), 0, 0)


def test_equal_runs_share_a_place() -> None:
    script = started(ADA, GRACE, ALAN)
    script.do(Play("alan", 1, "2a"))
    for n, player in ((1, ADA), (1, GRACE), (2, ALAN)):
        script.do(GiveUp(player.id, n))
    assert [(row.place, row.seat) for row in standings(script.state)] == [(1, 0), (1, 1), (3, 2)]


@pytest.mark.parametrize("rules", [RELAXED, LINEAR, NO_AUTOMATIC])
def test_other_rule_sets_race_too(rules: object) -> None:
    script = started(ADA, rules=rules)  # type: ignore[arg-type]
    play(script, ADA, winning_line(NO_AUTOMATIC) if rules is not LINEAR else ["2a"])
