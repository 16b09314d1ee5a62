"""The contracts of `ports.careers.Careers` and `ports.erasure.Erasure`, and of identities that are forgotten."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from cellrace_engine import rules_text
from cellrace_server.core.boards import Board, entries, of_deal
from cellrace_server.core.dailies import ATTEMPT_DAYS, DAILY_RULES, attempt_name
from cellrace_server.core.days import day_text
from cellrace_server.core.erasing import nameless, without_names
from cellrace_server.core.facts import Created, Joined
from cellrace_server.core.people import Player
from cellrace_server.core.ratings import Finishers, Pool, changes
from cellrace_server.ports.careers import Career, Raced
from cellrace_server.ports.directory import Identity
from cellrace_server.ports.race_log import Append
from cellrace_server.ports.results import Look
from cellrace_server.ports.sightings import Sight
from tests.server.contracts.conftest import Node, Nodes
from tests.support.samples import ANNA, EVERY_FACT, run

pytestmark = pytest.mark.asyncio

BOB = Player("bob", "Bob")
POOL = Pool("classic")


async def test_a_career_is_counted_once_in_any_order(nodes: Nodes) -> None:
    first, second = nodes
    assert await first.careers.of("anna") == Career(0, 0, [])
    late = [Raced("anna", "pocket", won=False), Raced("bob", "pocket", won=True)]
    early = [Raced("anna", "classic", won=True)]
    for node in (first, second, first):
        assert list(await node.careers.count("r2", 2_000, late)) == []
        assert list(await node.careers.count("r1", 1_000, early)) == []
        assert list(await node.careers.count("r0", 500, [])) == []
    assert await second.careers.of("anna") == Career(2, 1, ["pocket", "classic"])
    assert await second.careers.of("bob") == Career(1, 1, ["pocket"])
    assert list(await first.careers.races("anna", 5)) == ["r2", "r1"]
    assert list(await first.careers.races("anna", 5, 1)) == ["r1"]
    for count, offset in ((0, 0), (5, 2), (5, -1), (-1, 0)):
        assert list(await first.careers.races("anna", count, offset)) == []


async def test_races_whose_logs_name_a_player_are_known_and_no_part_of_a_career(nodes: Nodes) -> None:
    first, second = nodes
    raced = [Raced("bob", "classic", won=True)]
    for node in (first, second):
        assert list(await node.careers.count("r1", 1_000, raced, ["anna", "carl"])) == []
        assert list(await node.careers.count("r2", 2_000, [], ["anna"])) == []
    assert sorted(await first.careers.named("anna")) == ["r1", "r2"]
    assert list(await second.careers.named("carl")) == ["r1"]
    assert list(await first.careers.named("bob")) == []
    assert await second.careers.of("anna") == Career(0, 0, [])
    assert not await second.erasure.begun("anna")
    await first.erasure.begin(ANNA)
    assert await second.erasure.begun("anna")
    assert list(await second.careers.count("r3", 3_000, raced, ["carl", "anna"])) == ["anna"]
    await second.erasure.wipe("anna", 21_000)
    assert list(await first.careers.named("anna")) == []
    assert sorted(await first.careers.named("carl")) == ["r1", "r3"]


async def test_which_race_was_the_attempt_of_a_day_goes_too(node: Node) -> None:
    today, rules = 21_000, rules_text(DAILY_RULES[0])
    kept = [
        attempt_name(day_text(number), rules, "anna") for number in (today - ATTEMPT_DAYS, today, today + 1)
    ]
    others = attempt_name(day_text(today), rules, "bob")
    for name in (*kept, others):
        await node.directory.claim(name, "race")
    await node.erasure.begin(ANNA)
    await node.erasure.wipe("anna", today)
    assert [await node.directory.holder(name) for name in kept] == [None] * 3
    assert await node.directory.holder(others) == "race"


@dataclass
class Kept:
    """All that a store has of a player, as far as its ports tell."""

    careers: object
    runs: object
    rows: object
    replay: object
    rated: object
    steps: object
    days: object
    seen: object


async def kept(node: Node, player: str) -> Kept:
    page = await node.results.page(Board(of_deal("FC1-C4-AAAAATJ"), "classic").name, Look(0, player=player))
    mine = await node.results.runs(player, 10)
    return Kept(
        await node.careers.of(player),
        list(mine.runs),
        None if page.mine is None else page.mine.row.run,
        [await node.results.replay(each.id) for each in mine.runs],
        await node.ratings.of(POOL, [player]),
        list(await node.ratings.history(POOL, player)),
        await node.dailies.days(player, "classic"),
        dict(await node.sightings.of(player)),
    )


async def live(node: Node, player: Player, at: int) -> None:
    """Some of everything that is kept."""
    each = replace(run(player.id, 60_000 + at, at), player=player, ranked=True)
    await node.careers.count(f"r{at}", at, [Raced(player.id, "classic", won=True)])
    assert await node.results.book(each, entries(each), b"replay")
    (known,) = await node.ratings.of(POOL, [player.id])
    finishers = Finishers(POOL, (player, BOB), (1, 2))
    (bob,) = await node.ratings.of(POOL, ["bob"])
    if player != BOB:
        assert await node.ratings.book(POOL, f"r{at}", changes(f"r{at}", at, finishers, (known, bob)))
    await node.dailies.finished(player.id, "classic", 21_000)
    await node.sightings.see([Sight(player.id, 617, f"r{at}")])


async def test_all_of_a_player_goes_and_nothing_of_others(nodes: Nodes) -> None:
    first, second = nodes
    for at in range(1, 4):
        await live(first, ANNA, at)
    await live(first, BOB, 0)
    bob = await kept(first, "bob")
    nothing = await kept(first, "nobody")
    assert (await kept(first, "anna")).rows is not None
    await first.erasure.begin(ANNA)
    assert list(await second.erasure.unfinished()) == [ANNA]
    for node in (first, second):
        await node.erasure.wipe("anna", 21_000)
    assert await kept(first, "anna") == nothing
    assert await kept(first, "bob") == bob
    for node in (first, second):
        await node.erasure.end("anna")
    assert list(await first.erasure.unfinished()) == []
    page = await first.results.page(Board(of_deal("FC1-C4-AAAAATJ"), "classic").name, Look())
    assert [row.run.player.id for row in page.rows] == ["bob"]


async def test_nothing_is_kept_of_who_was_erased_whatever_is_booked(node: Node) -> None:
    nothing = await kept(node, "nobody")
    await node.erasure.begin(ANNA)
    each = replace(run("anna"), ranked=True)
    assert not await node.results.book(each, entries(each), b"replay")
    assert await node.results.run(each.id) is None
    raced = [Raced("anna", "classic", won=True), Raced("bob", "classic", won=False)]
    assert list(await node.careers.count("r", 1, raced)) == ["anna"]
    assert list(await node.sightings.see([Sight("anna", 617, "r")])) == [False]
    await node.identities.keep(b"token", Identity(ANNA, 1))
    assert await node.identities.who("anna") is None
    assert await kept(node, "anna") == nothing
    assert (await node.careers.of("bob")).races == 1


async def test_identities_lead_to_nobody_and_no_token_proves_the_player(nodes: Nodes) -> None:
    first, second = nodes
    assert await first.identities.who("anna") is None
    for token in (b"old", b"new"):
        await first.identities.keep(token, Identity(ANNA, 7))
    await first.identities.keep(b"his", Identity(BOB, 8))
    assert await first.identities.change_token("anna", b"old", b"new")
    assert await second.identities.who("anna") == Identity(ANNA, 7)
    for node in (first, second):
        await node.identities.forget(nameless(ANNA))
        assert await node.identities.who("anna") is None
    for token in (b"old", b"new"):
        found = await second.identities.find(token)
        assert found is not None
        assert found.player == Player("anna", "deleted player")
    assert await second.identities.token_of("anna") == b""
    assert await second.identities.who("bob") == Identity(BOB, 8)
    assert await second.identities.find(b"his") == Identity(BOB, 8)


async def test_a_log_is_rewritten_without_a_name_and_is_a_log_as_before(nodes: Nodes) -> None:
    first, second = nodes
    log = list(EVERY_FACT)
    assert await first.log.append([Append("race", 0, log)]) == [None]
    other = without_names(log, ["anna"])
    assert sorted(other) == [1, 2]
    for node in (first, second):
        await node.log.rewrite("race", other)
    facts = list(await second.log.read("race"))
    assert facts == [other.get(number, fact) for number, fact in enumerate(log, 1)]
    created, joined = facts[:2]
    assert isinstance(created, Created)
    assert isinstance(joined, Joined)
    assert created.host.name == joined.player.name == "deleted player"
    assert without_names(facts, ["anna"]) == {}
    assert await first.log.append([Append("race", len(log), [EVERY_FACT[3]])]) == [None]
    assert len(await first.log.read("race")) == len(log) + 1
    await first.log.rewrite("no race", other)
    assert list(await first.log.read("no race")) == []
