"""Who holds what in the races of this node: open races by host, seats by player."""

from collections.abc import Callable

from cellrace_server.core.facts import AnyFact, Created, Ended, HandedOn, Joined, Left
from cellrace_server.core.race import Phase, Race
from cellrace_server.services.room import Room

_CHANGES = frozenset({Created, Joined, Left, HandedOn, Ended})
OPEN = (Phase.LOBBY, Phase.COUNTDOWN)


class Holdings:
    """An index of rooms by player, kept from their facts. Implements `services.room.Listener`.

    What counts is decided by the races themselves, as far as they have been decided (`Room.head`); the index only says
    where to look.
    """

    def __init__(self) -> None:
        self._rooms: dict[str, set[Room]] = {}

    def __len__(self) -> int:
        """Players who hold something."""
        return len(self._rooms)

    def players(self) -> list[str]:
        """The ids of those who hold something."""
        return list(self._rooms)

    def open_races(self, player: str) -> set[str]:
        """Races that the player hosts and that have not started."""
        return self._where(player, _hosts)

    def seats(self, player: str) -> set[str]:
        """Races that are not over in which the player has a seat and is not done."""
        return self._where(player, _plays)

    def places(self, player: str) -> set[str]:
        """Races that are not over in which the player has a seat, done or not."""
        return self._where(player, _sits)

    def _where(self, player: str, holds: Callable[[Race, str], bool]) -> set[str]:
        return {
            room.id
            for room in self._rooms.get(player, ())
            if (race := _newest(room)) is not None and holds(race, player)
        }

    def note(self, player: str, room: Room) -> None:
        """The player may hold something in this room from now on."""
        self._rooms.setdefault(player, set()).add(room)

    def drop(self, player: str, room: Room) -> None:
        """The player holds nothing in this room."""
        rooms = self._rooms.get(player)
        if rooms is not None:
            rooms.discard(room)
            if not rooms:
                del self._rooms[player]

    def admitted(self, room: Room) -> None:
        """A room was opened here, perhaps in the middle of its race."""
        race = room.race
        if race is not None and race.phase is not Phase.ENDED:
            for player in _people(race):
                self.note(player, room)

    def gone(self, room: Room) -> None:
        """The room is not this node's any more."""
        for race in (room.race, room.head):
            for player in _people(race) if race is not None else ():
                self.drop(player, room)

    def happened(self, room: Room, before: Race | None, fact: AnyFact, after: Race, /) -> None:
        """Follow who comes and goes."""
        if type(fact) in _CHANGES:
            self._follow(room, before, fact, after)

    def _follow(self, room: Room, before: Race | None, fact: AnyFact, after: Race) -> None:
        match fact:
            case Created(host=player) | Joined(player=player):
                self.note(player.id, room)
            case Left(seat=seat) if before is not None and (left := before.seats[seat]) is not None:
                if after.host != left.player.id:
                    self.drop(left.player.id, room)
            case HandedOn() if before is not None and before.seat_of(before.host) < 0:
                self.drop(before.host, room)
            case Ended():
                for player_id in _people(after):
                    self.drop(player_id, room)
            case _:
                pass

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        self.admitted(room)


def _newest(room: Room) -> Race | None:
    return room.head if room.head is not None else room.race


def _people(race: Race) -> set[str]:
    return {race.host, *(seat.player.id for _, seat in race.seated())}


def _hosts(race: Race, player: str) -> bool:
    return race.host == player and race.phase in OPEN


def _plays(race: Race, player: str) -> bool:
    seat = race.seats[race.seat_of(player)] if _sits(race, player) else None
    return seat is not None and not seat.done


def _sits(race: Race, player: str) -> bool:
    return race.phase is not Phase.ENDED and race.seat_of(player) >= 0
