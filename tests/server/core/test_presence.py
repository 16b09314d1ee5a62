"""Who is there, as the race knows it: facts once, seats kept or given back, and a start that waits."""

from typing import Any

import pytest

from cellrace_server.core.commands import Appear, Close, Join, Leave, Ready, Start, Tick, Vanish, Withdraw
from cellrace_server.core.facts import (
    Away,
    CountdownBegan,
    CountdownStopped,
    Ended,
    EndReason,
    GaveUp,
    Here,
    Joined,
    Left,
    Readied,
    Started,
)
from cellrace_server.core.options import AWAY_MS, Options
from cellrace_server.core.race import Phase, deadline
from cellrace_server.core.secrecy import deal_is_public, salt_is_public
from tests.server.core.playbook import ADA, ALAN, GRACE, Script, started


def lobby(**options: Any) -> Script:
    """Ada and Grace, each on a connection of their own."""
    script = Script(Options(**options))
    script.do(Appear("ada", "a1"))
    script.do(Join(GRACE, "g1"))
    return script


def test_who_joins_is_there_and_nothing_more_is_said() -> None:
    script = lobby()
    assert isinstance(script.facts[-1], Joined)
    assert script.do(Appear("grace", "g1")) == ()


def test_coming_and_going_is_said_once() -> None:
    script = lobby()
    assert script.do(Vanish("grace", "g1")) == (Away(script.now, 1),)
    assert script.do(Vanish("grace", "g1")) == ()
    assert script.do(Appear("grace", "g2")) == (Here(script.now, 1, "g2"),)
    assert script.do(Appear("grace", "g2")) == ()


def test_the_newest_connection_has_the_seat_and_the_end_of_an_older_one_means_nothing() -> None:
    script = lobby()
    assert script.do(Appear("grace", "g2")) == (Here(script.now, 1, "g2"),)
    assert script.do(Vanish("grace", "g1")) == ()
    assert script.do(Vanish("grace", "g2")) == (Away(script.now, 1),)


def test_who_is_no_more_gives_the_seat_back_before_the_start_and_gives_up_after_it() -> None:
    script = lobby()
    assert script.do(Withdraw("grace")) == (Left(script.now, 1),)
    assert script.do(Withdraw("grace")) == ()
    script.do(Join(GRACE, "g1"))
    script.do(Ready("ada"))
    script.do(Ready("grace"))
    assert script.do(Withdraw("grace")) == (Left(script.now, 1), CountdownStopped(script.now))
    assert script.do(Withdraw("ada")) == (Left(script.now, 0), Ended(script.now, EndReason.EMPTY))
    assert script.do(Withdraw("ada")) == ()
    script = started(ADA, GRACE)
    assert script.do(Withdraw("ada")) == (GaveUp(script.now, 0, 1),)
    assert script.do(Withdraw("ada")) == ()
    assert script.do(Withdraw("grace"))[-1] == Ended(script.now, EndReason.ALL_DONE)


def test_one_without_a_seat_is_not_there() -> None:
    script = lobby()
    assert script.refused(Appear("alan", "x")) == "not_seated"
    assert script.do(Vanish("alan", "x")) == ()


def test_before_the_start_the_seat_of_one_who_stays_away_is_given_back() -> None:
    script = lobby()
    script.do(Vanish("grace", "g1"))
    assert deadline(script.state) == script.now + AWAY_MS
    assert script.do(Tick(), after_ms=AWAY_MS - 1) == ()
    assert script.do(Tick(), after_ms=1) == (Left(script.now, 1),)
    assert script.do(Join(ALAN, "x")) == (Joined(script.now, 1, ALAN, "x"),)


def test_coming_back_in_time_keeps_the_seat() -> None:
    script = lobby()
    script.do(Vanish("grace", "g1"))
    script.do(Appear("grace", "g2"), after_ms=AWAY_MS - 1)
    assert script.do(Tick(), after_ms=AWAY_MS) == ()
    assert script.state.seat_of("grace") == 1


def test_a_telephone_that_slept_for_two_minutes_comes_back_in_place() -> None:
    """Its player alone in the race at first: who was sent the link finds it open, and the host is who it was."""
    script = Script(Options())
    script.do(Appear("ada", "a1"))
    script.do(Vanish("ada", "a1"))
    script.do(Join(GRACE, "g1"), after_ms=60_000)
    script.do(Ready("grace"))
    assert script.do(Appear("ada", "a2"), after_ms=60_000) == (Here(script.now, 0, "a2"),)
    assert (script.state.host, script.state.seat_of("ada")) == ("ada", 0)
    script.do(Ready("ada"))
    assert script.state.phase is Phase.COUNTDOWN
    script.do(Tick(), after_ms=3_000)
    script.do(Vanish("ada", "a2"))
    assert script.do(Appear("ada", "a3"), after_ms=120_000) == (Here(script.now, 0, "a3"),)


def test_one_who_comes_back_too_late_finds_the_seat_given_back() -> None:
    script = lobby()
    script.do(Vanish("grace", "g1"))
    assert script.do(Appear("grace", "g2"), after_ms=AWAY_MS) == (Left(script.now, 1),)
    assert script.answer is not None


def test_a_race_whose_players_have_all_vanished_is_over() -> None:
    script = lobby()
    script.do(Vanish("ada", "a1"))
    script.do(Vanish("grace", "g1"), after_ms=10)
    assert script.do(Tick(), after_ms=AWAY_MS) == (
        Left(script.now, 0, heir=1),
        Left(script.now, 1),
        Ended(script.now, EndReason.EMPTY),
    )


def test_a_countdown_that_the_absent_one_misses_is_called_off() -> None:
    script = lobby(countdown_ms=60_000, away_ms=15_000)
    script.do(Start("ada"))
    script.do(Vanish("grace", "g1"))
    assert script.do(Tick(), after_ms=15_000) == (Left(script.now, 1), CountdownStopped(script.now))


def test_a_short_countdown_goes_on_and_the_seat_stays_taken() -> None:
    script = lobby(countdown_ms=3_000)
    script.do(Start("ada"))
    script.do(Vanish("grace", "g1"))
    assert script.do(Tick(), after_ms=3_000) == (Started(script.now),)
    assert script.do(Tick(), after_ms=10 * AWAY_MS) == ()
    assert script.state.seat_of("grace") == 1
    assert script.do(Appear("grace", "g2")) == (Here(script.now, 1, "g2"),)


def test_nobody_starts_by_being_ready_while_somebody_is_away() -> None:
    """A race of strangers does not begin against one who has vanished."""
    script = lobby()
    script.do(Ready("grace"))
    script.do(Vanish("grace", "g1"))
    assert script.do(Ready("ada")) == (Readied(script.now, 0, True),)
    assert script.do(Appear("grace", "g2"), after_ms=50) == (
        Here(script.now, 1, "g2"),
        CountdownBegan(script.now, script.now + 3_000),
    )


def test_the_host_need_not_wait_for_those_away() -> None:
    script = lobby()
    script.do(Vanish("grace", "g1"))
    assert script.do(Start("ada")) == (CountdownBegan(script.now, script.now + 3_000),)


def test_in_a_race_that_is_over_nobody_comes_or_goes() -> None:
    script = lobby()
    script.do(Leave("ada"))
    script.do(Leave("grace"))
    assert script.state.phase is Phase.ENDED
    assert script.do(Vanish("grace", "g1")) == ()


@pytest.mark.parametrize("phase", list(Phase))
def test_the_operator_closes_a_race_in_any_phase_and_its_secret_stays_one(phase: Phase) -> None:
    script = started(ADA, GRACE) if phase in (Phase.RUNNING, Phase.ENDED) else lobby()
    if phase is Phase.COUNTDOWN:
        script.do(Start("ada"))
    if phase is Phase.ENDED:
        script.do(Close())
        assert script.refused(Close()) == "race_over"
        return
    assert script.do(Close())[-1] == Ended(script.now, EndReason.CLOSED)
    ran = phase is Phase.RUNNING
    assert (deal_is_public(script.state), salt_is_public(script.state)) == (ran, ran)
