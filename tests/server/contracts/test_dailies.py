"""The contract of `ports.dailies`."""

import pytest

from cellrace_server.core.dailies import Daily
from cellrace_server.core.streaks import FIRST_DAY, Streak, streak
from tests.server.contracts.conftest import Node, Nodes

pytestmark = pytest.mark.asyncio

FIRST = Daily("2026-11-30", "classic", 617, b"salt", 1_000)


async def test_the_secret_is_drawn_once_and_is_the_same_on_all_nodes(nodes: Nodes) -> None:
    here, there = nodes
    assert await here.dailies.secret(b"\x00ours\xff") == b"\x00ours\xff"
    assert await there.dailies.secret(b"theirs") == b"\x00ours\xff"
    assert await here.dailies.secret(b"another") == b"\x00ours\xff"


async def test_of_two_deals_of_a_day_the_first_stands(nodes: Nodes) -> None:
    here, there = nodes
    assert await here.dailies.find(FIRST.day, "classic") is None
    assert await here.dailies.keep(FIRST) == FIRST
    assert await there.dailies.keep(Daily("2026-11-30", "classic", 618, b"other", 999)) == FIRST
    assert await there.dailies.find(FIRST.day, "classic") == FIRST


async def test_days_and_rules_have_deals_of_their_own(node: Node) -> None:
    others = [
        Daily("2026-12-01", "classic", 1, b"a", 1),
        Daily("2026-11-30", "pocket+cells=2", 2, b"b", 2),
    ]
    for daily in (FIRST, *others):
        assert await node.dailies.keep(daily) == daily
    for daily in (FIRST, *others):
        assert await node.dailies.find(daily.day, daily.rules) == daily


async def test_days_count_once_and_in_any_order(nodes: Nodes) -> None:
    here, there = nodes
    today = FIRST_DAY + 700
    for day in (today, today - 2, today - 1, today, today - 9, FIRST_DAY):
        await here.dailies.finished("ada", "classic", day)
    assert streak(await there.dailies.days("ada", "classic"), today) == Streak(3, 3)


async def test_a_day_before_the_first_does_not_count(node: Node) -> None:
    await node.dailies.finished("ada", "classic", FIRST_DAY - 1)
    assert streak(await node.dailies.days("ada", "classic"), FIRST_DAY) == Streak(0, 0)


async def test_players_and_rules_have_days_of_their_own(node: Node) -> None:
    await node.dailies.finished("ada", "classic", FIRST_DAY)
    assert await node.dailies.days("grace", "classic") == b""
    assert await node.dailies.days("ada", "pocket+cells=2") == b""
