"""As many connections as are allowed, by default 10,000, and what one more is told."""

import asyncio
import resource
from pathlib import Path

import pytest
from bench.load.frames import encode, frame
from bench.load.peers import Closed, Crowd, Peer
from bench.load.watchers import Mover

from tests.support.server_process import server_process
from tests.support.wire_client import MSGPACK

pytestmark = pytest.mark.asyncio

WITHIN = 240
DEFAULT = 10_000
FEW = 1_000
AT_ONCE = 100
KIB = 1 << 10
EACH_MOST = 24 * KIB
"""Memory of an idle connection, with room for another Python; `python -m bench memory` measures it."""

FILES = 10_500
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def come_in(crowd: Crowd, port: int, count: int) -> None:
    """Idle connections that have said hello."""
    hello = frame(encode(("hello", 1, "Idle")))
    for _ in range(count // AT_ONCE):
        peers = [Peer(port, MSGPACK) for _ in range(AT_ONCE)]
        for peer in peers:
            peer.socket.sendall(hello)
        crowd.add(peers)
        crowd.rest()


@pytest.mark.skipif(0 <= HARD < FILES, reason=f"{FILES} open files are not allowed here")
@pytest.mark.parametrize("most", [3_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.spec("1.3")
async def test_so_many_and_no_more(tmp_path: Path, most: int) -> None:
    """Then 503; who races among them is not disturbed."""
    flags = () if most == DEFAULT else ("--connections-most", str(most))
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, HARD))
    try:
        async with asyncio.timeout(WITHIN), server_process(tmp_path, *flags) as server:
            with Crowd() as crowd:
                player = Mover(server.port, MSGPACK)
                player.begin()
                crowd.add([player])
                await asyncio.to_thread(come_in, crowd, server.port, FEW)
                small = server.rss
                await asyncio.to_thread(come_in, crowd, server.port, most - FEW - AT_ONCE)
                assert (server.rss - small) / (most - FEW - AT_ONCE) < EACH_MOST
                for _ in range(AT_ONCE - 1):
                    crowd.add([Peer(server.port, MSGPACK)])
                assert await server.gauge("cellrace_connections") == most
                with pytest.raises(Closed, match="503"):
                    Peer(server.port, MSGPACK)
                for _ in range(50):
                    player.send(player.moves(1))
                    await asyncio.to_thread(crowd.drive, lambda: player.applied == player.n, WITHIN)
            assert "Traceback" not in server.log
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
