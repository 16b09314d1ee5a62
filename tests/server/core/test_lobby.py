"""Before the start: seats, readiness, countdown."""

import pytest

from cellrace_engine import POCKET
from cellrace_server.core.commands import Create, GiveUp, Join, Leave, Play, Ready, Start, Tick, WelcomeBots
from cellrace_server.core.decide import decide
from cellrace_server.core.facts import (
    BotsWelcome,
    CountdownBegan,
    CountdownStopped,
    Created,
    Ended,
    EndReason,
    Joined,
    Left,
    Readied,
    Started,
)
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Player
from cellrace_server.core.race import Phase, deadline
from tests.server.core.playbook import ADA, ALAN, EPOCH, GRACE, SALT, Script


def test_who_waits_may_welcome_bots_and_change_their_mind() -> None:
    """That is nobody's business any more once the countdown has begun."""
    script = Script(Options(seats=2))
    assert script.do(WelcomeBots("ada", True)) == ()
    assert script.do(WelcomeBots("ada", False)) == (BotsWelcome(EPOCH, 0, False),)
    assert script.refused(WelcomeBots("grace", True)) == "not_seated"
    script.do(Join(GRACE, bots_welcome=False))
    assert [seat and seat.bots_welcome for seat in script.state.seats] == [False, False]
    for player in ("ada", "grace"):
        script.do(Ready(player))
    assert script.do(WelcomeBots("ada", True)) == ()


def test_a_race_begins_with_its_host_on_the_first_seat() -> None:
    script = Script()
    assert [type(fact) for fact in script.facts] == [Created, Joined]
    assert script.state.seat_of("ada") == 0
    assert script.state.number == 2


def test_a_host_may_only_host() -> None:
    script = Script(play=False)
    assert [type(fact) for fact in script.facts] == [Created]
    assert script.state.host == "ada"
    assert script.state.seat_of("ada") == -1


@pytest.mark.parametrize(
    ("options", "deal", "fault"),
    [
        (Options(seats=0), 617, "seats is 0"),
        (Options(seats=17), 617, "seats is 17"),
        (Options(limit_ms=0), 617, "limit_ms is 0"),
        (Options(), 0, "0"),
        (Options(), 2**33, str(2**33)),
    ],
)
def test_terms_that_cannot_be_raced_are_refused(options: Options, deal: int, fault: str) -> None:
    outcome = decide(None, Create("race", ADA, options, deal, SALT), EPOCH)
    assert outcome.facts == ()
    assert outcome.race is None
    assert isinstance(outcome.answer, Rejected)
    assert outcome.answer.reason == "bad_options"
    assert fault in outcome.answer.text


def test_nothing_happens_in_a_race_that_does_not_exist() -> None:
    outcome = decide(None, Join(ADA), EPOCH)
    assert isinstance(outcome.answer, Rejected)
    assert outcome.answer.reason == "not_found"


def test_a_race_is_created_once() -> None:
    script = Script()
    assert script.refused(Create("race", GRACE, Options(), 1, SALT)) == "race_exists"


def test_joining_takes_the_first_free_seat_once() -> None:
    script = Script(Options(seats=3))
    assert script.do(Join(GRACE)) == (Joined(EPOCH, 1, GRACE),)
    assert script.do(Join(GRACE)) == ()
    assert script.answer is None
    script.do(Leave("ada"))
    assert script.do(Join(ALAN)) == (Joined(EPOCH, 0, ALAN),)


def test_a_full_race_takes_nobody() -> None:
    script = Script()
    script.do(Join(GRACE))
    assert script.refused(Join(ALAN)) == "full"


def test_when_all_seats_are_ready_the_countdown_begins_and_ends_in_the_start() -> None:
    script = Script(Options(countdown_ms=3_000))
    script.do(Join(GRACE))
    assert script.do(Ready("ada")) == (Readied(EPOCH, 0, True),)
    assert script.do(Ready("grace")) == (Readied(EPOCH, 1, True), CountdownBegan(EPOCH, EPOCH + 3_000))
    assert deadline(script.state) == EPOCH + 3_000
    assert script.do(Tick(), after_ms=2_999) == ()
    assert script.do(Tick(), after_ms=1) == (Started(EPOCH + 3_000),)
    assert script.state.phase is Phase.RUNNING


def test_a_seat_that_is_free_keeps_the_race_from_starting_by_itself() -> None:
    script = Script(Options(seats=3))
    script.do(Join(GRACE))
    script.do(Ready("ada"))
    script.do(Ready("grace"))
    assert script.state.phase is Phase.LOBBY


def test_the_host_may_start_with_whoever_is_there() -> None:
    script = Script(Options(seats=3))
    assert script.refused(Start("ada")) == "too_few"
    script.do(Join(GRACE))
    assert script.refused(Start("grace")) == "not_host"
    assert script.do(Start("ada")) == (CountdownBegan(EPOCH, EPOCH + 3_000),)
    assert script.refused(Start("ada")) == "starting"
    script.do(Tick(), after_ms=3_000)
    assert script.state.seats[2] is None


def test_nobody_joins_or_changes_their_mind_during_the_countdown() -> None:
    script = Script(Options(seats=3))
    script.do(Join(GRACE))
    script.do(Start("ada"))
    assert script.refused(Join(ALAN)) == "starting"
    assert script.refused(Ready("grace", ready=False)) == "starting"
    assert script.do(Ready("grace")) == ()
    assert script.answer is None


def test_readiness_can_be_taken_back() -> None:
    script = Script()
    script.do(Ready("ada"))
    assert script.do(Ready("ada")) == ()
    assert script.do(Ready("ada", ready=False)) == (Readied(EPOCH, 0, False),)


def test_leaving_during_the_countdown_stops_it_when_too_few_are_left() -> None:
    script = Script(Options(seats=3))
    script.do(Join(GRACE))
    script.do(Ready("ada"))
    script.do(Start("ada"))
    assert script.do(Leave("grace")) == (Left(EPOCH, 1), CountdownStopped(EPOCH))
    assert script.state.phase is Phase.LOBBY
    assert all(seat is None or not seat.ready for seat in script.state.seats)


def test_leaving_during_the_countdown_leaves_it_running_when_enough_are_left() -> None:
    script = Script(Options(seats=3))
    script.do(Join(GRACE))
    script.do(Join(ALAN))
    script.do(Start("ada"))
    assert script.do(Leave("alan")) == (Left(EPOCH, 2),)
    assert script.state.phase is Phase.COUNTDOWN


def test_who_only_hosts_learns_of_the_end_when_spectators_do() -> None:
    script = Script(Options(seats=1, countdown_ms=0, delay_ms=5_000), play=False)
    script.do(Join(GRACE, "g1"))
    script.do(Ready("grace"))
    script.do(Tick())
    assert script.state.phase is Phase.RUNNING
    script.do(GiveUp("grace", 1))
    assert script.refused(Start("ada")) == "started"
    assert script.refused(Start("ada"), after_ms=5_000) == "race_over"


def test_a_host_who_leaves_hands_the_race_on() -> None:
    script = Script()
    script.do(Join(GRACE))
    script.do(Leave("ada"))
    assert script.state.host == "grace"


def test_a_race_that_everybody_has_left_is_over() -> None:
    script = Script()
    assert script.do(Leave("ada")) == (Left(EPOCH, 0), Ended(EPOCH, EndReason.EMPTY))
    assert script.refused(Join(GRACE)) == "race_over"
    assert deadline(script.state) is None


def test_a_race_that_nobody_starts_is_closed() -> None:
    script = Script(Options(lobby_ms=60_000))
    script.do(Ready("ada"), after_ms=59_999)
    assert script.do(Tick(), after_ms=60_000) == (Ended(script.now, EndReason.LOBBY_IDLE),)


def test_a_passed_deadline_comes_before_the_command_that_finds_it() -> None:
    script = Script(Options(lobby_ms=60_000))
    facts = script.do(Join(GRACE), after_ms=60_000)
    assert facts == (Ended(script.now, EndReason.LOBBY_IDLE),)
    assert isinstance(script.answer, Rejected)


def test_those_without_a_seat_are_told_so() -> None:
    script = Script()
    for command in (Leave("alan"), Ready("alan"), Play("alan", 1, "26")):
        assert script.refused(command) == "not_seated"


def test_a_race_alone_starts_when_its_only_player_is_ready() -> None:
    script = Script(Options(seats=1, countdown_ms=0))
    facts = script.do(Ready("ada"))
    assert [type(fact) for fact in facts] == [Readied, CountdownBegan]
    assert [type(fact) for fact in script.do(Tick())] == [Started]


def test_the_deal_has_the_cells_of_the_rules() -> None:
    assert str(Script(Options(rules=POCKET)).state.code) == "FC1-C4-AAAAATJ"


def test_a_player_is_known_by_id_not_by_name() -> None:
    script = Script()
    script.do(Join(Player("other", "Ada")))
    assert script.state.seat_of("other") == 1
