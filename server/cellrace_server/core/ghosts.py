"""A stored run as it goes beside a race: how far it was, and when. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from cellrace_engine import Line
from cellrace_engine.replay import Replay, perform
from cellrace_server.core.people import Kind

GHOSTS_MOST = 8

STEPS_MOST = 1_000
"""Of one ghost. A run has up to some ten thousand actions, and eight ghosts go in one write."""


class Step(NamedTuple):
    """From the race time `t` (ms) on: cards home, and moves that stand."""

    t: int
    home: int
    moves: int


class Ghost(NamedTuple):
    """A finished run by its name. `time` is its result in ms; `steps` are in the order of time."""

    run: str
    name: str
    kind: Kind
    time: int
    steps: tuple[Step, ...]


def ghost_of(run: str, replay: Replay) -> Ghost:
    """The ghost of a replay of one player's finished run, which must hold (not checked). A step tells what one's rivals
    are told of a move: progress, and no board."""
    (player,) = replay.players
    assert player.result is not None, "the run is finished"
    line = Line.begin(replay.rules, replay.start())
    steps: list[Step] = []
    for action in player.actions:
        after = perform(line, action)
        assert isinstance(after, Line), "the replay holds"
        line = after
        steps.append(Step(action.t_ms, line.cards_home, line.moves))
    return Ghost(run, player.name, Kind(player.kind.value), player.result.time_ms, thinned(steps))


def thinned(steps: Sequence[Step]) -> tuple[Step, ...]:
    """All of them, or of more than `STEPS_MOST` so many that lie evenly between them, the last among them."""
    count = len(steps)
    if count <= STEPS_MOST:
        return tuple(steps)
    return tuple(steps[(number + 1) * count // STEPS_MOST - 1] for number in range(STEPS_MOST))
