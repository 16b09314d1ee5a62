"""The replay of a finished run claims what its actions prove, compensation included."""

import pytest

from cellrace_engine import from_json, to_json
from cellrace_server.core.commands import Play
from cellrace_server.core.replays import fault_in, replay_of
from tests.server.core.playbook import ADA, play, started
from tests.support.lines import winning_line


@pytest.mark.parametrize(("compensation", "taken_off"), [(0, 0), (40, 40), (10**9, 10_000)])
def test_time_and_compensation_together_are_the_time_of_the_last_move(
    compensation: int, taken_off: int
) -> None:
    script = started(ADA)
    moves = winning_line()
    play(script, ADA, moves[:-1], every_ms=10)
    raw = 10_000
    script.do(
        Play("ada", len(moves), moves[-1], compensation=compensation), after_ms=raw - 10 * (len(moves) - 1)
    )
    replay = replay_of(script.facts, 0)
    (run,) = replay.players
    assert run.result is not None
    assert (run.result.time_ms, run.result.compensation_ms) == (raw - taken_off, taken_off)
    assert run.actions[-1].t_ms == raw
    assert fault_in(from_json(to_json(replay))) is None
