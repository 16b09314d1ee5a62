"""Finding races and people: by name, by deal, by token."""

import asyncio
import hashlib

import pytest
from msgspec.structs import replace

from cellrace_engine import DealCode, parse_rules
from cellrace_server.adapters.chance import SystemChance
from cellrace_server.core.commands import GiveUp
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.services.identities import LOOK_AGAIN_MS, Known, People, token_fault
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, ALAN, GRACE, PAIR, SOLO, Node, running, value
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory, MemoryDirectory, MemoryIdentities
from tests.support.samples import ROBOT

pytestmark = pytest.mark.asyncio

CODE = DealCode.parse("617", 4)


def room_of(answer: Room | Rejected) -> Room:
    assert isinstance(answer, Room), answer
    return answer


def known_of(found: Known | None) -> Known:
    assert found is not None
    return found


def reason_of(answer: Room | Rejected) -> str:
    assert isinstance(answer, Rejected), answer
    return str(answer.reason)


@pytest.mark.parametrize("turn", range(8))
async def test_two_nodes_asked_for_one_deal_at_the_same_instant_give_one_race(
    memory: Memory, clock: ManualClock, turn: int
) -> None:
    """Whichever is slower, by up to eight steps, and whichever is asked first."""
    async with running(Node(memory, clock, "a")) as here, running(Node(memory, clock, "b")) as there:

        async def join(node: Node, player: Player, turns: int) -> Room:
            for _ in range(turns):
                await asyncio.sleep(0)
            return room_of(await node.lobby.join_deal(Visitor(player), CODE, PAIR))

        first = asyncio.create_task(join(here, ADA, turn % 4))
        second = asyncio.create_task(join(there, GRACE, turn // 2))
        await clock.run_until(lambda: first.done() and second.done())
        rooms = first.result(), second.result()
        await clock.settle()
        assert rooms[0].id == rooms[1].id
        assert rooms[0].race == rooms[1].race
        assert {seat.player.id for _, seat in value(rooms[0].race).seated()} == {"ada", "grace"}
        assert len(memory.logs) == 1


async def test_a_deal_whose_race_has_begun_gets_another(node: Node, clock: ManualClock) -> None:
    async with running(node):
        first = room_of(await node.lobby.join_deal(Visitor(ADA), CODE, PAIR))
        assert room_of(await node.lobby.join_deal(Visitor(GRACE), CODE, PAIR)) is first
        again = room_of(await node.lobby.join_deal(Visitor(ALAN), CODE, PAIR))
        assert again is not first
        assert room_of(await node.lobby.join_deal(Visitor(ALAN), CODE, PAIR)) is again


async def test_a_race_that_was_created_on_a_deal_is_found_by_it(node: Node, clock: ManualClock) -> None:
    """As long as it takes players, and as long as no other on that deal did before."""
    async with running(node):
        made = Terms(PAIR, CODE.number)
        created = room_of(await node.lobby.create(Visitor(ADA), made))
        other = room_of(await node.lobby.create(Visitor(ALAN), made))
        assert other is not created
        assert room_of(await node.lobby.join_deal(Visitor(GRACE), CODE, PAIR)) is created
        newest = room_of(await node.lobby.create(Visitor(ALAN), made))
        assert room_of(await node.lobby.join_deal(Visitor(ADA), CODE, PAIR)) is newest, (
            "the first one is full"
        )


@pytest.mark.parametrize("public", [True, False])
async def test_the_name_of_a_race_that_is_in_no_log_goes_to_the_next(
    node: Node, memory: Memory, clock: ManualClock, public: bool
) -> None:
    """Its log was thrown away, or its node died before there was one."""
    async with running(node):
        memory.names[f"{CODE}:classic"] = "longgone"
        made = Terms(replace(PAIR, public=public), CODE.number)
        created = room_of(await clock.carry_out(node.lobby.create(Visitor(ADA), made)))
        found = room_of(await clock.carry_out(node.lobby.join_deal(Visitor(GRACE), CODE, PAIR)))
        assert (found is created) is public


async def test_a_race_for_people_only_keeps_no_bot_from_its_deal(node: Node) -> None:
    async with running(node):
        people = room_of(await node.lobby.create(Visitor(ADA), Terms(replace(PAIR, bots=False), CODE.number)))
        assert room_of(await node.lobby.join_deal(Visitor(ROBOT), CODE, PAIR)) is not people


async def test_a_race_by_link_or_on_a_drawn_deal_is_found_by_no_deal(node: Node, memory: Memory) -> None:
    async with running(node):
        private = room_of(
            await node.lobby.create(Visitor(ADA), Terms(replace(PAIR, public=False), CODE.number))
        )
        drawn = room_of(await node.lobby.create(Visitor(ADA), Terms(PAIR)))
        code = value(drawn.race).code
        assert room_of(await node.lobby.join_deal(Visitor(GRACE), CODE, PAIR)) is not private
        assert room_of(await node.lobby.join_deal(Visitor(GRACE), code, PAIR)) is not drawn


async def test_a_race_that_cannot_be_created_leaves_its_deal_to_others(node: Node) -> None:
    async with running(node):
        nine = Terms(replace(PAIR, seats=99), CODE.number)
        assert reason_of(await node.lobby.create(Visitor(ADA), nine)) == "bad_options"
        room = room_of(await node.lobby.join_deal(Visitor(GRACE), CODE, PAIR))
        assert value(room.race).host == "grace"


async def test_the_same_deal_under_other_rules_is_another_race(node: Node) -> None:
    async with running(node):
        relaxed = Options(rules=parse_rules("relaxed"))
        first = room_of(await node.lobby.join_deal(Visitor(ADA), CODE, PAIR))
        assert room_of(await node.lobby.join_deal(Visitor(GRACE), CODE, relaxed)) is not first


async def test_a_name_held_by_a_race_that_never_came_is_taken_from_it(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    """A node died between claiming the deal and creating its race."""
    memory.names[f"{CODE}:classic"] = "nevercame"
    async with running(node):
        joining = asyncio.create_task(node.lobby.join_deal(Visitor(ADA), CODE, PAIR))
        await clock.run_until(joining.done)
        assert value(room_of(joining.result()).race).deal == 617


async def test_joining_by_name(node: Node) -> None:
    async with running(node):
        room = room_of(await node.lobby.create(Visitor(ADA), Terms(PAIR, None)))
        assert room_of(await node.lobby.join(Visitor(GRACE), room.id)) is room
        assert reason_of(await node.lobby.join(Visitor(ALAN), room.id)) == "full"
        assert reason_of(await node.lobby.join(Visitor(ALAN), "nosuchrace")) == "not_found"


async def test_terms_that_cannot_be_raced_leave_nothing_behind(node: Node, memory: Memory) -> None:
    async with running(node):
        assert reason_of(await node.lobby.create(Visitor(ADA), Terms(Options(seats=0), 617))) == "bad_options"
        pocket = Options(rules=parse_rules("pocket+cells=2"))
        node.solver.workers = 0
        assert reason_of(await node.lobby.create(Visitor(ADA), Terms(pocket, None))) == "bad_options"
        assert node.hall.rooms == {}
        assert memory.logs == {}


async def test_a_race_name_that_is_taken_elsewhere_is_passed_over(memory: Memory, clock: ManualClock) -> None:
    async with running(Node(memory, clock, "a")) as here:
        taken = room_of(await here.lobby.create(Visitor(ADA), Terms(SOLO, 617)))
        await here.hall.ask(taken, GiveUp("ada", 1))
    async with running(Node(memory, clock, "a")) as again:  # it draws the same names again
        room = room_of(await again.lobby.create(Visitor(GRACE), Terms(PAIR, 1)))
        assert room.id != taken.id
        assert value(room.race).host == "grace"


async def test_a_guest_costs_the_store_nothing_until_remembered(node: Node, memory: Memory) -> None:
    guest = node.people.guest("  Ada   Lovelace ", Kind.HUMAN)
    assert (guest.player.name, guest.stored, memory.calls) == ("Ada Lovelace", False, 0)
    known = await node.people.remember(guest)
    assert known == Known(guest.player, guest.token, stored=True)
    assert await node.people.find(guest.token, "", Kind.BOT) == known
    calls = memory.calls
    assert await node.people.remember(known) == known
    assert memory.calls == calls
    assert list(memory.identities) == [hashlib.sha256(guest.token.encode()).digest()]


async def test_a_guest_comes_back_as_the_same_player_though_nobody_remembered(node: Node) -> None:
    guest = node.people.guest("Ada", Kind.HUMAN)
    back = known_of(await node.people.find(guest.token, "Ada II", Kind.HUMAN))
    assert (back.player.id, back.player.name, back.stored) == (guest.player.id, "Ada II", False)
    assert guest.token not in guest.player.id
    assert hashlib.sha256(guest.token.encode()).hexdigest()[:20] != guest.player.id


async def test_everybody_has_a_name_and_a_token_of_their_own(node: Node) -> None:
    guests = [node.people.guest("", Kind.BOT) for _ in range(50)]
    assert all(guest.player.name for guest in guests)
    assert len({guest.token for guest in guests}) == len({guest.player.id for guest in guests}) == 50


@pytest.mark.parametrize("token", ["", "short", "x" * 31, "\ud800" * 40, "x" * 40 + "\n", "é" * 40])
async def test_what_nobody_gave_out_is_no_token(token: str) -> None:
    assert token_fault(token)


async def test_names_are_checked_and_a_missing_one_is_made_up(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    for name in ("a\nb", "\x1b[31m", "x" * 25, "\u202eevil", "a\u200bb"):
        assert node.people.fault_in(name)
    for name in ("", "   ", "Ada", "Ünal Çelik", "陳大文", "x" * 24):
        assert node.people.fault_in(name) is None
    strict = People(
        MemoryIdentities(memory), MemoryDirectory(memory), clock, SystemChance(), blocked=["admin"]
    )
    assert strict.fault_in("A.D.M.I.N")


async def test_a_name_is_one_players_and_the_next_gets_a_variation(node: Node) -> None:
    """In any spelling that people would take for the same."""
    shown: list[str] = []
    for name in ("Ada", "ada", "ADA", "\uff21da", "A.d-a", "Grace"):
        known = await node.people.remember(node.people.guest(name, Kind.HUMAN))
        shown.append(known.player.name)
    assert shown == ["Ada", "ada 2", "ADA 3", "\uff21da 4", "A.d-a 5", "Grace"]


async def test_two_nodes_give_one_name_once(memory: Memory, clock: ManualClock) -> None:
    nodes = [Node(memory, clock, "a"), Node(memory, clock, "b")]
    guests = [node.people.guest("Ada", Kind.HUMAN) for node in nodes]
    kept = await asyncio.gather(
        *(node.people.remember(guest) for node, guest in zip(nodes, guests, strict=True))
    )
    assert sorted(known.player.name for known in kept) == ["Ada", "Ada 2"]


async def test_who_come_at_once_under_one_name_wait_for_each_other_and_no_longer(
    node: Node, clock: ManualClock
) -> None:
    """Each gets another name as soon as the one before is kept."""
    began = clock.now()
    coming = asyncio.gather(*(node.people.remember(node.people.guest("Ada", Kind.HUMAN)) for _ in range(5)))
    await clock.run_until(coming.done)
    assert {known.player.name for known in coming.result()} == {"Ada", "Ada 2", "Ada 3", "Ada 4", "Ada 5"}
    assert clock.now() - began <= 4 * LOOK_AGAIN_MS


async def test_a_player_keeps_the_name_from_any_connection(node: Node) -> None:
    guest = node.people.guest("Ada", Kind.HUMAN)
    later = known_of(await node.people.find(guest.token, "Ada II", Kind.HUMAN))
    first = await node.people.remember(guest)
    assert await node.people.remember(guest) == first
    assert await node.people.remember(later) == first
    assert known_of(await node.people.find(guest.token, "", Kind.HUMAN)).player.name == "Ada"


async def test_a_name_that_very_many_want_goes_to_everybody_in_the_end(node: Node) -> None:
    kept = [await node.people.remember(node.people.guest("Ada", Kind.HUMAN)) for _ in range(40)]
    assert len({known.player.name for known in kept}) == 40
    assert all(len(known.player.name) <= 24 for known in kept)


async def test_a_name_claimed_by_nobody_who_was_kept_is_free_again(
    node: Node, memory: Memory, clock: ManualClock
) -> None:
    """A server died between the two steps; who is only slow keeps the name."""
    lost, slow = node.people.guest("Ada", Kind.HUMAN), node.people.guest("Grace", Kind.HUMAN)
    for name, guest in (("ada", lost), ("grace", slow)):
        token_hash = hashlib.sha256(guest.token.encode()).hexdigest()
        memory.names[f"name:{name}"] = f"{guest.player.id} {token_hash}"
    ada = asyncio.create_task(node.people.remember(node.people.guest("Ada", Kind.HUMAN)))
    grace = asyncio.create_task(node.people.remember(node.people.guest("Grace", Kind.HUMAN)))
    await clock.settle()
    assert not ada.done()
    assert (await node.people.remember(slow)).player.name == "Grace"
    await clock.run_until(lambda: ada.done() and grace.done())
    assert (ada.result().player.name, grace.result().player.name) == ("Ada", "Grace 2")
    assert (await node.people.remember(lost)).player.name == "Ada 2"
