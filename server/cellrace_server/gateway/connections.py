"""Everybody who is connected to this node."""

import logging
from collections.abc import Iterator

from cellrace_protocol.events import Notice
from cellrace_server.core import names
from cellrace_server.gateway.connection import CLOSE_REVOKED, CLOSE_SENT_AWAY, Connection
from cellrace_server.services.identities import People

logger = logging.getLogger(__name__)


class Connections:
    """The open connections, and what is done to several of them at once."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._connections: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[Connection]:
        """All of them as they are now, the oldest first; they may come and go meanwhile."""
        return iter(list(self._connections))

    def enter(self, connection: Connection) -> None:
        self._connections[connection] = None

    def leave(self, connection: Connection) -> None:
        self._connections.pop(connection, None)

    def find(self, who: str) -> list[Connection]:
        """The connections of a player, by id or by name in any spelling, or the one that is called so itself."""
        folded = names.fold(who)
        return [
            connection
            for connection in self
            if connection.session == who
            or (
                connection.known is not None
                and (connection.known.player.id == who or names.fold(connection.known.player.name) == folded)
            )
        ]

    def announce(self, code: str, text: str) -> int:
        """Tell everybody who has said hello; how many that were."""
        told = [connection for connection in self if connection.known is not None]
        for connection in told:
            connection.send(Notice(code, text))
        return len(told)

    def send_away(self, connections: list[Connection], reason: str) -> None:
        """Tell these that the host does not want them just now, and close them."""
        for connection in connections:
            connection.send(Notice("sent_away", reason))
            connection.close(CLOSE_SENT_AWAY, "sent away by the host")

    async def recheck(self, player: str) -> None:
        """Close the connections whose token does not prove this player any more; those of all players where none is
        named. Raises `StoreUnavailable`: then some are left."""
        for connection in self:
            known = connection.known
            if known is None or player not in ("", known.player.id) or await self._people.proves(known):
                continue
            if connection.known is not known:
                continue  # it was given another token meanwhile, which is looked at in its turn
            connection.send(Notice("revoked", "this player's token is not valid any more"))
            connection.close(CLOSE_REVOKED, "token revoked")
