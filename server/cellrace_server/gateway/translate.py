"""The race's terms in the protocol's: facts as messages, a race as a snapshot. Audiences are told apart here."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from cellrace_engine import Line, Move, Position, deal, read_move, rules_text
from cellrace_protocol import events as wire
from cellrace_protocol.board import checksum, pack
from cellrace_protocol.commands import Kind
from cellrace_protocol.events import AnyRaceMessage
from cellrace_protocol.lean import LeanApplied, LeanDiff
from cellrace_server.core import facts as f
from cellrace_server.core.commands import AnyCommand, Finish, GiveUp, Play, Restart, Undo
from cellrace_server.core.evolve import evolve, line_of
from cellrace_server.core.history import History, NumberedFact
from cellrace_server.core.outcome import Repeated
from cellrace_server.core.race import Phase, Race, Seat, deadline
from cellrace_server.core.secrecy import commitment, deal_is_public, salt_is_public
from cellrace_server.core.standings import standings
from cellrace_server.core.views import (
    BOARD_FACTS,
    BoardFact,
    Change,
    board_change,
    progress,
    rivals_see_boards,
)

SUM_EVERY = 8
"""Of so many actions of a player one carries the checksum of the board after it."""

DEALS_AT_HAND = 1_000
"""Deals and rule sets of which the text is kept."""

AnyMessage = AnyRaceMessage | LeanApplied | LeanDiff


_WHATS = {change: wire.What(change) for change in Change}


def board_text(position: Position) -> str:
    return pack(position.columns, position.cells, position.foundations)


@lru_cache(maxsize=DEALS_AT_HAND)
def _start(number: int, cells: int) -> str:
    """The board of a deal; to deal takes as long as all the rest of a snapshot."""
    return board_text(deal(number, cells))


_rules = lru_cache(maxsize=DEALS_AT_HAND)(rules_text)


def _packed(transfers: Sequence[Move]) -> list[int]:
    """As `pack_transfer` does it, without a call for each."""
    return [(count - 1) << 8 | source << 4 | destination for source, destination, count in transfers]


def _since(before: Race | None, fact: f.AnyFact) -> int:
    return 0 if before is None else fact.at - before.at


class BoardMessages:
    """What one board fact is to each audience; made when somebody asks for it."""

    __slots__ = ("_after", "_before", "_ch", "_change", "_fact", "_short", "_sum")

    def __init__(self, ch: int, before: Race, fact: BoardFact, after: Race) -> None:
        self._ch = ch
        self._before = before
        self._fact = fact
        self._after = after
        self._change = board_change(before, fact, after)
        self._sum = 0
        if fact.n % SUM_EVERY == 0:
            self._sum = checksum(board_text(_line(after, fact.seat).position))
        self._short = not (self._sum or self._change.points or self._change.change)

    def applied(self) -> AnyMessage:
        """For the player who did it."""
        change, fact = self._change, self._fact
        k, dt, transfers = self._after.number, fact.at - self._before.at, _packed(change.transfers)
        if self._short:
            return LeanApplied(self._ch, k, dt, fact.n, transfers)
        what = _WHATS[change.change]
        return wire.Applied(self._ch, k, dt, fact.n, transfers, what, change.points, self._sum)

    def diff(self) -> AnyMessage:
        """For those who see the board."""
        change, fact = self._change, self._fact
        k, dt, transfers = self._after.number, fact.at - self._before.at, _packed(change.transfers)
        if self._short:
            return LeanDiff(self._ch, k, dt, fact.seat, transfers)
        what = _WHATS[change.change]
        return wire.Diff(self._ch, k, dt, fact.seat, transfers, what, change.points, self._sum)

    def progress(self) -> AnyMessage:
        """For those who do not."""
        after, fact = self._after, self._fact
        shown = progress(after, fact.seat)
        dt = fact.at - self._before.at
        return wire.Progress(self._ch, after.number, dt, fact.seat, shown.home, shown.moves)

    def rivals(self) -> AnyMessage:
        """For the other players."""
        return self.diff() if rivals_see_boards(self._after) else self.progress()


def life_message(ch: int, before: Race | None, fact: f.AnyFact, after: Race) -> AnyRaceMessage:
    """Facts that are the same to everybody: all but what happens on boards."""
    return _LIFE[type(fact)](ch, after.number, _since(before, fact), fact, after)


def message_for(ch: int, seat: int, before: Race | None, fact: f.AnyFact, after: Race) -> AnyMessage:
    """What a fact is to the player on `seat`, or to a spectator (-1)."""
    if type(fact) not in BOARD_FACTS:
        return life_message(ch, before, fact, after)
    assert before is not None, "boards come after the start"
    assert isinstance(fact, BoardFact)
    messages = BoardMessages(ch, before, fact, after)
    if fact.seat == seat:
        return messages.applied()
    return messages.diff() if seat < 0 else messages.rivals()


def gap(ch: int, seat: int, history: History, after: int, last: int | None = None) -> Iterator[AnyMessage]:
    """The messages about the facts numbered above `after`, up to `last` where one is named, for one receiver."""
    race = history.at(after)
    for fact in history.facts[after:last]:
        before, race = race, evolve(race, fact)
        yield message_for(ch, seat, before, fact, race)


def repeated(ch: int, history: History, answer: Repeated, command: AnyCommand) -> AnyMessage | None:
    """The message that the player's action `answer.n` was acknowledged with, made again from the facts; `None` when the
    number was used for something else than `command`."""
    number = history.number_of(answer.seat, answer.n)
    before, fact = history.at(number - 1), history.facts[number - 1]
    assert before is not None, "actions come after the start"
    assert isinstance(fact, NumberedFact), "this is what it is numbered by"
    if not _asked_for(before, fact, command):
        return None
    return message_for(ch, answer.seat, before, fact, evolve(before, fact))


def _asked_for(before: Race, fact: NumberedFact, command: AnyCommand) -> bool:
    """Whether `fact` is what `command` wants. A card that `finish` sent home can be asked for as its move, too."""
    if not isinstance(fact, f.Moved):
        return type(command) is _COMMANDS[type(fact)]
    line = _line(before, fact.seat)
    if isinstance(command, Play):
        return read_move(command.move, line.position, line.rules) == fact.move
    return isinstance(command, Finish) and line.finishable


_COMMANDS: dict[type, type] = {f.Undone: Undo, f.Restarted: Restart, f.GaveUp: GiveUp}


def snapshot(ch: int, race: Race, you: int, now: int, spectators: int = 0) -> wire.Snapshot:
    """The whole race as the player on seat `you`, or a spectator (-1), may see it."""
    options = race.options
    age, until = ages(race, now)
    shown = deal_is_public(race)
    over = race.phase is Phase.ENDED
    mine = race.seats[you] if you >= 0 else None
    return wire.Snapshot(
        ch=ch,
        k=race.number,
        race=race.id,
        phase=race.phase.value,
        time=race.time(race.at),
        age=age,
        until=until,
        host=race.host,
        rules=_rules(options.rules),
        open_boards=options.open_boards,
        public=options.public,
        countdown_ms=options.countdown_ms,
        limit_ms=options.limit_ms,
        commitment=commitment(race).hex(),
        deal=str(race.code) if shown else "",
        start=_start(race.deal, options.rules.cells) if shown else "",
        you=you,
        n=mine.n + 1 if mine is not None else 0,
        seats=[
            _seat_view(seat, you < 0 or index == you or rivals_see_boards(race))
            for index, seat in enumerate(race.seats)
        ],
        end=race.end_reason.value if race.end_reason is not None else "",
        standings=places(race) if over else [],
        salt=race.salt.hex() if salt_is_public(race) else "",
        ranked=options.ranked,
        bots=options.bots,
        delay_ms=options.delay_ms,
        best_of=options.best_of,
        game=race.series.game,
        wins=[race.series.wins.get(seat.player.id, 0) if seat else 0 for seat in race.seats],
        rematch=race.rematch,
        spectators=spectators,
        daily=options.daily,
        practice=options.practice,
        ghosts=list(options.ghosts),
        host_away=race.host_away > 0,
    )


def ages(race: Race, now: int) -> tuple[int, int]:
    """What a snapshot says of the time now: since the last fact, and until the deadline (-1: there is none)."""
    due = deadline(race)
    return max(0, now - race.at), -1 if due is None else max(0, due - now)


def places(race: Race) -> list[wire.Place]:
    """The standings, row by row."""
    return [
        wire.Place(
            row.place,
            row.seat,
            row.home,
            row.moves,
            row.result.time if row.result else -1,
            row.result.compensation if row.result else 0,
            row.result.error if row.result else 0,
        )
        for row in standings(race)
    ]


_FREE = wire.SeatView("", "", Kind.HUMAN, False, False, -1, 0, 0, 0, 0, "")


def _seat_view(seat: Seat | None, sees: bool) -> wire.SeatView:
    if seat is None:
        return _FREE
    line = seat.line
    return wire.SeatView(
        player=seat.player.id,
        name=seat.player.name,
        kind=Kind(seat.player.kind.value),
        ready=seat.ready,
        gave_up=seat.gave_up,
        time=seat.result.time if seat.result else -1,
        home=line.cards_home if line else 0,
        moves=line.moves if line else 0,
        undos=line.undos if line else 0,
        points=line.score if line and sees else 0,
        board=board_text(line.position) if line and sees else "",
        away=seat.away > 0,
        bots=seat.bots_welcome,
    )


def _line(race: Race, seat: int) -> Line:
    taken = race.seats[seat]
    assert taken is not None, "nobody sits there"
    return line_of(taken)


def _joined(ch: int, k: int, dt: int, fact: f.Joined, _: Race) -> wire.Joined:
    player = fact.player
    kind = Kind(player.kind.value)
    return wire.Joined(ch, k, dt, fact.seat, player.id, player.name, kind, fact.bots_welcome)


def _go(ch: int, k: int, dt: int, _: f.Started, after: Race) -> wire.Go:
    return wire.Go(ch, k, dt, str(after.code), _start(after.deal, after.options.rules.cells))


def _end(ch: int, k: int, dt: int, fact: f.Ended, after: Race) -> wire.End:
    ran = salt_is_public(after)
    code, salt = (str(after.code), after.salt.hex()) if ran else ("", "")
    return wire.End(ch, k, dt, fact.reason.value, places(after), code, salt)


_LIFE: dict[type, Callable[[int, int, int, Any, Race], AnyRaceMessage]] = {
    f.Created: lambda ch, k, dt, _fact, _after: wire.Created(ch, k, dt),
    f.Joined: _joined,
    f.Left: lambda ch, k, dt, fact, after: wire.Left(ch, k, dt, fact.seat, after.host),
    f.Here: lambda ch, k, dt, fact, _after: wire.Here(ch, k, dt, fact.seat),
    f.Away: lambda ch, k, dt, fact, _after: wire.Away(ch, k, dt, fact.seat),
    f.Rematched: lambda ch, k, dt, fact, _after: wire.Rematched(ch, k, dt, fact.race),
    f.Readied: lambda ch, k, dt, fact, _after: wire.Readied(ch, k, dt, fact.seat, fact.ready),
    f.BotsWelcome: lambda ch, k, dt, fact, _after: wire.Bots(ch, k, dt, fact.seat, fact.welcome),
    f.CountdownBegan: lambda ch, k, dt, fact, _after: wire.Countdown(ch, k, dt, fact.start - fact.at),
    f.CountdownStopped: lambda ch, k, dt, _fact, _after: wire.Halted(ch, k, dt),
    f.Started: _go,
    f.Finished: lambda ch, k, dt, fact, _after: wire.Done(
        ch, k, dt, fact.seat, fact.time, fact.compensation, fact.error
    ),
    f.GaveUp: lambda ch, k, dt, fact, _after: wire.GaveUp(ch, k, dt, fact.seat),
    f.Outage: lambda ch, k, dt, fact, _after: wire.Outage(ch, k, dt, fact.at - fact.since),
    f.Ended: _end,
    f.HostHere: lambda ch, k, dt, _fact, after: wire.Hosts(ch, k, dt, after.host),
    f.HostAway: lambda ch, k, dt, _fact, after: wire.Hosts(ch, k, dt, after.host, True),
    f.HandedOn: lambda ch, k, dt, _fact, after: wire.Hosts(ch, k, dt, after.host),
}
