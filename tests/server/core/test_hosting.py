"""Who hosts when those who opened a race do not come back: somebody who sits, and everybody agrees on whom."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from cellrace_server.core.commands import Appear, Create, Join, Leave, Ready, Start, Tick, Vanish, Withdraw
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import (
    AnyFact,
    Away,
    CountdownBegan,
    CountdownStopped,
    Created,
    Ended,
    EndReason,
    HandedOn,
    HostAway,
    HostHere,
    Joined,
    Left,
    Started,
)
from cellrace_server.core.options import AWAY_MS, LOBBY_MS, Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.presence import attending
from cellrace_server.core.race import Phase, deadline
from tests.server.core.playbook import ADA, ALAN, EPOCH, GRACE, SALT, Script

ROBBY = Player("robby", "Robby", Kind.BOT)
GORT = Player("gort", "Gort", Kind.BOT)


def hosted(*players: Player, **options: Any) -> Script:
    """Ada hosts without a seat, on the connection `a1`; the others have sat down in this order."""
    script = Script(replace(Options(seats=4), **options), play=False, session="a1")
    for player in players:
        script.do(Join(player, f"{player.id}1"))
    return script


# Coming and going


def test_a_host_without_a_seat_is_there_from_the_beginning() -> None:
    script = hosted()
    assert script.facts == [Created(EPOCH, "race", ADA, script.state.options, 617, SALT, session="a1")]
    assert list(attending(script.state)) == [("ada", "a1")]
    assert script.do(Appear("ada", "a1")) == ()


def test_a_host_with_a_seat_is_there_by_the_seat_alone() -> None:
    script = Script(session="a1")
    assert script.facts[0] == Created(EPOCH, "race", ADA, script.state.options, 617, SALT)
    assert list(attending(script.state)) == [("ada", "a1")]


def test_the_hosts_going_and_coming_is_said_once() -> None:
    script = hosted(GRACE)
    assert script.do(Vanish("ada", "a1")) == (HostAway(script.now),)
    assert script.do(Vanish("ada", "a1")) == ()
    assert list(attending(script.state)) == [("grace", "grace1")]
    assert script.do(Appear("ada", "a2")) == (HostHere(script.now, "a2"),)
    assert script.do(Appear("ada", "a2")) == ()


def test_the_newest_connection_of_the_host_counts() -> None:
    script = hosted(GRACE)
    assert script.do(Appear("ada", "a2")) == (HostHere(script.now, "a2"),)
    assert script.do(Vanish("ada", "a1")) == ()
    assert script.do(Vanish("ada", "a2")) == (HostAway(script.now),)
    assert script.do(Appear("ada", "a1")) == (HostHere(script.now, "a1"),), "that one is there still"


def test_once_a_race_runs_nobody_asks_whether_its_host_looks_on() -> None:
    script = hosted(GRACE, seats=1, countdown_ms=0)
    script.do(Ready("grace"))
    script.do(Tick())
    assert script.state.phase is Phase.RUNNING
    assert script.do(Vanish("ada", "a1")) == ()
    assert script.refused(Appear("ada", "a2")) == "not_seated"
    assert script.refused(Leave("ada")) == "not_seated"


# Handing on


def test_a_host_who_stays_away_hands_on_to_who_has_sat_longest() -> None:
    script = hosted(GRACE, ALAN)
    script.do(Leave("grace"))
    script.do(Join(GRACE, "grace2"))
    assert script.player_on(0) == "grace", "on the first seat, and not for as long as Alan"
    script.do(Vanish("ada", "a1"))
    assert deadline(script.state) == script.now + AWAY_MS
    assert script.do(Tick(), after_ms=AWAY_MS - 1) == ()
    assert script.refused(Start("alan")) == "not_host"
    assert script.do(Tick(), after_ms=1) == (HandedOn(script.now, 1),)
    assert script.state.host == "alan"
    assert script.do(Start("alan")) == (CountdownBegan(script.now, script.now + 3_000),)


def test_as_long_as_seats_are_kept_a_host_who_comes_back_hosts_still() -> None:
    script = hosted(GRACE, ALAN, away_ms=20_000)
    script.do(Vanish("ada", "a1"))
    assert script.do(Appear("ada", "a2"), after_ms=19_999) == (HostHere(script.now, "a2"),)
    assert script.do(Tick(), after_ms=AWAY_MS) == ()
    assert script.do(Start("ada")) == (CountdownBegan(script.now, script.now + 3_000),)


def test_one_who_comes_back_later_is_a_spectator_like_others() -> None:
    script = hosted(GRACE, ALAN)
    script.do(Vanish("ada", "a1"))
    assert script.do(Appear("ada", "a2"), after_ms=AWAY_MS) == (HandedOn(script.now, 0),)
    assert script.refused(Start("ada")) == "not_host"
    assert script.refused(Leave("ada")) == "not_seated"
    assert script.do(Join(ADA, "a2")) == (Joined(script.now, 2, ADA, "a2"),)
    assert script.state.host == "grace"


def test_a_person_hosts_before_a_bot_and_one_who_is_there_before_one_who_is_away() -> None:
    script = hosted(ROBBY, GRACE, ALAN)
    script.do(Vanish("grace", "grace1"))
    assert script.do(Leave("ada")) == (HandedOn(script.now, 2),)
    script = hosted(ROBBY, GRACE)
    script.do(Vanish("grace", "grace1"))
    assert script.do(Leave("ada")) == (HandedOn(script.now, 1),), (
        "she comes back, or gives it on with her seat"
    )


def test_a_host_who_leaves_a_seat_hands_on_by_the_same_rule() -> None:
    script = Script(Options(seats=4))
    for player in (ROBBY, GRACE, ALAN):
        script.do(Join(player))
    assert script.do(Leave("ada")) == (Left(script.now, 0, heir=2),)
    script.do(Join(ADA))
    assert script.do(Withdraw("grace")) == (Left(script.now, 2, heir=3),)
    assert script.do(Leave("alan")) == (Left(script.now, 3, heir=0),)
    assert script.do(Leave("ada")) == (Left(script.now, 0, heir=1),)
    assert script.state.host == "robby"


def test_a_person_who_comes_does_not_wait_for_a_bot_that_was_made_the_host() -> None:
    script = hosted(ROBBY)
    assert script.do(Leave("ada")) == (HandedOn(script.now, 0),)
    assert script.do(Join(GORT)) == (Joined(script.now, 1, GORT),)
    assert script.do(Join(GRACE)) == (Joined(script.now, 2, GRACE), HandedOn(script.now, 2))
    assert script.do(Start("grace")) == (CountdownBegan(script.now, script.now + 3_000),)


def test_a_bot_that_has_opened_a_race_hosts_it() -> None:
    created = decide(None, Create("race", ROBBY, Options(seats=3), 617, SALT), EPOCH)
    assert created.race is not None
    assert decide(created.race, Join(GRACE), EPOCH).facts == (Joined(EPOCH, 1, GRACE),)


# For good


@pytest.mark.parametrize("command", [Leave("ada"), Withdraw("ada")])
def test_a_host_who_goes_for_good_hands_on_at_once(command: Leave | Withdraw) -> None:
    script = hosted(GRACE, ALAN)
    assert script.do(command) == (HandedOn(script.now, 0),)
    assert script.do(Start("grace")) == (CountdownBegan(script.now, script.now + 3_000),)


@pytest.mark.parametrize("command", [Leave("ada"), Withdraw("ada")])
def test_where_nobody_sits_a_race_is_over_that_its_host_leaves(command: Leave | Withdraw) -> None:
    script = hosted()
    assert script.do(command) == (Ended(script.now, EndReason.EMPTY),)


def test_the_host_may_leave_while_the_countdown_runs() -> None:
    script = hosted(GRACE, ALAN)
    script.do(Start("ada"))
    assert script.do(Leave("ada")) == (HandedOn(script.now, 0),)
    assert script.do(Tick(), after_ms=3_000) == (Started(script.now),)


def test_a_long_countdown_does_not_keep_the_host() -> None:
    script = hosted(GRACE, ALAN, countdown_ms=60_000, away_ms=15_000)
    script.do(Start("ada"))
    script.do(Vanish("ada", "a1"))
    assert script.do(Tick(), after_ms=15_000) == (HandedOn(script.now, 0),)
    assert script.state.phase is Phase.COUNTDOWN


def test_a_countdown_that_is_called_off_late_has_a_host_all_the_same() -> None:
    script = hosted(GRACE, ALAN, countdown_ms=60_000, away_ms=15_000)
    script.do(Start("ada"))
    script.do(Vanish("ada", "a1"))
    assert script.do(Leave("alan"), after_ms=20_000) == (
        HandedOn(script.now, 0),
        Left(script.now, 1),
        CountdownStopped(script.now),
    )


# Where nobody sits


def test_a_deserted_lobby_ends_when_it_has_been_idle() -> None:
    script = hosted()
    script.do(Vanish("ada", "a1"))
    assert deadline(script.state) == script.now + LOBBY_MS
    assert script.do(Tick(), after_ms=LOBBY_MS) == (Ended(script.now, EndReason.LOBBY_IDLE),)


def test_who_sits_down_where_the_host_is_gone_hosts() -> None:
    script = hosted()
    script.do(Vanish("ada", "a1"))
    assert script.do(Join(GRACE), after_ms=AWAY_MS) == (Joined(script.now, 0, GRACE), HandedOn(script.now, 0))


def test_who_sits_down_where_the_host_may_come_back_waits_no_longer_than_for_a_seat() -> None:
    script = hosted()
    script.do(Vanish("ada", "a1"))
    assert script.do(Join(GRACE), after_ms=AWAY_MS - 1) == (Joined(script.now, 0, GRACE),)
    assert script.do(Tick(), after_ms=1) == (HandedOn(script.now, 0),)


def test_a_host_who_comes_back_to_nobody_has_missed_nothing() -> None:
    script = hosted()
    script.do(Vanish("ada", "a1"))
    assert script.do(Appear("ada", "a2"), after_ms=2 * AWAY_MS) == (HostHere(script.now, "a2"),)
    script.do(Join(GRACE))
    assert script.state.host == "ada"


def test_a_host_who_comes_back_to_a_seat_is_there() -> None:
    script = hosted(GRACE)
    script.do(Vanish("ada", "a1"))
    script.do(Join(ADA, "a2"), after_ms=AWAY_MS - 1)
    assert script.do(Tick(), after_ms=AWAY_MS) == ()
    assert (script.state.host, script.state.host_away) == ("ada", 0)
    assert script.do(Vanish("ada", "a2")) == (Away(script.now, 1),)


def test_when_all_are_gone_the_race_is_over() -> None:
    script = hosted(GRACE)
    script.do(Vanish("ada", "a1"))
    script.do(Vanish("grace", "grace1"), after_ms=10)
    assert script.do(Tick(), after_ms=AWAY_MS) == (
        HandedOn(script.now, 0),
        Left(script.now, 0),
        Ended(script.now, EndReason.EMPTY),
    )


# Logs of before


def test_in_an_old_log_the_first_seat_has_inherited_and_a_host_who_is_not_named_may_be_missed() -> None:
    created = Created(EPOCH, "race", ADA, Options(seats=3), 617, SALT)
    race = fold(
        [created, Joined(EPOCH, 0, ADA), Joined(EPOCH, 1, ROBBY), Joined(EPOCH, 2, GRACE), Left(EPOCH, 0)]
    )
    assert race is not None
    assert race.host == "robby"
    race = fold([created, Joined(EPOCH, 0, GRACE)])
    assert decide(race, Tick(), EPOCH + AWAY_MS).facts == ()
    assert decide(race, Vanish("ada", ""), EPOCH).facts == (HostAway(EPOCH),)


@pytest.mark.parametrize(
    ("stored", "fact"),
    [
        (["left", EPOCH, 1], Left(EPOCH, 1)),
        (["left", EPOCH, 1, 2], Left(EPOCH, 1, heir=2)),
        (["host_here", EPOCH, "a1"], HostHere(EPOCH, "a1")),
        (["host_away", EPOCH], HostAway(EPOCH)),
        (["handed_on", EPOCH, 3], HandedOn(EPOCH, 3)),
    ],
)
def test_facts_are_stored_so_for_good(stored: list[object], fact: AnyFact) -> None:
    assert msgspec.convert(stored, AnyFact) == fact
