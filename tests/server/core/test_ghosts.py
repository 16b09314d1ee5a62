"""A ghost does what the run did, when it did it."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import CLASSIC, DealCode
from cellrace_engine.replay import Action, PlayerKind, PlayerRun, Replay, Result
from cellrace_server.core.ghosts import STEPS_MOST, Ghost, Step, ghost_of, thinned
from cellrace_server.core.people import Kind
from cellrace_server.core.replays import replay_of
from cellrace_server.core.standings import home, moves
from tests.server.core.playbook import ADA, play, started
from tests.support.lines import winning_line


def test_steps_are_what_rivals_were_told_of_the_race_itself() -> None:
    script = started(ADA)
    told: list[Step] = []
    for move in winning_line():
        play(script, ADA, [move], every_ms=730)
        seat = script.state.seats[0]
        assert seat is not None
        told.append(Step(script.state.time(script.now), home(seat), moves(seat)))
    ghost = ghost_of("race-0", replay_of(script.facts, 0))
    assert ghost.steps == tuple(told)
    assert (ghost.run, ghost.name, ghost.time, ghost.steps[-1].home) == ("race-0", "Ada", told[-1].t, 52)


@given(st.integers(0, 4 * STEPS_MOST))
def test_of_a_long_run_steps_are_left_out_evenly(count: int) -> None:
    steps = [Step(t, 0, 1) for t in range(count)]
    kept = thinned(steps)
    assert len(kept) == min(count, STEPS_MOST)
    assert kept[-1:] == tuple(steps[-1:])
    gaps = [after.t - before.t for before, after in itertools.pairwise(kept)]
    assert not gaps or max(gaps) - min(gaps) <= 1
    assert not kept or kept[0].t <= max(gaps, default=0)


def test_undos_and_restarts_are_steps_too() -> None:
    actions = (Action(5, "2a"), Action(6, "undo"), Action(7, "2a"), Action(9, "restart"))
    run = PlayerRun("Bot", PlayerKind.BOT, actions, Result(9, 0, 0, 0))
    ghost = ghost_of("x-0", Replay(CLASSIC, (run,), DealCode(4, 617)))
    steps = (Step(5, 0, 1), Step(6, 0, 0), Step(7, 0, 1), Step(9, 0, 0))
    assert ghost == Ghost("x-0", "Bot", Kind.BOT, 9, steps)
