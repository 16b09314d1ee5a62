"""The contract of `ports.sightings.Sightings`."""

import asyncio

import pytest

from tests.server.contracts.conftest import Node, Nodes

pytestmark = pytest.mark.asyncio


async def test_the_first_sight_of_a_deal_is_the_first_for_good(nodes: Nodes) -> None:
    first, second = nodes
    assert await first.sightings.see("anna", 617, "race")
    assert not await second.sightings.see("anna", 617, "another")
    for node in nodes:
        assert await node.sightings.see("anna", 617, "race"), "asked again"


async def test_players_and_deals_are_apart(node: Node) -> None:
    assert await node.sightings.see("anna", 617, "race")
    assert await node.sightings.see("bob", 617, "other")
    assert await node.sightings.see("anna", 2**33 - 1, "other")


async def test_of_several_at_once_one_is_the_first(nodes: Nodes) -> None:
    answers = await asyncio.gather(*(nodes[n % 2].sightings.see("anna", 617, f"race {n}") for n in range(20)))
    assert sum(answers) == 1
