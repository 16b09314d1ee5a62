"""What the list says of a race, and when a house bot may come."""

import pytest
from msgspec.structs import replace

from cellrace_server.core.commands import AnyCommand, Appear, Join, Leave, Ready, Tick, Vanish, WelcomeBots
from cellrace_server.core.facts import Series
from cellrace_server.core.listing import BOT_AFTER_MS, entry_of, unsettled_for_spectators, wants_a_bot
from cellrace_server.core.options import Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Race
from tests.server.core.playbook import ADA, EPOCH, GRACE, Script, started

BOT = Player("robin", "Robin", Kind.BOT)


def listed(race: Race, created: int, now: int) -> bool:
    entry = entry_of(race, created, now)
    return entry is not None and entry.listed


def test_a_private_race_and_one_that_is_over_are_not_listed() -> None:
    private = Script(Options(public=False)).state
    assert not listed(private, EPOCH, EPOCH)
    assert entry_of(private, EPOCH, EPOCH) is not None, "nodes are told, for those who sit in it"
    script = Script()
    assert listed(script.state, EPOCH, EPOCH)
    script.do(Leave("ada"))
    assert entry_of(script.state, EPOCH, EPOCH) is None


def test_a_race_that_waits_for_somebody_who_is_away_is_not_listed_until_they_are_back() -> None:
    script = Script(Options())
    script.do(Appear("ada", "a1"))
    script.do(Vanish("ada", "a1"))
    assert not listed(script.state, 0, script.now)
    script.do(Join(GRACE, "g1"))
    assert listed(script.state, 0, script.now), "somebody is there"
    script.do(Vanish("grace", "g1"))
    assert not listed(script.state, 0, script.now)
    script.do(Appear("ada", "a2"))
    assert listed(script.state, 0, script.now)


def test_a_rematch_is_listed_when_spectators_have_seen_the_race_before_to_its_end() -> None:
    race = replace(Script().state, series=Series(shown_from=EPOCH + 5_000))
    assert not listed(race, EPOCH, EPOCH + 4_999)
    assert unsettled_for_spectators(race, EPOCH + 4_999)
    assert listed(race, EPOCH, EPOCH + 5_000)
    assert not unsettled_for_spectators(race, EPOCH + 5_000)


def test_a_bot_may_come_when_one_person_has_been_alone_for_a_while() -> None:
    script = Script(Options(seats=2))
    entry = entry_of(script.state, EPOCH, EPOCH)
    assert entry is not None
    assert entry.bot_from == EPOCH + BOT_AFTER_MS
    script.do(Ready("ada"), after_ms=700)
    entry = entry_of(script.state, EPOCH, EPOCH)
    assert entry is not None
    assert (entry.since, entry.bot_from) == (EPOCH + 700, EPOCH + 700 + BOT_AFTER_MS)


@pytest.mark.parametrize(
    ("options", "commands"),
    [
        (Options(seats=1), []),
        (Options(bots=False), []),
        (Options(ranked=True), []),
        (Options(), [Join(GRACE)]),
        (Options(seats=3), [Join(BOT)]),
        (Options(seats=3), [Join(BOT), Leave("ada")]),
        (Options(), [Leave("ada"), Tick()]),
        (Options(), [WelcomeBots("ada", False)]),
        (Options(), [Vanish("ada", "")]),
    ],
    ids=[
        "one seat",
        "people only",
        "ranked",
        "two people",
        "a bot is there",
        "a bot alone",
        "nobody",
        "unwelcome",
        "away",
    ],
)
def test_otherwise_none_may(options: Options, commands: list[AnyCommand]) -> None:
    script = Script(options)
    for command in commands:
        script.do(command)
    assert not wants_a_bot(script.state)
    entry = entry_of(script.state, EPOCH, EPOCH)
    assert entry is None or entry.bot_from == 0


def test_none_may_come_to_a_race_that_runs() -> None:
    assert not wants_a_bot(started(ADA, GRACE).state)
