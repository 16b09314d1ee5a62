"""A spectator that reads nothing for a while, on a real socket: no facts meanwhile, then a snapshot, then facts."""

import asyncio
import socket

import pytest
from websockets.asyncio.client import ClientConnection

from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_server.gateway.server import Listening
from cellrace_server.gateway.wire import BEHIND_BYTES, Wire
from tests.server.gateway.house import House, house
from tests.support.lines import DEAL
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60
NO_PING = bytes((0x8A, 125)) + b"x" * 125
"""An unsolicited pong: nothing to a client."""


async def running(server: House, player: WireClient) -> tuple[int, str]:
    """Channel and name of a race alone that runs."""
    _, _, channel, race, *_ = await player.ask("create", str(DEAL), "classic", 1, True, True, 0)
    await player.say(["ready", channel])
    await server.node.clock.settle()
    await player.hear_until("go")
    return channel, race


def fill(wire: Wire) -> None:
    """Let more wait for a peer than a spectator may leave unread."""
    wire.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    while wire.transport.get_write_buffer_size() <= 2 * BEHIND_BYTES:
        wire.write(NO_PING * 100)


def take_no_more(peer: ClientConnection) -> None:
    """Keep the system from taking for a peer, by and by, what it does not read."""
    peer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_who_reads_again_gets_a_snapshot(subprotocol: str) -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as player:
        channel, race = await running(server, player)
        others = set(server.gateway.wires)
        async with wire_client(server.url, subprotocol) as spectator:
            (wire,) = server.gateway.wires - others
            await spectator.ask("watch", race)
            await spectator.hear_until("snap")
            spectator.socket.transport.pause_reading()
            take_no_more(spectator.socket)
            fill(wire)
            await eventually(lambda: wire.paused)
            for n, move in enumerate(("2a", "2b", "2c"), 1):
                await player.say(["m", channel, n, move])
                await player.hear_until("a")
            shown = server.desk.channels.of(server.node.hall.rooms[race])
            assert shown is not None
            shown.gallery.flush()
            spectator.socket.transport.resume_reading()
            snapshot = await spectator.hear_until("snap")
            assert shown.gallery.race is not None
            assert snapshot[2] == shown.gallery.race.number
            await player.say(["u", channel, 4])
            assert (await spectator.hear())[:3] == ["d", channel, snapshot[2] + 1]
