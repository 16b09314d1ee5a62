"""Snapshots of one race: made once for each audience while nothing happens."""

from msgspec.structs import replace

from cellrace_protocol.events import Snapshot
from cellrace_server.core.race import Race
from cellrace_server.gateway.translate import ages, snapshot


class Snapshots:
    """`number` is the channel's."""

    __slots__ = ("_made", "_number", "_race")

    def __init__(self, number: int) -> None:
        self._number = number
        self._race: Race | None = None
        self._made: dict[int, Snapshot] = {}

    def of(self, race: Race, you: int, now: int, spectators: int) -> Snapshot:
        """The race as the player on seat `you`, or a spectator (-1), may see it."""
        if race is not self._race:
            self._race = race
            self._made.clear()
        made = self._made.get(you)
        if made is None:
            made = self._made[you] = snapshot(self._number, race, you, now, spectators)
            return made
        age, until = ages(race, now)
        return replace(made, age=age, until=until, spectators=spectators)
