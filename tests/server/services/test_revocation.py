"""Tokens that are changed and revoked: from then on, on every node, whatever was on its way."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind
from cellrace_server.services.identities import Known, People
from tests.server.services.node import Node
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio

NEW = "n" * 40
OTHER = "o" * 40


async def stored(people: People, name: str = "Ada") -> Known:
    return await people.remember(people.guest(name, Kind.HUMAN))


async def whose(people: People, token: str) -> str | None:
    """The name of the player whom a token proves."""
    found = await people.find(token, "nobody yet", Kind.HUMAN)
    return found.player.name if found is not None else None


@asynccontextmanager
async def following(people: People) -> AsyncGenerator[list[str]]:
    checked: list[str] = []

    async def check(player: str) -> None:
        await people.proves(Known(people.guest("", Kind.HUMAN).player, OTHER, stored=False))
        checked.append(player)

    task = asyncio.create_task(people.follow(check))
    yield checked
    assert not task.done()
    task.cancel()
    await asyncio.wait([task])


async def test_the_new_token_proves_the_player_and_the_old_one_nobody(node: Node) -> None:
    ada = await stored(node.people)
    renewed = await node.people.renew(ada, NEW)
    assert renewed == Known(ada.player, NEW, stored=True)
    assert await whose(node.people, NEW) == "Ada"
    assert await whose(node.people, ada.token) is None
    assert not await node.people.proves(ada)
    assert await node.people.renew(ada, NEW) == renewed, "it may be repeated"
    assert isinstance(await node.people.renew(ada, OTHER), Rejected), "not with a dead token"
    assert await whose(node.people, NEW) == "Ada"


async def test_a_guest_who_renews_is_kept(node: Node) -> None:
    guest = node.people.guest("Ada", Kind.HUMAN)
    renewed = await node.people.renew(guest, NEW)
    assert isinstance(renewed, Known)
    assert renewed.player.id == guest.player.id
    assert await whose(node.people, NEW) == "Ada"
    assert await whose(node.people, guest.token) is None


async def test_anothers_token_cannot_be_had(node: Node) -> None:
    ada, grace = await stored(node.people), await stored(node.people, "Grace")
    refused = await node.people.renew(ada, grace.token)
    assert isinstance(refused, Rejected)
    assert refused.reason == "bad_token"
    assert await whose(node.people, ada.token) == "Ada"
    assert await whose(node.people, grace.token) == "Grace"


async def test_of_two_who_renew_at_once_one_does(memory: Memory, clock: ManualClock) -> None:
    here, there = Node(memory, clock, "a"), Node(memory, clock, "b")
    ada = await stored(here.people)
    done = await asyncio.gather(here.people.renew(ada, NEW), there.people.renew(ada, OTHER))
    winner = next(known for known in done if isinstance(known, Known))
    assert sum(isinstance(known, Known) for known in done) == 1
    proving = [token for token in (ada.token, NEW, OTHER) if await whose(here.people, token) == "Ada"]
    assert proving == [winner.token]


@pytest.mark.parametrize("kept", [True, False])
async def test_a_revoked_player_cannot_come_back(node: Node, kept: bool) -> None:
    ada = await stored(node.people) if kept else node.people.guest("Ada", Kind.HUMAN)
    for _ in range(2):
        await node.people.revoke(ada.player.id)
    assert await whose(node.people, ada.token) is None
    refused = await node.people.renew(ada, NEW)
    assert isinstance(refused, Rejected)
    assert refused.reason == "revoked"
    assert await whose(node.people, NEW) is None


async def test_a_player_is_found_by_name_in_any_spelling(node: Node) -> None:
    ada = await stored(node.people)
    assert await node.people.named("A.D.A") == ada.player.id
    assert await node.people.named("Grace") is None


async def test_every_node_checks_what_any_has_changed(memory: Memory, clock: ManualClock) -> None:
    here, there = Node(memory, clock, "a"), Node(memory, clock, "b")
    ada, grace = await stored(here.people), await stored(here.people, "Grace")
    async with following(here.people) as mine, following(there.people) as theirs:
        await clock.settle()
        assert mine == theirs == [""], "anything may have been missed before"
        await here.people.revoke(ada.player.id)
        await there.people.renew(grace, NEW)
        await clock.settle()
        assert sorted(mine) == sorted(theirs) == sorted(["", ada.player.id, grace.player.id])


async def test_what_could_not_be_checked_is_checked_later(memory: Memory, clock: ManualClock) -> None:
    node = Node(memory, clock)
    async with following(node.people) as checked:
        await clock.settle()
        await node.people.revoke("ada")
        memory.away = True
        await clock.settle()
        assert checked == [""]
        memory.away = False
        await clock.pass_time(1_000)
        assert checked == ["", "ada"]


async def test_a_revocation_overtakes_no_hello(memory: Memory, clock: ManualClock) -> None:
    """The store answered the hello before the revocation, and the answer comes after it."""
    node = Node(memory, clock)
    ada = await stored(node.people)
    real = node.people.proves

    async def late(known: Known) -> bool:
        answer = await real(known)
        if answer:
            await node.people.revoke(ada.player.id)
        return answer

    node.people.proves = late  # type: ignore[method-assign]
    assert await node.people.find(ada.token, "", Kind.HUMAN) is None
