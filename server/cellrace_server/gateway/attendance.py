"""Telling a race who is there: repeated until the race knows, or until it does not matter any more."""

import asyncio

from cellrace_server.core.commands import AnyCommand, Appear, Vanish
from cellrace_server.core.outcome import Rejected
from cellrace_server.services.room import Answer, Room


class Attendance:
    """The connections of one race on this node, by session. Implements `services.room.Asker`.

    While the store is away nothing can be said; what a session did last is said when the store is back.
    """

    __slots__ = ("_room", "_unsaid")

    def __init__(self, room: Room) -> None:
        self._room = room
        self._unsaid: dict[str, Appear | Vanish] = {}

    def appears(self, player: str, session: str) -> None:
        """This connection has the player's seat from now on."""
        self._say(session, Appear(player, session))

    def vanishes(self, player: str, session: str) -> None:
        """This connection is gone, or receives the race no more."""
        self._say(session, Vanish(player, session))

    def appearing(self, session: str) -> bool:
        """Whether the race is still to learn of this connection: facts about older ones do not concern it."""
        return isinstance(self._unsaid.get(session), Appear)

    def superseded(self, session: str) -> None:
        """Another connection has the seat: there is nothing more to say about this one."""
        self._unsaid.pop(session, None)

    def answered(self, _room: Room, command: AnyCommand, answer: Answer, /) -> None:
        """Say it again later where the race could not be told."""
        assert isinstance(command, Appear | Vanish), "nothing else is said here"
        if self._unsaid.get(command.session) is not command:
            return
        if isinstance(answer, Rejected) and answer.retry_after:
            again = asyncio.get_running_loop().call_later
            again(answer.retry_after / 1_000, self._say_again, command)
        else:
            del self._unsaid[command.session]

    def _say(self, session: str, command: Appear | Vanish) -> None:
        self._unsaid[session] = command
        self._room.submit(command, self)

    def _say_again(self, command: Appear | Vanish) -> None:
        if self._unsaid.get(command.session) is command:
            self._room.submit(command, self)
