"""How each fact changes a race. Pure, total over what `decide` can have written, the only maker of `Race` values."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from cellrace_engine import Line, Refusal, deal
from cellrace_server.core.facts import (
    AnyFact,
    Away,
    BotsWelcome,
    CountdownBegan,
    CountdownStopped,
    Created,
    Ended,
    Finished,
    GaveUp,
    HandedOn,
    Here,
    HostAway,
    HostHere,
    Joined,
    Left,
    Moved,
    Outage,
    Readied,
    Rematched,
    Restarted,
    Started,
    Undone,
)
from cellrace_server.core.race import Phase, Race, Result, Seat


class BrokenLog(Exception):
    """Fact `number` of race `race` cannot follow those before it: the log was not written by `decide`."""

    def __init__(self, race: str, number: int, why: str) -> None:
        super().__init__(f"race {race}, fact {number}: {why}")
        self.race = race
        self.number = number
        self.why = why


def evolve(race: Race | None, fact: AnyFact) -> Race:
    """The race after one more fact. Raises `BrokenLog` where the fact cannot follow."""
    if race is None:
        if type(fact) is not Created:
            raise BrokenLog("?", 1, f"{type(fact).__name__} before Created")
        return _created(fact)
    change = _CHANGES.get(type(fact))
    if change is None:
        raise BrokenLog(race.id, race.number + 1, f"{type(fact).__name__} in a race that exists")
    return change(race, fact)


def fold(facts: Iterable[AnyFact], race: Race | None = None) -> Race | None:
    """The race after all of `facts`; `None` when there are none at all."""
    for fact in facts:
        race = evolve(race, fact)
    return race


def _created(fact: Created) -> Race:
    return Race(
        id=fact.race,
        host=fact.host.id,
        options=fact.options,
        deal=fact.deal,
        salt=fact.salt,
        number=1,
        at=fact.at,
        seats=(None,) * fact.options.seats,
        series=fact.series,
        host_session=fact.session,
    )


def _with_seat(race: Race, at: int, index: int, seat: Seat | None) -> Race:
    seats = race.seats
    return Race(  # `replace` takes four times as long, and this is every move
        race.id,
        race.host,
        race.options,
        race.deal,
        race.salt,
        race.number + 1,
        at,
        (*seats[:index], seat, *seats[index + 1 :]),
        race.phase,
        race.start,
        race.ended,
        race.outages,
        race.end_reason,
        race.series,
        race.rematch,
        race.host_session,
        race.host_away,
        race.inherited,
    )


def _seat(race: Race, index: int) -> Seat:
    seat = race.seats[index] if 0 <= index < len(race.seats) else None
    if seat is None:
        raise BrokenLog(race.id, race.number + 1, f"nobody sits on seat {index}")
    return seat


def line_of(seat: Seat) -> Line:
    """The line of a seat in a race that has started (not checked otherwise)."""
    assert seat.line is not None, "the race has not started"
    return seat.line


def _joined(race: Race, fact: Joined) -> Race:
    seat = Seat(fact.player, session=fact.session, bots_welcome=fact.bots_welcome, since=race.number + 1)
    after = _with_seat(race, fact.at, fact.seat, seat)
    return replace(after, host_away=0) if race.host_away and fact.player.id == race.host else after


def _here(race: Race, fact: Here) -> Race:
    seat = replace(_seat(race, fact.seat), session=fact.session, away=0)
    return _with_seat(race, fact.at, fact.seat, seat)


def _away(race: Race, fact: Away) -> Race:
    return _with_seat(race, fact.at, fact.seat, replace(_seat(race, fact.seat), away=fact.at))


def _rematched(race: Race, fact: Rematched) -> Race:
    return replace(race, number=race.number + 1, at=fact.at, rematch=fact.race)


def _left(race: Race, fact: Left) -> Race:
    leaver = _seat(race, fact.seat).player.id
    after = _with_seat(race, fact.at, fact.seat, None)
    if leaver != race.host:
        return after
    heir = fact.heir if fact.heir >= 0 else next((index for index, _ in after.seated()), -1)
    return after if heir < 0 else _hosted_by(after, heir)


def _hosted_by(race: Race, heir: int) -> Race:
    host = _seat(race, heir).player.id
    return replace(race, host=host, host_session="", host_away=0, inherited=True)


def _host_here(race: Race, fact: HostHere) -> Race:
    return replace(race, number=race.number + 1, at=fact.at, host_session=fact.session, host_away=0)


def _host_away(race: Race, fact: HostAway) -> Race:
    return replace(race, number=race.number + 1, at=fact.at, host_away=fact.at)


def _handed_on(race: Race, fact: HandedOn) -> Race:
    return _hosted_by(replace(race, number=race.number + 1, at=fact.at), fact.seat)


def _readied(race: Race, fact: Readied) -> Race:
    return _with_seat(race, fact.at, fact.seat, replace(_seat(race, fact.seat), ready=fact.ready))


def _bots_welcome(race: Race, fact: BotsWelcome) -> Race:
    seat = replace(_seat(race, fact.seat), bots_welcome=fact.welcome, ghost=fact.ghost)
    return _with_seat(race, fact.at, fact.seat, seat)


def _countdown_began(race: Race, fact: CountdownBegan) -> Race:
    return replace(race, number=race.number + 1, at=fact.at, phase=Phase.COUNTDOWN, start=fact.start)


def _countdown_stopped(race: Race, fact: CountdownStopped) -> Race:
    seats = tuple(seat and replace(seat, ready=False) for seat in race.seats)
    return replace(race, number=race.number + 1, at=fact.at, phase=Phase.LOBBY, start=0, seats=seats)


def _started(race: Race, fact: Started) -> Race:
    rules = race.options.rules
    line = Line.begin(rules, deal(race.deal, rules.cells))
    seats = tuple(seat and replace(seat, line=line) for seat in race.seats)
    return replace(race, number=race.number + 1, at=fact.at, phase=Phase.RUNNING, start=fact.at, seats=seats)


def acted(race: Race, at: int, index: int, seat: Seat, n: int, line: Line) -> Race:
    """The race after seat `index` played, took back or restarted, with the line that came of it."""
    return _with_seat(
        race,
        at,
        index,
        Seat(
            seat.player,
            seat.ready,
            line,
            n,
            seat.result,
            seat.gave_up,
            seat.session,
            seat.away,
            seat.bots_welcome,
            seat.ghost,
            seat.since,
        ),
    )


def _line_after(race: Race, index: int, line: Line | Refusal) -> Line:
    if isinstance(line, Refusal):
        raise BrokenLog(race.id, race.number + 1, f"seat {index}: {line.text}")
    return line


def _moved(race: Race, fact: Moved) -> Race:
    seat = _seat(race, fact.seat)
    line = _line_after(race, fact.seat, line_of(seat).try_play(fact.move))
    return acted(race, fact.at, fact.seat, seat, fact.n, line)


def _undone(race: Race, fact: Undone) -> Race:
    seat = _seat(race, fact.seat)
    return acted(race, fact.at, fact.seat, seat, fact.n, _line_after(race, fact.seat, line_of(seat).undo()))


def _restarted(race: Race, fact: Restarted) -> Race:
    seat = _seat(race, fact.seat)
    return acted(
        race, fact.at, fact.seat, seat, fact.n, _line_after(race, fact.seat, line_of(seat).restart())
    )


def _finished(race: Race, fact: Finished) -> Race:
    result = Result(fact.time, fact.compensation, fact.error)
    return _with_seat(race, fact.at, fact.seat, replace(_seat(race, fact.seat), result=result))


def _gave_up(race: Race, fact: GaveUp) -> Race:
    return _with_seat(race, fact.at, fact.seat, replace(_seat(race, fact.seat), gave_up=True, n=fact.n))


def _outage(race: Race, fact: Outage) -> Race:
    outages = race.outages + fact.at - fact.since
    return replace(race, number=race.number + 1, at=fact.at, outages=outages)


def _ended(race: Race, fact: Ended) -> Race:
    return replace(
        race, number=race.number + 1, at=fact.at, phase=Phase.ENDED, ended=fact.at, end_reason=fact.reason
    )


_CHANGES: dict[type, Callable[[Race, Any], Race]] = {
    Joined: _joined,
    Here: _here,
    Away: _away,
    Rematched: _rematched,
    Left: _left,
    Readied: _readied,
    BotsWelcome: _bots_welcome,
    CountdownBegan: _countdown_began,
    CountdownStopped: _countdown_stopped,
    Started: _started,
    Moved: _moved,
    Undone: _undone,
    Restarted: _restarted,
    Finished: _finished,
    GaveUp: _gave_up,
    Outage: _outage,
    Ended: _ended,
    HostHere: _host_here,
    HostAway: _host_away,
    HandedOn: _handed_on,
}
