"""Which boards a run goes to."""

import msgspec
import pytest

from cellrace_engine import parse_rules
from cellrace_server.core.boards import Board, Measure, Sight, entries, measures, value
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.runs import Run

CODE = "FC1-C4-AAAAATJ"
LATE_EVENING = 1_796_083_080_000
"""30 November 2026, 23:58 UTC, a Monday."""

RUN = Run(
    "race-0",
    Player("ada", "Ada"),
    CODE,
    "classic",
    61_000,
    70,
    LATE_EVENING + 300_000,
    "race",
    started=LATE_EVENING,
    first=True,
)


def names(run: Run) -> set[str]:
    return {entry.board for entry in entries(run)}


def test_a_friendly_run_goes_to_the_boards_of_its_deal() -> None:
    assert set(entries(RUN)) == {
        (f"deal:{CODE}:classic:human:time:any", 61_000),
        (f"deal:{CODE}:classic:human:time:first", 61_000),
        (f"deal:{CODE}:classic:human:moves:any", 70),
        (f"deal:{CODE}:classic:human:moves:first", 70),
    }


def test_a_ranked_run_goes_to_those_of_the_day_and_the_week_of_its_start_too() -> None:
    """Started at 23:58 UTC and finished at 00:03: the first day, wherever the player is."""
    ranked = msgspec.structs.replace(RUN, ranked=True)
    assert {board.removesuffix(":classic:human:time:any") for board in names(ranked)} >= {
        f"deal:{CODE}",
        "day:2026-11-30",
        "week:2026-11-30",
        "ever",
    }
    assert not any("12-01" in board for board in names(ranked))
    assert len(names(ranked)) == 4 * 2 * 2


def test_a_run_on_a_deal_seen_before_is_never_among_first_sights() -> None:
    practised = msgspec.structs.replace(RUN, ranked=True, first=False)
    assert not any(board.endswith(":first") for board in names(practised))
    assert sum(board.endswith(":practised") for board in names(practised)) == 4 * 2


def test_a_run_on_the_deal_of_a_day_is_on_no_board_that_others_look_at() -> None:
    """Rows name deals, and this one is secret while the day lasts."""
    attempt = msgspec.structs.replace(RUN, ranked=True, daily="2026-11-30")
    practice = msgspec.structs.replace(RUN, daily="2026-11-30", practice=True)
    for run, scope in ((attempt, "daily"), (practice, "practice")):
        board = f"{scope}:2026-11-30:classic:human"
        assert entries(run) == ((f"{board}:time:any", 61_000), (f"{board}:moves:any", 70))


def test_a_day_under_rules_that_give_points_has_a_board_of_scores() -> None:
    attempt = msgspec.structs.replace(RUN, ranked=True, daily="2026-11-30", rules="pocket+cells=2", score=900)
    assert entries(attempt)[-1] == ("daily:2026-11-30:pocket+cells=2:human:score:any", -900)


def test_people_and_bots_share_no_board() -> None:
    bots = msgspec.structs.replace(RUN, player=Player("robot", "Robot", Kind.BOT), ranked=True)
    people = msgspec.structs.replace(RUN, ranked=True)
    assert not names(bots) & names(people)


@pytest.mark.parametrize("rules", ["classic", "linear", "relaxed", "pocket", "pocket+points_to_foundation=0"])
def test_rules_without_points_have_no_board_of_scores(rules: str) -> None:
    has_points = rules not in ("classic", "linear")
    assert (Measure.SCORE in measures(parse_rules(rules))) == has_points
    run = msgspec.structs.replace(RUN, rules=rules, score=900)
    scores = {entry.value for entry in entries(run) if ":score:" in entry.board}
    assert scores == ({-900} if has_points else set())


def test_the_higher_score_the_less_time_and_the_fewer_moves_are_the_best() -> None:
    better = msgspec.structs.replace(RUN, time=RUN.time - 1, moves=RUN.moves - 1, score=RUN.score + 1)
    for measure in Measure:
        assert value(better, measure) < value(RUN, measure)


def test_no_two_boards_have_one_name() -> None:
    boards = {
        Board(scope, rules, kind, by, sight).name
        for scope in ("ever", "day:2026-11-30", "week:2026-11-30", f"deal:{CODE}")
        for rules in ("classic", "pocket", "pocket+cells=2")
        for kind in Kind
        for by in Measure
        for sight in Sight
    }
    assert len(boards) == 4 * 3 * 2 * 3 * 3
