"""Snapshots that are asked for again are what they would be if each were made anew."""

import pytest

from cellrace_server.core.commands import Ready
from cellrace_server.gateway import snapshots
from cellrace_server.gateway.snapshots import Snapshots
from cellrace_server.gateway.translate import snapshot
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, PAIR, Node, running
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory


@pytest.mark.asyncio
async def test_a_snapshot_is_made_once_for_each_audience_and_fact(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, kept = Node(Memory(), clock), Snapshots(7)
    made: list[object] = []

    def counted(*arguments: object) -> object:
        made.append(arguments[2])
        return snapshot(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(snapshots, "snapshot", counted)
    async with running(node):
        room = await node.lobby.create(Visitor(ADA), Terms(PAIR, 617))
        assert isinstance(room, Room)
        for _ in range(2):
            race = room.race
            assert race is not None
            for you in (-1, 0, -1, 0):
                clock.move(30)
                now = clock.now()
                assert kept.of(race, you, now, now % 5) == snapshot(7, race, you, now, now % 5)
            await node.hall.ask(room, Ready("ada"))
    assert made == [-1, 0, -1, 0]
