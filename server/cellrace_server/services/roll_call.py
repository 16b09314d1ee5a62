"""Players whose node has died: it could not say that their connections are gone, so the others do."""

import logging

from cellrace_server.core.commands import AnyCommand, Vanish
from cellrace_server.core.facts import AnyFact, Created, Here, HostHere, Joined
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.presence import attending
from cellrace_server.core.race import Phase, Race
from cellrace_server.ports.clock import Clock
from cellrace_server.services.hall import Hall
from cellrace_server.services.nodes import Nodes, node_of
from cellrace_server.services.room import Answer, Room

EVERY_MS = 1_000

logger = logging.getLogger(__name__)


class RollCall:
    """Knows whose sessions have seats in the races here, or host them, and says `Vanish` for those of a node that is
    gone.

    It may be wrong, about a node that was slow: then that node says `Appear` again. Hears of every room here
    (`services.room.Listener`, `services.hall.Resident`, `services.room.Asker`). Run `run` beside the rest.
    """

    def __init__(self, hall: Hall, nodes: Nodes, clock: Clock) -> None:
        self._hall = hall
        self._nodes = nodes
        self._clock = clock
        self._rooms: dict[str, dict[Room, None]] = {}  # in the order in which they were noted

    @property
    def under_way(self) -> int:
        """Races here that count down or run, with a player who is not done, connected or not, and whom no other node
        that lives has."""
        return sum(self._expects_somebody(room.race) for room in self._hall.rooms.values())

    async def run(self) -> None:
        """Call again and again, until cancelled."""
        while True:
            await self._clock.wait_until(self._clock.now() + EVERY_MS)
            self.call()

    def call(self) -> None:
        """One round."""
        for node in [node for node in self._rooms if self._nodes.gone(node)]:
            rooms = self._rooms.pop(node)
            logger.info("node %s is gone: %d races here may miss players", node, len(rooms))
            for room in rooms:
                self._miss(room, node)

    def admitted(self, room: Room) -> None:
        """A room was opened here: who is missing in it is missed before anything else happens."""
        self._note(room)
        self.call()

    def gone(self, room: Room) -> None:
        for node in list(self._rooms):
            self._rooms[node].pop(room, None)
            if not self._rooms[node]:
                del self._rooms[node]

    def happened(self, room: Room, _before: Race | None, fact: AnyFact, _after: Race, /) -> None:
        if isinstance(fact, Here | Joined | Created | HostHere) and (node := node_of(fact.session)):
            self._nodes.heard(node)
            self._expect(node, room)

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        self._note(room)

    def answered(self, room: Room, _command: AnyCommand, answer: Answer, /) -> None:
        """Say it again in the next round where the race could not be told."""
        if isinstance(answer, Rejected) and room.id in self._hall.rooms:
            self._note(room)

    def _note(self, room: Room) -> None:
        race = room.race
        if race is not None and race.phase is not Phase.ENDED:
            for _, session in attending(race):
                self._expect(node_of(session), room)

    def _expect(self, node: str, room: Room) -> None:
        if node and node != self._nodes.own:
            self._rooms.setdefault(node, {})[room] = None

    def _miss(self, room: Room, node: str) -> None:
        for player, session in attending(room.race) if room.race is not None else ():
            if node_of(session) == node:
                room.submit(Vanish(player, session), self)

    def _expects_somebody(self, race: Race | None) -> bool:
        if race is None or race.phase not in (Phase.COUNTDOWN, Phase.RUNNING):
            return False
        return any(not seat.done and not self._elsewhere(seat.session) for _, seat in race.seated())

    def _elsewhere(self, session: str) -> bool:
        node = node_of(session)
        return node != self._nodes.own and self._nodes.alive(node)
