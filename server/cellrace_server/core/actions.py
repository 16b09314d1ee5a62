"""Decisions during the race: a player's numbered actions on their own board."""

from collections.abc import Callable

from cellrace_engine import Line, Refusal, read_move
from cellrace_server.core.commands import Action, Finish, GiveUp, Play, Restart, Undo
from cellrace_server.core.evolve import acted, evolve, line_of
from cellrace_server.core.facts import (
    AnyFact,
    Ended,
    EndReason,
    Finished,
    GaveUp,
    Moved,
    Restarted,
    Undone,
)
from cellrace_server.core.outcome import Outcome, Reason, Repeated, happened, refused
from cellrace_server.core.race import Phase, Race, Seat

ACTIONS_MOST = 10_000
"""A player's actions in one race: far above any game, low enough that a log stays small."""


def play(race: Race, command: Play, at: int) -> Outcome:
    """One move. The winning one also finishes the seat, and the last seat to be done ends the race."""
    checked = _check(race, command)
    if isinstance(checked, Outcome):
        return checked
    index, seat = checked
    line = line_of(seat)
    move = read_move(command.move, line.position, line.rules)
    if isinstance(move, Refusal):
        return refused(race, move.reason, move.text, seat.n + 1)
    after = line.try_play(move)
    if isinstance(after, Refusal):
        return refused(race, after.reason, after.text, seat.n + 1)
    moved = Moved(at, index, command.n, move)
    played = acted(race, at, index, seat, command.n, after)
    if not after.won:
        return Outcome((moved,), played, None)
    return _won(played, [moved], index, command)


def _won(race: Race, facts: list[AnyFact], index: int, command: Play | Finish) -> Outcome:
    at = race.at
    raw = race.time(at)
    compensation = min(command.compensation, raw)
    facts.append(Finished(at, index, raw - compensation, compensation, command.error))
    race = evolve(race, facts[-1])
    return _with_end(race, facts)


def _with_end(race: Race, facts: list[AnyFact]) -> Outcome:
    if all(seat.done for _, seat in race.seated()):
        facts.append(Ended(race.at, EndReason.ALL_DONE))
        race = evolve(race, facts[-1])
    return Outcome(tuple(facts), race, None)


def undo(race: Race, command: Undo, at: int) -> Outcome:
    """One move back, with its automatic moves."""
    return _change(race, command, at, Line.undo, Undone)


def restart(race: Race, command: Restart, at: int) -> Outcome:
    """Back to the deal; the clock goes on."""
    return _change(race, command, at, Line.restart, Restarted)


def _change(
    race: Race,
    command: Undo | Restart,
    at: int,
    change: Callable[[Line], Line | Refusal],
    fact: type[Undone | Restarted],
) -> Outcome:
    checked = _check(race, command)
    if isinstance(checked, Outcome):
        return checked
    index, seat = checked
    after = change(line_of(seat))
    if isinstance(after, Refusal):
        return refused(race, after.reason, after.text, seat.n + 1)
    return Outcome((fact(at, index, command.n),), acted(race, at, index, seat, command.n, after), None)


def finish(race: Race, command: Finish, at: int) -> Outcome:
    """Everything home at once, where nothing can block the foundations any more."""
    checked = _check(race, command)
    if isinstance(checked, Outcome):
        return checked
    index, seat = checked
    line = line_of(seat)
    if not line.finishable:
        return refused(
            race,
            Reason.NOT_FINISHABLE,
            "not yet: in some column a card lies above one of lower rank",
            seat.n + 1,
        )
    facts: list[AnyFact] = []
    for offset, move in enumerate(line.finish_moves()):
        facts.append(Moved(at, index, command.n + offset, move))
        race = evolve(race, facts[-1])
    return _won(race, facts, index, command)


def give_up(race: Race, command: GiveUp, at: int) -> Outcome:
    """The seat is done, with the cards that are home; the others go on."""
    checked = _check(race, command)
    if isinstance(checked, Outcome):
        return checked
    outcome = happened(race, GaveUp(at, checked[0], command.n))
    assert outcome.race is not None
    return _with_end(outcome.race, list(outcome.facts))


def _check(race: Race, command: Action) -> tuple[int, Seat] | Outcome:
    """The seat that may act now, or why not. A repeated action is answered as such whatever has happened since."""
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if seat is None:
        return refused(race, Reason.NOT_SEATED, "you have no seat in this race")
    n = command.n
    if 0 < n <= seat.n:
        return Outcome((), race, Repeated(index, n))
    expected = seat.n + 1
    if race.phase is not Phase.RUNNING:
        if race.phase is Phase.ENDED:
            return refused(race, Reason.RACE_OVER, "the race is over", expected)
        return refused(race, Reason.NOT_STARTED, "the race has not started", expected)
    if seat.done:
        return refused(race, Reason.SEAT_DONE, "you are done in this race", expected)
    if n != expected:
        return refused(race, Reason.OUT_OF_ORDER, f"action {n} out of order, {expected} expected", expected)
    if n > ACTIONS_MOST:
        return refused(
            race, Reason.TOO_MANY_ACTIONS, f"{ACTIONS_MOST} actions are the most in one race", expected
        )
    return index, seat
