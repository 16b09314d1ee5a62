"""Which nodes share the store and live, as far as this one hears of them. For judgements that may be wrong."""

from cellrace_server.core.race import Race
from cellrace_server.ports.clock import Clock

BEAT_MS = 2_000
"""A node that has nothing to tell says so this often."""

SILENT_MS = 7_000
"""A node that is not heard for so long is gone."""


class Nodes:
    """`own` is this node's name. The names of all its sessions begin with it: everybody can tell whose they are.
    Nothing is forgotten: there is a name for each start of a server.
    """

    def __init__(self, own: str, clock: Clock) -> None:
        self.own = own
        self._clock = clock
        self._signs: dict[str, int] = {}
        self._strangers: dict[str, int] = {}
        self._listening_since: int | None = None

    def session(self, number: int) -> str:
        """What the connection of this number is called in races."""
        return f"{self.own}-{number:x}"

    def listen_anew(self) -> None:
        """Signs of life may have been missed until now: nobody is gone before a whole silence from here on."""
        self._listening_since = self._clock.now()

    def unsure(self) -> None:
        """The same, for one who listens already."""
        if self._listening_since is not None:
            self.listen_anew()

    def heard(self, node: str) -> None:
        """A sign of life."""
        if node:
            self._signs[node] = self._clock.now()
            self._strangers.pop(node, None)

    def left(self, node: str) -> None:
        """A node has said that it goes: nobody waits for another sign of it."""
        self._signs.pop(node, None)
        self._strangers[node] = self._clock.now() - SILENT_MS

    def alive(self, node: str) -> bool:
        """This node, or one that was heard a moment ago."""
        sign = self._signs.get(node)
        return node == self.own or (sign is not None and self._clock.now() < sign + SILENT_MS)

    def gone(self, node: str) -> bool:
        """No sign of life for a whole silence in which it would have been heard. One that was never heard, perhaps of
        a time before this node's, has that long from when it is first asked about."""
        if not node or self.alive(node):
            return False
        now = self._clock.now()
        since = self._listening_since
        if node not in self._signs and self._strangers.setdefault(node, now) + SILENT_MS > now:
            return False
        return since is not None and since + SILENT_MS <= now

    def orphaned(self, race: Race) -> bool:
        """Everybody who has a seat was on a node that is gone, and so was a host who has none."""
        sessions = [seat.session for _, seat in race.seated()]
        if race.host_outside and race.host_session:
            sessions.append(race.host_session)
        return bool(sessions) and all(self.gone(node_of(session)) for session in sessions)


def node_of(session: str) -> str:
    """The node whose session it is; empty for one that does not say."""
    return session.rpartition("-")[0]


def named_after(session: str, instance: str) -> str:
    """What a session is called whose client has said which run of it this is, in letters and digits."""
    return f"{session}/{instance}" if instance else session


def instance_of(session: str) -> str:
    """Which run of a client a session is of; empty where it has not said so."""
    return session.rpartition("-")[2].partition("/")[2]
