"""A crowd of which many never read: nobody else notices, and they are gone in time."""

import asyncio
import socket
import time

import pytest
from bench.load.frames import decode
from bench.load.peers import Crowd
from bench.load.watchers import Mover, Watcher, watching

from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 120
MIB = 1 << 20
SPECTATORS, STALLED = 1_000, 200
GONE_S = 15
GROWTH_MOST = 80 * MIB
MOVES_A_TICK = 4


class Reader(Watcher):
    """A spectator that notes whether facts come in order, without a gap."""

    number = 0
    missed = 0

    def heard(self, payload: bytes, /) -> None:
        message = decode(payload)
        if message[0] == "d":
            number = int(str(message[2]))
            self.missed += self.number not in (0, number - 1)
            self.number = number
            self.count += 1


def stalled(crowd: Crowd, port: int, count: int, race: str) -> list[Watcher]:
    """Spectators who have seen the snapshot and never read again."""
    watchers = watching(crowd, port, count, race, Watcher)
    for watcher in watchers:
        watcher.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        crowd.forsake(watcher)
    return watchers


def play(crowd: Crowd, player: Mover, seconds: float) -> None:
    """Move on and on, as fast as acknowledged and no faster than spectators are told."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        wanted = player.applied + MOVES_A_TICK
        player.send(player.moves(MOVES_A_TICK))
        crowd.drive(lambda: player.applied >= wanted, WITHIN)  # noqa: B023 - called at once
        later = time.monotonic() + 0.05
        crowd.drive(lambda: time.monotonic() >= later, WITHIN)  # noqa: B023 - called at once


@pytest.mark.spec("1.8", "1.11")
async def test_a_crowd_of_which_many_never_read(server: ServerProcess) -> None:
    """1,000 spectators, 200 of them deaf: invariants 3 and 6, flat memory, and an end in time."""
    async with asyncio.timeout(WITHIN):
        with Crowd() as crowd:
            player = Mover(server.port, "cellrace.1.msgpack")
            race = player.begin()
            crowd.add([player])
            readers = watching(crowd, server.port, SPECTATORS - STALLED, race, Reader)
            before = server.rss
            deaf = stalled(crowd, server.port, STALLED, race)
            since = time.monotonic()
            while await server.gauge("cellrace_connections") > 1 + len(readers):
                assert time.monotonic() - since < GONE_S
                await asyncio.to_thread(play, crowd, player, 0.5)
            assert server.rss - before < GROWTH_MOST
            await asyncio.to_thread(play, crowd, player, 0.5)
            last = max(reader.number for reader in readers)
            await asyncio.to_thread(
                crowd.drive, lambda: all(reader.number == last for reader in readers), WITHIN
            )
            assert last > player.applied > 0
            assert sum(reader.missed for reader in readers) == 0
            again = stalled(crowd, server.port, 50, race)
            assert await server.stop(within=5) == 0
            for watcher in deaf + again:
                watcher.socket.close()
    assert "Traceback" not in server.log
