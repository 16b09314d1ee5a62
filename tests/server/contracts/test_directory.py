"""The contracts of `ports.directory`: names and identities."""

import asyncio
from collections.abc import AsyncGenerator
from hashlib import sha256
from typing import cast

import pytest

from cellrace_server.core.people import Player
from cellrace_server.ports.directory import Identity
from tests.server.contracts.conftest import Node, Nodes
from tests.support.samples import ANNA, ROBOT

pytestmark = pytest.mark.asyncio

TOKEN = sha256(b"secret").digest()


async def test_a_free_name_is_had_by_who_claims_it(node: Node) -> None:
    assert await node.directory.claim("FC-617", "race 1") == "race 1"


async def test_a_held_name_is_not_had(nodes: Nodes) -> None:
    first, second = nodes
    await first.directory.claim("FC-617", "race 1")
    assert await second.directory.claim("FC-617", "race 2") == "race 1"
    assert await second.directory.claim("FC-618", "race 2") == "race 2"


async def test_a_claim_may_be_repeated(node: Node) -> None:
    for _ in range(3):
        assert await node.directory.claim("FC-617", "race 1") == "race 1"


async def test_of_claims_at_once_one_is_granted_and_all_are_told_which(nodes: Nodes) -> None:
    told = await asyncio.gather(*(nodes[n % 2].directory.claim("FC-617", f"race {n}") for n in range(40)))
    assert len(set(told)) == 1


async def test_a_name_that_was_released_is_free(node: Node) -> None:
    await node.directory.claim("FC-617", "race 1")
    for _ in range(2):
        await node.directory.release("FC-617", "race 1")
    assert await node.directory.claim("FC-617", "race 2") == "race 2"


async def test_only_the_holder_releases(node: Node) -> None:
    await node.directory.claim("FC-617", "race 1")
    await node.directory.release("FC-617", "race 2")
    await node.directory.release("never claimed", "race 1")
    assert await node.directory.claim("FC-617", "race 3") == "race 1"


async def test_names_may_be_any(node: Node) -> None:
    assert await node.directory.claim("{ü}\n\0", "{r}ü") == "{r}ü"
    assert await node.directory.claim("", "race") == "race"


async def test_a_token_nobody_has_finds_nobody(node: Node) -> None:
    assert await node.identities.find(TOKEN) is None


async def test_an_identity_is_found_by_its_token(nodes: Nodes) -> None:
    first, second = nodes
    await first.identities.keep(TOKEN, Identity(ANNA, 1_000))
    await first.identities.keep(sha256(b"other").digest(), Identity(ROBOT, 2**45))
    assert await second.identities.find(TOKEN) == Identity(ANNA, 1_000)
    assert await second.identities.find(sha256(b"other").digest()) == Identity(ROBOT, 2**45)


async def test_an_identity_is_for_good(nodes: Nodes) -> None:
    first, second = nodes
    standing = Identity(Player("anna", "Anna"), 1_000)
    assert await first.identities.keep(TOKEN, standing) == standing
    assert await second.identities.keep(TOKEN, Identity(Player("anna", "Anne"), 2_000)) == standing
    assert await first.identities.keep(TOKEN, standing) == standing
    assert await second.identities.find(TOKEN) == standing


async def test_the_holder_of_a_name_is_told_without_claiming_it(nodes: Nodes) -> None:
    first, second = nodes
    assert await first.directory.holder("FC-617") is None
    await first.directory.claim("FC-617", "race 1")
    assert await second.directory.holder("FC-617") == "race 1"


OTHER, THIRD = sha256(b"other").digest(), sha256(b"third").digest()


async def test_a_token_is_changed_once_and_by_who_has_it(nodes: Nodes) -> None:
    first, second = nodes
    assert await first.identities.token_of("anna") is None
    for _ in range(2):
        assert await first.identities.change_token("anna", TOKEN, OTHER)
    assert await second.identities.token_of("anna") == OTHER
    assert not await second.identities.change_token("anna", TOKEN, THIRD)
    assert await first.identities.token_of("anna") == OTHER
    assert await second.identities.change_token("anna", OTHER, THIRD)
    assert await first.identities.token_of("anna") == THIRD
    assert await first.identities.token_of("robot") is None


async def test_of_changes_at_once_one_is_made(nodes: Nodes) -> None:
    new = [sha256(bytes([number])).digest() for number in range(20)]
    changes = [nodes[n % 2].identities.change_token("anna", TOKEN, token) for n, token in enumerate(new)]
    done = await asyncio.gather(*changes)
    assert done.count(True) == 1
    assert await nodes[0].identities.token_of("anna") == new[done.index(True)]


async def test_what_was_revoked_stays_so(nodes: Nodes) -> None:
    first, second = nodes
    await first.identities.change_token("anna", TOKEN, OTHER)
    for _ in range(2):
        await second.identities.revoke("anna")
    assert await first.identities.token_of("anna") == b""
    for old in (TOKEN, OTHER, THIRD):
        assert not await first.identities.change_token("anna", old, THIRD)
    assert await first.identities.token_of("anna") == b""


async def test_other_nodes_hear_of_it(nodes: Nodes) -> None:
    first, second = nodes
    async with asyncio.timeout(20):
        heard = second.identities.revocations()
        assert await anext(heard) == ""
        await second.identities.revoke("robot")
        await first.identities.change_token("anna", TOKEN, OTHER)
        await first.identities.change_token("anna", TOKEN, THIRD)
        await first.identities.revoke("mary")
        assert [await anext(heard), await anext(heard)] == ["anna", "mary"]
        await cast("AsyncGenerator[str]", heard).aclose()


async def test_the_stores_clock_counts_microseconds_and_goes_on(nodes: Nodes) -> None:
    first, second = nodes
    before = await first.time.store_time()
    after = await second.time.store_time()
    assert 1_600_000_000_000_000 < before <= after < before + 60_000_000
