"""Whom a race rates, and in which order they came."""

from msgspec.structs import replace

from cellrace_server.core.commands import Close, GiveUp, Join, Play, Ready, Tick, Vanish
from cellrace_server.core.options import MINUTE, Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Race
from cellrace_server.core.ratings import (
    SYSTEM,
    Finishers,
    Pool,
    Rated,
    changes,
    rated_by,
    rested,
)
from tests.server.core.playbook import ADA, ALAN, GRACE, Script
from tests.support.lines import winning_line

RANKED = Options(seats=3, ranked=True, countdown_ms=0)
DAY = 86_400_000
ROBOT, GOLEM = Player("robot", "Robot", Kind.BOT), Player("golem", "Golem", Kind.BOT)


def running(options: Options = RANKED, *others: Player) -> Script:
    script = Script(replace(options, seats=1 + len(others)))
    for player in others:
        script.do(Join(player))
    for player in (ADA, *others):
        script.do(Ready(player.id))
    script.do(Tick())
    assert script.state.phase == "running"
    return script


def win(script: Script, player: Player, after_ms: int = 0) -> None:
    for n, move in enumerate(winning_line(), 1):
        script.do(Play(player.id, n, move), after_ms if n == 1 else 0)


def rated(race: Race) -> list[tuple[str, list[str], list[int]]]:
    return [
        (finishers.pool.kind.value, [player.id for player in finishers.players], list(finishers.places))
        for finishers in rated_by(race)
    ]


def test_finishers_by_time_then_who_tried_then_who_abandoned() -> None:
    script = running(RANKED, GRACE, ALAN)
    win(script, GRACE)
    script.do(Play("alan", 1, "2a"))
    script.do(Play("ada", 1, "2a"))
    script.do(GiveUp("ada", 2))
    assert rated(script.state) == []
    script.do(Tick(), 30 * MINUTE)
    assert rated(script.state) == [("human", ["ada", "grace", "alan"], [3, 1, 2])]


def test_abandoning_loses_to_all_who_did_not_whatever_was_home() -> None:
    script = running(RANKED, GRACE, ALAN)
    for n, move in enumerate(winning_line()[:-1], 1):
        script.do(Play("ada", n, move))
    script.do(GiveUp("ada", len(winning_line())))
    script.do(GiveUp("grace", 1))
    script.do(Tick(), 30 * MINUTE)
    assert rated(script.state) == [("human", ["ada", "grace", "alan"], [2, 2, 1])]


def test_being_gone_at_the_end_is_abandoning_and_having_been_away_is_not() -> None:
    script = running(RANKED, GRACE)
    script.do(Play("ada", 1, "2a"))
    script.do(Vanish("grace", script.state.seats[1].session))  # type: ignore[union-attr]
    script.do(Tick(), 30 * MINUTE)
    assert rated(script.state) == [("human", ["ada", "grace"], [1, 2])]


def test_equal_times_are_a_draw() -> None:
    script = running(RANKED, GRACE)
    win(script, ADA, 5_000)
    win(script, GRACE)
    assert rated(script.state) == [("human", ["ada", "grace"], [1, 1])]


def test_people_and_bots_are_rated_apart_and_nobody_alone() -> None:
    script = running(RANKED, GRACE, ROBOT, GOLEM)
    for player in (ROBOT, GRACE, GOLEM, ADA):
        win(script, player, 5_000)
    assert rated(script.state) == [("human", ["ada", "grace"], [2, 1]), ("bot", ["robot", "golem"], [1, 2])]
    script = running(RANKED, ROBOT)
    win(script, ADA)
    script.do(GiveUp("robot", 1))
    assert script.state.phase == "ended"
    assert rated(script.state) == []


def test_friendly_daily_closed_and_unstarted_races_rate_nobody() -> None:
    friendly = running(replace(RANKED, ranked=False), GRACE)
    win(friendly, ADA)
    friendly.do(GiveUp("grace", 1))
    closed = running(RANKED, GRACE)
    win(closed, ADA)
    closed.do(Close())
    never = Script(RANKED)
    never.do(Tick(), 10 * MINUTE)
    for script in (friendly, closed, never):
        assert script.state.phase == "ended"
        assert rated(script.state) == []


def test_a_change_says_what_it_was_made_from_and_what_it_made() -> None:
    pool = Pool("classic")
    assert pool.name == "rating:classic:human"
    known = Rated(ADA, 1_600, 80, 0.03, 9, 1_000)
    both = changes("race", 2_000, Finishers(pool, (ADA, GRACE), (2, 1)), (known, None))
    ada, grace = both
    assert (ada.before, ada.rated.races, ada.rated.provisional, ada.rated.at) == (9, 10, False, 2_000)
    assert (grace.before, grace.rated.races, grace.rated.provisional) == (0, 1, True)
    assert ada.rated.value < 1_600 < 1_700 < grace.rated.value + 100
    assert [(c.step.race, c.step.place, c.step.players, c.step.rating) for c in both] == [
        ("race", 2, 2, ada.rated.shown),
        ("race", 1, 2, grace.rated.shown),
    ]


def test_the_longer_away_the_less_certain() -> None:
    known = Rated(ADA, 1_600, 50, 0.03, 40, 5 * DAY)
    assert rested(known, 4 * DAY) == (1_600, 50, 0.03)
    weeks = [rested(known, (5 + 7 * week) * DAY).deviation for week in range(200)]
    assert weeks == sorted(weeks)
    assert weeks[0] == 50
    assert weeks[-1] == SYSTEM.deviation
    assert weeks[52] < 200
