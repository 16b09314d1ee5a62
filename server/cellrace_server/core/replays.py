"""A finished run as a replay document, made from the race's facts and from nothing else."""

from collections.abc import Sequence

from cellrace_engine import format_move
from cellrace_engine.replay import Action, PlayerKind, PlayerRun, Replay, Result, verify
from cellrace_server.core.evolve import evolve, line_of
from cellrace_server.core.facts import AnyFact, Moved, Restarted, Undone
from cellrace_server.core.race import Race, Seat


def replay_of(facts: Sequence[AnyFact], seat: int) -> Replay:
    """The run of `seat`, which must be finished (not checked). Actions are in race time, uncompensated."""
    race: Race | None = None
    actions: list[Action] = []
    for fact in facts:
        before, race = race, evolve(race, fact)
        if before is not None and isinstance(fact, Moved | Undone | Restarted) and fact.seat == seat:
            actions.append(Action(race.time(fact.at), _text(before, fact)))
    assert race is not None, "a finished run has facts"
    taken = race.seats[seat]
    assert taken is not None, "a finished run has a seat"
    run = PlayerRun(taken.player.name, PlayerKind(taken.player.kind.value), tuple(actions), _claimed(taken))
    return Replay(rules=race.options.rules, players=(run,), deal=race.code)


def _text(before: Race, fact: Moved | Undone | Restarted) -> str:
    if isinstance(fact, Undone):
        return "undo"
    if isinstance(fact, Restarted):
        return "restart"
    seat = before.seats[fact.seat]
    assert seat is not None, "somebody moved"
    line = line_of(seat)
    return format_move(fact.move, line.position, line.rules)


def _claimed(seat: Seat) -> Result:
    assert seat.result is not None, "the run is finished"
    line = line_of(seat)
    time, compensation = seat.result.time, seat.result.compensation
    return Result(time, line.moves, line.cards_home, line.score, compensation)


def fault_in(replay: Replay) -> str | None:
    """Why the replay does not prove a win in the time it claims; `None` when it does. The engine runs it again."""
    verification = verify(replay)
    if verification.failure is not None:
        return verification.failure.text
    if not verification.lines[0].won:
        return "it does not end with all cards home"
    return None
