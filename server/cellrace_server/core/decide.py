"""What comes of a command: facts, or a refusal. Pure: the race, the command and the time decide, nothing else."""

from collections.abc import Callable
from typing import Any

from cellrace_server.core import actions, hosting, lobby, presence, rematch
from cellrace_server.core.commands import (
    AnyCommand,
    Appear,
    Close,
    Create,
    FallBack,
    Finish,
    GiveUp,
    Join,
    Leave,
    Play,
    Ready,
    Rematch,
    Restart,
    Start,
    StoreReturned,
    Tick,
    Undo,
    Vanish,
    WelcomeBots,
    Withdraw,
)
from cellrace_server.core.dailies import too_late
from cellrace_server.core.facts import AnyFact, CountdownStopped, Ended, EndReason, Outage, Started
from cellrace_server.core.outcome import Outcome, Reason, Rejected, happened, refused
from cellrace_server.core.race import Phase, Race, deadline, first_gone, host_gone


def decide(race: Race | None, command: AnyCommand, now: int) -> Outcome:
    """What `command` does to `race` at the instant `now` (store clock, ms).

    A deadline that has passed is carried out first: its facts come before those of the command, and stand even when the
    command is then refused. Time never runs backwards: facts are dated no earlier than the race's last.
    Never raises for anything a player can send.
    """
    if race is None:
        if type(command) is Create:
            return lobby.create(command, now)
        return Outcome((), None, Rejected(Reason.NO_RACE, "there is no such race"))
    at = max(now, race.at)
    decider = _DECIDERS[type(command)]
    due = deadline(race)
    if due is None or at < due or type(command) is StoreReturned:
        return decider(race, command, at)
    overdue, race = _overdue(race, at)
    outcome = decider(race, command, at)
    return Outcome((*overdue, *outcome.facts), outcome.race, outcome.answer)


def _overdue(race: Race, at: int) -> tuple[tuple[AnyFact, ...], Race]:
    """The facts of every deadline passed by `at`, and the race after them."""
    facts: list[AnyFact] = []
    while (due := deadline(race)) is not None and at >= due:
        outcome = _DUE[race.phase](race, at)
        assert outcome.race is not None, "deadlines belong to races"
        facts += outcome.facts
        race = outcome.race
    return tuple(facts), race


def _lobby_due(race: Race, at: int) -> Outcome:
    gone_at, seat = first_gone(race)
    idle_at = race.at + race.options.lobby_ms
    if host_gone(race) <= min(gone_at, idle_at):
        return hosting.hand_on(race, at)
    if gone_at <= idle_at:
        return lobby.give_back(race, seat, at)
    return happened(race, Ended(at, EndReason.LOBBY_IDLE))


def _countdown_due(race: Race, at: int) -> Outcome:
    gone_at, seat = first_gone(race)
    if host_gone(race) < min(gone_at, race.start):
        return hosting.hand_on(race, at)
    if gone_at < race.start:
        return lobby.give_back(race, seat, at)
    if too_late(race.options, at):  # it never starts, and keeps its secret
        return happened(race, CountdownStopped(at), Ended(at, EndReason.DAY_OVER))
    return happened(race, Started(at))


_DUE: dict[Phase, Callable[[Race, int], Outcome]] = {
    Phase.LOBBY: _lobby_due,
    Phase.COUNTDOWN: _countdown_due,
    Phase.RUNNING: lambda race, at: happened(race, Ended(at, EndReason.TIME_LIMIT)),
}


def _exists(race: Race, _command: Create, _at: int) -> Outcome:
    return refused(race, Reason.RACE_EXISTS, "a race with this name exists")


def _close(race: Race, _command: Close, at: int) -> Outcome:
    if race.phase is Phase.ENDED:
        return refused(race, Reason.RACE_OVER, "the race is over")
    ended = Ended(at, EndReason.CLOSED)
    if race.phase is Phase.COUNTDOWN:  # it never starts, and keeps its secret
        return happened(race, CountdownStopped(at), ended)
    return happened(race, ended)


def _withdraw(race: Race, command: Withdraw, at: int) -> Outcome:
    index = race.seat_of(command.player)
    seat = race.seats[index] if index >= 0 else None
    if race.only_hosts(command.player):
        return hosting.hand_on(race, at)
    if seat is None or seat.done or race.phase is Phase.ENDED:
        return Outcome((), race, None)
    if race.phase is Phase.RUNNING:
        return actions.give_up(race, GiveUp(command.player, seat.n + 1), at)
    return lobby.give_back(race, index, at)


def _tick(race: Race, _command: Tick, _at: int) -> Outcome:
    return Outcome((), race, None)


def _store_returned(race: Race, command: StoreReturned, at: int) -> Outcome:
    """Nobody's clock stood still before the last fact. So two nodes may both tell of one outage, and what was taken off
    already is not taken off again."""
    since = max(command.since, race.at)
    if race.phase is not Phase.RUNNING or since >= at:
        return Outcome((), race, None)
    return happened(race, Outage(at, since))


_DECIDERS: dict[type, Callable[[Race, Any, int], Outcome]] = {
    Create: _exists,
    Join: lobby.join,
    Appear: presence.appear,
    Vanish: presence.vanish,
    Close: _close,
    Rematch: rematch.rematch,
    Leave: lobby.leave,
    Ready: lobby.ready,
    WelcomeBots: lobby.welcome_bots,
    FallBack: lobby.fall_back,
    Start: lobby.start,
    Play: actions.play,
    Undo: actions.undo,
    Restart: actions.restart,
    Finish: actions.finish,
    GiveUp: actions.give_up,
    Tick: _tick,
    StoreReturned: _store_returned,
    Withdraw: _withdraw,
}
