"""Hosts without a seat: whether they are there, whatever the races know of it, and what has to follow."""

from collections.abc import Container, Iterator, Sequence

from cellrace_server.core.facts import HandedOn
from cellrace_server.core.race import Phase, Race
from cellrace_server.services import roll_call, sweeper
from cellrace_server.services.nodes import SILENT_MS
from tests.simulation.cluster import AWAY_MS, SimulatedNode
from tests.simulation.truth import Chronicle, Truth

AT_ONCE_MS = 1_000
NOTICED_MS = SILENT_MS + 2 * roll_call.EVERY_MS + sweeper.EVERY_MS
"""Within this those of a dead node are missed, also in races that no other had open."""


class Hosts:
    """`check` after each step. Who is there is what the servers' connections say, and for how long is counted from when
    nothing was wrong any more: `doubt` where something is."""

    def __init__(self, truth: Truth, nodes: Sequence[SimulatedNode]) -> None:
        self._truth = truth
        self._nodes = nodes
        self._since: dict[str, tuple[bool, int]] = {}
        self._seen: dict[str, int] = {}
        self._sure_from = 0

    def doubt(self) -> None:
        """What a node can know just now is not what is so."""
        self._since.clear()

    def died(self, ms: int) -> None:
        """A node, which could not say that its connections are gone."""
        self.doubt()
        self._sure_from = ms + NOTICED_MS

    def check(self, ms: int) -> None:
        """No lobby has people in it whose host has been gone for too long, and none was handed on whose host was there
        all the time."""
        receiving = set(self._receiving())
        for name, chronicle in self._truth.races.items():
            race = chronicle.now
            self._check_handed_on(name, chronicle, receiving, ms)
            if not race.host_outside:
                self._since.pop(name, None)
                continue
            is_there = (name, race.host) in receiving
            was_there, since = self._since.setdefault(name, (is_there, ms))
            if was_there is not is_there:
                since = ms
                self._since[name] = is_there, ms
            gone_ms = 0 if is_there else ms - max(since, self._sure_from)
            assert gone_ms <= AWAY_MS + AT_ONCE_MS or not _waited_in(race), (
                f"{name} waits for a host who is gone"
            )

    def _check_handed_on(
        self, name: str, chronicle: Chronicle, receiving: Container[tuple[str, str]], ms: int
    ) -> None:
        seen = self._seen.get(name, 1)
        self._seen[name] = len(chronicle.facts)
        for number in range(seen, len(chronicle.facts)):
            before = chronicle.states[number - 1]
            if isinstance(chronicle.facts[number], HandedOn) and before.host_away:
                was_there, since = self._since.get(name, (False, ms))
                is_there = was_there and (name, before.host) in receiving
                assert not is_there or ms - since < AWAY_MS, f"the host of {name} was there"

    def _receiving(self) -> Iterator[tuple[str, str]]:
        for node in self._nodes:
            for connection in node.connections():
                for channel in connection.channels.values():
                    yield channel.room.id, connection.player


def _waited_in(race: Race) -> bool:
    return race.phase is Phase.LOBBY and any(race.seats)
