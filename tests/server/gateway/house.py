"""A gateway with real sockets on a node without a store: for what a real process would take too long to show."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from cellrace_server.gateway.channels import Channels
from cellrace_server.gateway.counters import Counters
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.followers import Followers
from cellrace_server.gateway.onlookers import Onlookers
from cellrace_server.gateway.server import Gateway, Listening
from cellrace_server.services.pulse import Pulse
from tests.server.services.node import Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory


class House:
    """`url` is where clients connect."""

    def __init__(self, gateway: Gateway, desk: Desk, node: Node) -> None:
        self.gateway = gateway
        self.desk = desk
        self.node = node

    @property
    def port(self) -> int:
        return self.gateway.port

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"


def desk_of(node: Node) -> Desk:
    """What the composition makes of a node."""
    channels = Channels(node.hall, node.clock.now, node.listing)
    node.hall.listen(channels)
    node.hall.listen(Onlookers(channels, node.sights))
    followers = Followers(node.listing, node.clock.now)
    for reader in (channels, followers):
        node.listing.listen(reader)
    return Desk(
        people=node.people,
        hall=node.hall,
        lobby=node.lobby,
        daily=node.daily,
        ghosts=node.ghosts,
        shown=node.shown,
        results=node.results,
        ratings=node.ratings,
        profiles=node.profiles,
        eraser=node.eraser,
        sights=node.sights,
        channels=channels,
        listing=node.listing,
        followers=followers,
        counters=Counters(),
        clock=node.clock,
        nodes=node.nodes,
        roll_call=node.roll_call,
        pulse=Pulse(node.memory.confirm, node.clock),
    )


@asynccontextmanager
async def house(listening: Listening) -> AsyncGenerator[House]:
    """A gateway that listens; everybody is cut at the end."""
    node = Node(Memory(), ManualClock())
    desk = desk_of(node)
    gateway = Gateway(desk, listening)
    async with running(node):
        await gateway.start()
        try:
            yield House(gateway, desk, node)
        finally:
            await gateway.drain(0)
            await gateway.close()
