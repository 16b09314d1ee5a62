"""Players whose connection ends at the worst moment: no seat is kept for one whom nobody can reach."""

import asyncio

import pytest

from tests.support.server_process import ServerProcess
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30
CLIENTS = 20
AWAY = 11


@pytest.mark.spec("6.4")
async def test_who_presses_quick_match_and_is_gone_is_away_from_the_first(server: ServerProcess) -> None:
    """Whether the connection ended before, while or after the seat was taken."""
    async with asyncio.timeout(WITHIN), wire_client(server.url) as watcher:
        for number in range(CLIENTS):
            async with wire_client(server.url) as client:
                await client.say(["quick", 1, f"classic+undo_depth={number + 1}"])
                for _ in range(number % 5):
                    await asyncio.sleep(0)
                client.socket.transport.abort()
        while await server.gauge("cellrace_connections") != 1:
            pass
        rows = (await watcher.ask("races"))[2]
        for race, *_ in rows:
            ch = (await watcher.ask("watch", race))[2]
            while (snapshot := await watcher.hear_until("snap"))[19][0][0] and not snapshot[19][0][AWAY]:
                await watcher.say(["look", ch])
