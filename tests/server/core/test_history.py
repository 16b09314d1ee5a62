"""Going back in a race gives what folding from its beginning gives."""

import pytest

from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import GaveUp, Moved, Restarted, Undone
from cellrace_server.core.history import CHECKPOINT_EVERY, History
from tests.server.core.playbook import ADA, GRACE, play, started
from tests.support.lines import winning_line


def test_every_point_of_a_race_can_be_gone_back_to() -> None:
    script = started(ADA, GRACE)
    play(script, ADA, winning_line())
    play(script, GRACE, winning_line()[:40])
    history = History(script.facts)
    assert len(script.facts) > CHECKPOINT_EVERY
    assert history.race == script.race
    for number in range(len(script.facts) + 1):
        assert history.at(number) == fold(script.facts[:number])
    for beyond in (-1, len(script.facts) + 1):
        with pytest.raises(IndexError):
            history.at(beyond)


def test_every_action_is_found_by_its_number() -> None:
    script = started(ADA, GRACE)
    play(script, ADA, winning_line())
    play(script, GRACE, winning_line()[:40])
    history = History(script.facts)
    for number, fact in enumerate(script.facts, 1):
        if isinstance(fact, Moved | Undone | Restarted | GaveUp):
            assert history.number_of(fact.seat, fact.n) == number
    with pytest.raises(IndexError):
        history.number_of(0, 0)
    with pytest.raises(IndexError):
        history.number_of(0, 1_000)
