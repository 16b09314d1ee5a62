"""Nodes with connections that have no sockets: whose they are, and what races know of them."""

from cellrace_server.core.commands import Ready
from cellrace_server.core.options import Options
from cellrace_server.core.people import Player
from cellrace_server.core.race import Race, Seat
from cellrace_server.gateway.channels import Channels
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.gateway.audience import Listener
from tests.server.services.node import ADA, PAIR, Node, Recorder, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory


class Connected(Listener):
    """A connection of a node."""

    def __init__(self, session: str, player: str) -> None:
        super().__init__(session)
        self._player = player

    @property
    def player(self) -> str:
        return self._player

    @property
    def session(self) -> str:
        return self.name


class House(Node):
    """A node with channels and connections."""

    def __init__(self, memory: Memory, clock: ManualClock, name: str) -> None:
        super().__init__(memory, clock, name)
        self.channels = Channels(self.hall, clock.now)
        self.hall.listen(self.channels)
        self._connections = 0

    def _connect(self, player: Player) -> Connected:
        self._connections += 1
        return Connected(self.nodes.session(self._connections), player.id)

    async def enter(self, player: Player, race: str) -> Connected:
        """A new connection takes the player's seat."""
        connection = self._connect(player)
        room = await self.lobby.join(Visitor(player, connection.session), race)
        assert isinstance(room, Room), room
        self.channels.open(room).sit(value(room.race).seat_of(player.id), connection, player.id)
        return connection

    async def hosted(self, player: Player, options: Options) -> tuple[str, Connected]:
        """A race that a player has opened to host it without a seat, and the connection that this is done on."""
        connection = self._connect(player)
        room = await self.lobby.create(Visitor(player, connection.session), Terms(options, 617, play=False))
        assert isinstance(room, Room)
        self.channels.open(room).watch(connection)
        return room.id, connection

    async def watch(self, player: Player, race: str) -> Connected:
        """A new connection of a player who has no seat looks on."""
        connection = self._connect(player)
        self.channels.open(value(await self.hall.open(race))).watch(connection)
        return connection

    def part(self, connection: Connected, race: str) -> None:
        """The connection ends, or receives the race no more."""
        channel = value(self.channels.of(self.hall.rooms[race]))
        channel.part(connection, connection.player)
        self.channels.close_if_empty(channel)

    async def opened(self, player: Player = ADA) -> str:
        """A race of two that a player has opened and is ready for."""
        room = await self.lobby.create(Visitor(player, self.nodes.session(0)), Terms(PAIR, 617))
        assert isinstance(room, Room)
        room.submit(Ready(player.id), Recorder())
        await self.enter(player, room.id)
        return room.id

    def state(self, race: str) -> Race:
        return value(self.hall.rooms[race].race)

    def seat(self, race: str, player: Player) -> Seat:
        index = self.state(race).seat_of(player.id)
        seat = self.state(race).seats[index] if index >= 0 else None
        assert seat is not None
        return seat
