"""A race as its receiver knows it: a value kept current by messages alone, without knowing FreeCell's rules. Pure."""

import bisect
from collections.abc import Mapping, Sequence

from cellrace_protocol import events as e
from cellrace_protocol.board import Piles, checksum, pack, unpack
from cellrace_protocol.commands import Kind
from cellrace_protocol.transfers import unpack_transfer

NO_CARD = 52
RANKS = 13
FIRST_CELL, FIRST_FOUNDATION = 8, 12


class OutOfStep(Exception):
    """A board is not what the server says it is: ask for a snapshot."""


class Board:
    """The piles of one seat. `transfer` moves cards as it is told; nothing is checked against the rules. A card is the
    number `4 * (rank - 1) + suit` (suits 0 to 3: clubs, diamonds, hearts, spades), an empty cell 52;
    `foundations` count the cards of each suit."""

    def __init__(self, text: str) -> None:
        try:
            piles: Piles = unpack(text)
        except ValueError as error:
            raise OutOfStep(str(error)) from None
        self.columns = [bytearray(column) for column in piles.columns]
        self.cells = bytearray(piles.cells)
        self.foundations = bytearray(piles.foundations)

    @property
    def text(self) -> str:
        """The board in the protocol's notation."""
        columns = [bytes(column) for column in self.columns]
        return pack(columns, bytes(self.cells), bytes(self.foundations))

    def transfer(self, packed: int) -> None:
        """Take cards from one pile to another. Raises `OutOfStep` where there are none to take."""
        source, destination, count = unpack_transfer(packed)
        cards = self._take(source, count)
        if destination < FIRST_CELL:
            self.columns[destination] += cards
        elif destination < FIRST_FOUNDATION:
            if destination - FIRST_CELL >= len(self.cells):
                raise OutOfStep(f"there is no cell {destination}")
            self.cells[destination - FIRST_CELL] = cards[0]
        else:
            if self.foundations[destination - FIRST_FOUNDATION] == RANKS:
                raise OutOfStep("a foundation is full")
            self.foundations[destination - FIRST_FOUNDATION] += 1

    def _take(self, pile: int, count: int) -> bytes:
        if pile < FIRST_CELL:
            column = self.columns[pile]
            if len(column) < count:
                raise OutOfStep(f"column {pile + 1} has fewer than {count} cards")
            cards = bytes(column[-count:])
            del column[-count:]
            return cards
        if pile < FIRST_FOUNDATION:
            return bytes([self._take_from_cell(pile - FIRST_CELL)])
        suit = pile - FIRST_FOUNDATION
        if self.foundations[suit] == 0:
            raise OutOfStep("a foundation is empty")
        self.foundations[suit] -= 1
        return bytes([self.foundations[suit] * 4 + suit])

    def _take_from_cell(self, cell: int) -> int:
        card = self.cells[cell] if cell < len(self.cells) else NO_CARD
        if card == NO_CARD:
            raise OutOfStep(f"cell {cell} is empty")
        self.cells[cell] = NO_CARD
        return card

    @property
    def home(self) -> int:
        """Cards on the foundations."""
        return sum(self.foundations)


class GhostRun:
    """A stored run beside a race. `time` is its result in ms."""

    def __init__(self, told: e.Ghost) -> None:
        self.run = told.run
        self.name = told.name
        self.kind = told.kind
        self.time = told.time
        self._times = [step.t for step in told.steps]
        self._steps = told.steps

    def at(self, time_ms: float) -> tuple[int, int]:
        """Cards home and moves that stood at a race time."""
        if self.home_at(time_ms):  # its last step is as much later as was given back to it for the network
            return (self._steps[-1].home, self._steps[-1].moves) if self._steps else (0, 0)
        passed = bisect.bisect_right(self._times, time_ms)
        step = self._steps[passed - 1] if passed else None
        return (step.home, step.moves) if step is not None else (0, 0)

    def home_at(self, time_ms: float) -> bool:
        """Whether it was home by a race time."""
        return time_ms >= self.time


_NO_GHOSTS: Mapping[int, GhostRun] = {}


class SeatState:
    """One seat. `board` is `None` while it is not shown; `time` is the result in ms, -1 without one. `bots`: before the
    start, a bot of the house may come if nobody else does."""

    def __init__(self, view: e.SeatView) -> None:
        self.player = view.player
        self.name = view.name
        self.kind = view.kind
        self.ready = view.ready
        self.gave_up = view.gave_up
        self.time = view.time
        self.home = view.home
        self.moves = view.moves
        self.points = view.points
        self.away = view.away
        self.bots = view.bots
        self.board: Board | None = Board(view.board) if view.board else None

    @property
    def taken(self) -> bool:
        return bool(self.player)


class RaceModel:
    """Made from a snapshot (`OutOfStep` where that contradicts itself), kept current by `apply`. `time` is race time in
    ms at the last fact. `ghosts` are the stored runs beside it, by number: told apart from the facts, they are kept by
    whoever hears of them."""

    def __init__(self, snapshot: e.Snapshot, ghosts: Mapping[int, GhostRun] = _NO_GHOSTS) -> None:
        self.ghosts = ghosts
        """The stored runs beside the race, by number."""
        self.race = snapshot.race
        """The race's name."""
        self.k: int = snapshot.k
        """The number of the last fact."""
        self.phase = snapshot.phase
        """`lobby`, `countdown`, `running` or `ended`."""
        self.time = snapshot.time
        self.rules = snapshot.rules
        self.host = snapshot.host
        """The id of the player who may start it."""
        self.host_away = snapshot.host_away
        """The host has no seat, and their connection is lost: before long somebody who sits hosts instead."""
        self.commitment = snapshot.commitment
        """What the server has bound itself to a hidden deal with (4.6)."""
        self.deal = snapshot.deal
        """The deal's code; empty while it is hidden."""
        self.start = snapshot.start
        """The dealt board as text; empty before the start."""
        self.you = snapshot.you
        """Our seat, -1 as a spectator."""
        self.open_boards = snapshot.open_boards
        self.end = snapshot.end
        """Why it is over; empty before."""
        self.standings = _seated(snapshot.standings, len(snapshot.seats))
        """Who came where, once it is over."""
        self.salt = snapshot.salt
        """What opens the commitment, once it is over."""
        self.best_of = snapshot.best_of
        """A series of so many races at the most; 1: none."""
        self.game = snapshot.game
        """The number of this race in the series."""
        self.wins = list(snapshot.wins)
        """Games won in the series, by seat."""
        self.rematch = snapshot.rematch
        """The race in which everybody meets again, if there is one."""
        self.spectators = snapshot.spectators
        self.daily = snapshot.daily
        """The UTC day whose deal this is a run of; empty for other races."""
        self.practice = snapshot.practice
        """It is not the one attempt at the deal of the day."""
        self.ranked = snapshot.ranked
        self.limit_ms = snapshot.limit_ms
        self.seats = [SeatState(view) for view in snapshot.seats]
        if not -1 <= self.you < len(self.seats):
            raise OutOfStep(f"there is no seat {self.you}")

    @property
    def hosting(self) -> bool:
        """We have a seat, and host the race."""
        return self.you >= 0 and self.seats[self.you].player == self.host

    @property
    def host_matters(self) -> bool:
        """The race has not started, and could start before it is full: that is for the host alone to say."""
        return self.phase in ("lobby", "countdown") and len(self.seats) > 2

    @property
    def can_start(self) -> bool:
        """The host can start the race now for whoever is there, though it is not full."""
        taken = sum(seat.taken for seat in self.seats)
        return self.phase == "lobby" and 1 < taken < len(self.seats)

    @property
    def length_ms(self) -> int:
        """The time to show of a race that is over: ours if we got home, else the last that counts if all did, else when
        it ended. What was given back for the network is off: it is the time of the standings."""
        times = [place.time for place in self.standings]
        own = next((place.time for place in self.standings if place.seat == self.you), -1)
        if own >= 0:
            return own
        return max(times) if times and min(times) >= 0 else self.time

    def apply(self, message: e.AnyRaceMessage) -> None:
        """The next fact. Raises `OutOfStep` when it is not the next, or when a board does not agree with it."""
        if message.k != self.k + 1:
            raise OutOfStep(f"fact {message.k} after fact {self.k}")
        if not 0 <= getattr(message, "seat", 0) < len(self.seats):
            raise OutOfStep("there is no such seat")
        self.k = message.k
        if self.phase == "running":
            self.time += message.dt
        match message:
            case e.Applied():
                if self.you < 0:
                    raise OutOfStep("we have no seat")
                self._board_changed(self.you, message)
            case e.Diff():
                self._board_changed(message.seat, message)
            case e.Progress():
                seat = self.seats[message.seat]
                seat.home, seat.moves = message.home, message.moves
            case _:
                self._life(message)

    def _board_changed(self, index: int, message: e.Applied | e.Diff) -> None:
        seat = self.seats[index]
        if message.what is e.What.RESTART or seat.board is None:
            seat.board = Board(self.start)
        for transfer in message.transfers:
            seat.board.transfer(transfer)
        seat.moves = {e.What.MOVE: seat.moves + 1, e.What.UNDO: seat.moves - 1, e.What.RESTART: 0}[
            message.what
        ]
        seat.home = seat.board.home
        seat.points = message.points
        if message.sum and message.sum != checksum(seat.board.text):
            raise OutOfStep(f"the board of seat {index} is off")

    def _life(self, message: e.AnyRaceMessage) -> None:
        match message:
            case e.Joined() | e.Left() | e.Here() | e.Away() | e.Readied() | e.Bots():
                self._seating(message)
            case e.Countdown():
                self.phase = "countdown"
            case e.Halted():
                self.phase = "lobby"
                for state in self.seats:
                    state.ready = False
            case e.Hosts(host=host, away=away):
                self.host, self.host_away = host, away
            case e.Rematched(race=race):
                self.rematch = race
            case e.Go(deal=deal, board=board):
                self._go(deal, board)
            case e.Done(seat=seat, time=time):
                self.seats[seat].time = time
            case e.GaveUp(seat=seat):
                self.seats[seat].gave_up = True
            case e.Outage(ms=ms):
                self.time -= ms
            case e.End(reason=reason, standings=standings, deal=deal, salt=salt):
                self.phase, self.end, self.salt = "ended", reason, salt
                self.standings = _seated(standings, len(self.seats))
                self.deal = deal or self.deal
            case _:
                pass

    def _seating(self, message: e.Joined | e.Left | e.Here | e.Away | e.Readied | e.Bots) -> None:
        seat = message.seat
        match message:
            case e.Joined(player=player, name=name, kind=kind, bots=bots):
                view = e.SeatView(player, name, kind, False, False, -1, 0, 0, 0, 0, "", False, bots)
                self.seats[seat] = SeatState(view)
                self.host_away = self.host_away and player != self.host
            case e.Bots(welcome=welcome):
                self.seats[seat].bots = welcome
            case e.Left(host=host):
                self.seats[seat] = SeatState(_FREE)
                self.host = host
                self.you = -1 if seat == self.you else self.you
            case e.Readied(ready=ready):
                self.seats[seat].ready = ready
            case _:
                self.seats[seat].away = isinstance(message, e.Away)

    def _go(self, deal: str, board: str) -> None:
        self.phase, self.deal, self.start, self.time = "running", deal, board, 0
        for index, seat in enumerate(self.seats):
            if seat.taken and (self.you < 0 or self.open_boards or index == self.you):
                seat.board = Board(board)


_FREE = e.SeatView("", "", Kind.HUMAN, False, False, -1, 0, 0, 0, 0, "")


def _seated(standings: Sequence[e.Place], seats: int) -> list[e.Place]:
    """Those of seats that there are."""
    return [place for place in standings if place.seat < seats]
