"""Meeting again, the score of a series, and who may sit where."""

from typing import Any

import pytest

from cellrace_server.core.commands import Create, GiveUp, Join, Rematch
from cellrace_server.core.decide import decide
from cellrace_server.core.facts import Rematched, Series
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.rematch import next_series
from tests.server.core.playbook import ADA, ALAN, FIRST, GRACE, SALT, Script, play, started
from tests.support.lines import winning_line

BOT = Player("bot", "Bot", Kind.BOT)


def over(winner: Player | None, series: Series = FIRST, **options: Any) -> Script:
    """A race of Ada and Grace that one of them has won, or nobody."""
    script = started(ADA, GRACE, series=series, **options)
    if winner is not None:
        play(script, winner, winning_line())
    for player in (ADA, GRACE):
        if player is not winner:
            script.do(GiveUp(player.id, 1))
    assert script.state.phase is Phase.ENDED
    return script


def test_everybody_is_told_once() -> None:
    script = over(ADA)
    assert script.do(Rematch("grace", "next")) == (Rematched(script.now, "next"),)
    assert script.do(Rematch("ada", "another")) == ()
    assert script.answer is None
    assert script.state.rematch == "next"


def test_only_players_ask_and_only_after_the_end() -> None:
    assert over(None).refused(Rematch("alan", "next")) == "not_seated"
    assert started(ADA, GRACE).refused(Rematch("ada", "next")) == "not_over"


def stands(race: Race) -> tuple[int, dict[str, int]]:
    """Number and wins of the race after this one."""
    after = next_series(race)
    return after.game, after.wins


@pytest.mark.parametrize("best_of", [1, 3])
def test_spectators_know_of_the_next_race_when_they_have_seen_the_end_of_this(best_of: int) -> None:
    race = over(ADA, best_of=best_of, delay_ms=5_000).state
    assert next_series(race).shown_from == race.ended + 5_000


def test_a_win_counts_and_a_race_without_a_winner_does_not() -> None:
    assert stands(over(ADA, best_of=3).state) == (2, {"ada": 1})
    assert stands(over(None, best_of=3).state) == (2, {})


def test_a_single_race_begins_anew_every_time() -> None:
    assert stands(over(ADA).state) == (1, {})


def test_a_series_that_is_decided_begins_anew() -> None:
    race = over(ADA, best_of=3, series=Series(2, {"ada": 1})).state
    assert stands(race) == (1, {})
    race = over(GRACE, best_of=3, series=Series(2, {"ada": 1})).state
    assert stands(race) == (3, {"ada": 1, "grace": 1})


def test_a_series_has_no_more_races_than_were_agreed() -> None:
    race = over(None, best_of=3, series=Series(3, {"ada": 1, "grace": 1})).state
    assert stands(race) == (1, {})


def test_a_shared_win_counts_for_all_who_share_it() -> None:
    script = started(ADA, GRACE, best_of=3)
    moves = winning_line()
    play(script, ADA, moves[:-1], every_ms=0)
    play(script, GRACE, moves[:-1], every_ms=0)
    play(script, ADA, moves[-1:], every_ms=0)
    play(script, GRACE, moves[-1:], every_ms=0)
    assert stands(script.state) == (2, {"ada": 1, "grace": 1})


def test_a_race_for_people_takes_no_bots_as_host_or_guest() -> None:
    script = Script(Options(seats=3, bots=False))
    assert script.refused(Join(BOT)) == "no_bots"
    assert script.do(Join(ALAN))
    outcome = decide(None, Create("race", BOT, Options(bots=False), 617, SALT), script.now)
    assert isinstance(outcome.answer, Rejected)
    assert outcome.answer.reason == "no_bots"


def test_race_time_stands_still_after_the_end() -> None:
    script = over(ADA)
    at_the_end = script.state.time(script.now)
    script.do(Rematch("grace", "next"), after_ms=60_000)
    assert script.state.time(script.state.at) == at_the_end > 0


def test_a_daily_has_no_rematch() -> None:
    """It would be a race on terms that hold for one player and one day."""
    script = started(ADA, daily="1970-01-01", practice=True)
    script.do(GiveUp("ada", 1))
    assert script.refused(Rematch("ada", "next")) == "bad_options"
