"""Who waits alone for strangers may go on against a ghost."""

import pytest

from cellrace_server.core.commands import (
    AnyCommand,
    FallBack,
    Join,
    Leave,
    Ready,
    Rematch,
    Vanish,
    WelcomeBots,
)
from cellrace_server.core.facts import BotsWelcome, Ended, EndReason, Rematched
from cellrace_server.core.lobby import awaits_ghost
from cellrace_server.core.race import Phase
from tests.server.core.playbook import EPOCH, GRACE, Script

WISH = WelcomeBots("ada", True, "run-0")


def alone() -> Script:
    script = Script()
    script.do(WISH)
    script.do(Ready("ada"))
    return script


def test_the_wish_for_a_ghost_is_a_fact_and_the_last_word_counts() -> None:
    script = Script()
    assert script.do(WISH) == (BotsWelcome(EPOCH, 0, True, "run-0"),)
    assert script.do(WISH) == ()
    assert script.do(WelcomeBots("ada", True)) == (BotsWelcome(EPOCH, 0, True),)
    assert script.do(WelcomeBots("ada", False)) == (BotsWelcome(EPOCH, 0, False),)


def test_the_race_ends_and_says_where_it_goes_on_in_one() -> None:
    script = alone()
    facts = script.do(FallBack("ada", "other"), after_ms=10_000)
    assert facts == (Ended(script.now, EndReason.GHOST), Rematched(script.now, "other"))
    assert script.do(FallBack("ada", "other")) == ()
    assert script.answer is None, "the same again is no refusal"
    assert script.refused(FallBack("ada", "another")) == "full"
    assert script.refused(Join(GRACE)) == "race_over"
    assert script.do(Rematch("ada", "another")) == ()
    assert script.state.rematch == "other", "who asks is led there too"


@pytest.mark.parametrize(
    "commands",
    [
        [Join(GRACE)],
        [Join(GRACE), Ready("grace")],
        [Vanish("ada", "")],
        [Ready("ada", False)],
        [WelcomeBots("ada", True)],
        [Leave("ada")],
        [Join(GRACE), Leave("ada"), Ready("grace")],
    ],
)
def test_nobody_falls_back_who_does_not_wait_alone_for_it(commands: list[AnyCommand]) -> None:
    script = alone()
    assert awaits_ghost(script.state) is not None
    for command in commands:
        script.do(command)
    assert awaits_ghost(script.state) is None
    assert script.refused(FallBack("ada", "other")) == "full"


def test_another_player_does_not_fall_back() -> None:
    script = alone()
    assert script.refused(FallBack("grace", "other")) == "full"
    assert script.state.phase is Phase.LOBBY
