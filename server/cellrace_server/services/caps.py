"""How much one identity may hold at once."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.services.holdings import Holdings
from cellrace_server.services.room import Room


class Most(NamedTuple):
    """Races that an identity has opened and that have not started; seats in races that are not over, where it is not
    done. Counted in the races that this node has open."""

    open_races: int
    seats: int


ANY_NUMBER = Most(1 << 30, 1 << 30)


class Caps:
    """Refuses what would be too much. What is on its way to the log counts already."""

    def __init__(self, holdings: Holdings, most: Most) -> None:
        self._holdings = holdings
        self._most = most
        self._opening: dict[str, set[str]] = {}

    def against_opening(self, player: str, play: bool) -> Rejected | None:
        """Why this player cannot open another race, and sit down in it if `play`; `None` when they can."""
        on_their_way = self._opening.get(player, set[str]())
        most = self._most.open_races
        if len(self._holdings.open_races(player) | on_their_way) >= most:
            text = f"{most} open races of one player are the most: let one start, or leave it"
            return Rejected(Reason.TOO_MANY_RACES, text)
        return self._against_a_seat(self._holdings.seats(player) | on_their_way) if play else None

    def against_sitting(self, player: str, room: Room) -> Rejected | None:
        """Why this player cannot take a seat here; `None` when they can, or have one already."""
        seats = self._holdings.seats(player)
        return (
            None if room.id in seats else self._against_a_seat(seats | self._opening.get(player, set[str]()))
        )

    def _against_a_seat(self, seats: set[str]) -> Rejected | None:
        most = self._most.seats
        if len(seats) < most:
            return None
        text = f"{most} seats of one player in races that are not over are the most: play one to its end, or give up"
        return Rejected(Reason.TOO_MANY_SEATS, text)

    @contextmanager
    def opening(self, player: str, race: str) -> Generator[None]:
        """While this lasts the player is about to open this race."""
        races = self._opening.setdefault(player, set())
        races.add(race)
        try:
            yield
        finally:
            races.discard(race)
            if not races and self._opening.get(player) is races:
                del self._opening[player]

    @contextmanager
    def sitting(self, player: str, room: Room) -> Generator[None]:
        """While this lasts the player is about to take a seat here."""
        self._holdings.note(player, room)
        try:
            yield
        finally:
            if room.id not in self._holdings.seats(player) | self._holdings.open_races(player):
                self._holdings.drop(player, room)
