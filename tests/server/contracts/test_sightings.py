"""The contract of `ports.sightings.Sightings`."""

import asyncio

import pytest

from cellrace_server.ports.sightings import Sight
from tests.server.contracts.conftest import Node, Nodes

pytestmark = pytest.mark.asyncio


async def sees(node: Node, player: str, deal: int, by: str) -> bool:
    (first,) = await node.sightings.see([Sight(player, deal, by)])
    return first


async def test_the_first_sight_of_a_deal_is_the_first_for_good(nodes: Nodes) -> None:
    first, second = nodes
    assert await sees(first, "anna", 617, "race")
    assert not await sees(second, "anna", 617, "another")
    for node in nodes:
        assert await sees(node, "anna", 617, "race"), "asked again"


async def test_players_and_deals_are_apart(node: Node) -> None:
    assert await sees(node, "anna", 617, "race")
    assert await sees(node, "bob", 617, "other")
    assert await sees(node, "anna", 2**33 - 1, "other")


async def test_many_are_answered_each_in_its_place(nodes: Nodes) -> None:
    first, second = nodes
    assert list(await first.sightings.see([])) == []
    sights = [
        Sight("anna", 617, "race"),
        Sight("bob", 617, "race"),
        Sight("anna", 617, "another"),
        Sight("anna", 618, "race"),
    ]
    for node in nodes:
        assert list(await node.sightings.see(sights)) == [True, True, False, True]
    assert dict(await second.sightings.of("anna")) == {617: "race", 618: "race"}


async def test_of_several_at_once_one_is_the_first(nodes: Nodes) -> None:
    answers = await asyncio.gather(*(sees(nodes[n % 2], "anna", 617, f"race {n}") for n in range(20)))
    assert sum(answers) == 1
