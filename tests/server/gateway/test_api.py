"""The JSON pages on a store that is slow or away, beside those who play, and what they show when."""

import asyncio

import pytest
from msgspec.structs import replace

from cellrace_server.core.boards import entries
from cellrace_server.core.commands import GiveUp, Play
from cellrace_server.core.dailies import shown_at
from cellrace_server.core.days import day_of
from cellrace_server.core.people import Player
from cellrace_server.gateway.api import reader
from cellrace_server.gateway.server import Listening
from cellrace_server.ports.directory import Identity
from tests.server.gateway.house import house
from tests.server.services.node import PAIR, Recorder, value
from tests.support.lines import winning_line
from tests.support.memory_store import MemoryIdentities
from tests.support.plain_http import fetch
from tests.support.samples import run
from tests.support.waiting import eventually
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30
BOARD = "/api/v1/boards?deal=617"


async def test_a_slow_store_keeps_nobody_waiting_but_who_asked() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as h, wire_client(h.url) as player:
        h.node.memory.hold()
        asked = [asyncio.create_task(fetch(h.port, BOARD)) for _ in range(10)]
        await eventually(lambda: h.node.memory.calls >= reader.AT_ONCE)
        for _ in range(3):
            assert (await player.ask("races"))[0] == "races"
            assert (await fetch(h.port, "/healthz")).status == 200
            assert (await fetch(h.port, "/api/v1/races")).status == 200, "needs no store"
        h.node.memory.go_on()
        assert {(await each).status for each in asked} == {200}


async def test_few_ask_the_store_at_once_and_too_many_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "WAITING_MOST", 4)
    async with asyncio.timeout(WITHIN), house(Listening()) as h:
        memory = h.node.memory
        before = memory.calls
        memory.hold()
        asked = [asyncio.create_task(fetch(h.port, BOARD)) for _ in range(4)]
        await eventually(lambda: memory.calls - before == reader.AT_ONCE)
        refused = await fetch(h.port, BOARD)
        while refused.status != 503:  # the four may not all have come before it
            refused = await fetch(h.port, BOARD)
        assert refused.json["code"] == "unavailable"
        assert int(refused.header("Retry-After")) > 0
        assert memory.calls - before == reader.AT_ONCE
        memory.go_on()
        assert {(await each).status for each in asked} <= {200, 503}


async def test_a_store_that_does_not_answer_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "PATIENCE_S", 0.05)
    async with asyncio.timeout(WITHIN), house(Listening()) as h:
        h.node.memory.hold()
        late = await fetch(h.port, BOARD)
        h.node.memory.go_on()
        h.node.memory.fail(1)
        lost = await fetch(h.port, BOARD)
        for refused in (late, lost):
            assert (refused.status, refused.json["code"]) == (503, "unavailable")
            assert int(refused.header("Retry-After")) > 0
        assert (await fetch(h.port, BOARD)).status == 200


async def test_what_needs_no_store_is_there_without_one() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as h:
        h.node.memory.away = True
        for path in ("/api/v1", "/api/v1/openapi.json", "/api/v1/races"):
            assert (await fetch(h.port, path)).status == 200, path
        assert (await fetch(h.port, BOARD)).status == 503


async def test_a_run_of_the_daily_is_shown_when_all_may_see_it_and_not_before() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as h:
        now = h.node.clock.now()
        day = day_of(now)
        secret = replace(run("anna", at=now), id="kbjueza-0", daily=day, ranked=True, started=now)
        await h.node.results.book(secret, entries(secret), b'{"a": 1}')
        await MemoryIdentities(h.node.memory).keep(b"t", Identity(secret.player, now))
        replay, runs = "/api/v1/replays/kbjueza-0", "/api/v1/players/anna/runs"
        assert (await fetch(h.port, replay)).status == 403
        assert (await fetch(h.port, runs)).json["rows"][0]["deal"] == ""
        h.node.clock.move(shown_at(day) - h.node.clock.now() - 1)  # at once: much would happen in a day
        assert (await fetch(h.port, replay)).status == 403
        h.node.clock.move(1)
        assert (await fetch(h.port, replay)).body == '{"a": 1}'
        assert (await fetch(h.port, runs)).json["rows"][0]["deal"] == secret.deal


async def test_a_race_that_spectators_see_late_is_on_no_page_before() -> None:
    options = replace(PAIR, ranked=True, delay_ms=30_000)
    async with asyncio.timeout(WITHIN), house(Listening()) as h:
        ada, grace = (Player(20 * letter, name) for letter, name in (("a", "Ada"), ("b", "Grace")))
        for player in (ada, grace):
            await MemoryIdentities(h.node.memory).keep(player.id.encode(), Identity(player, 1))
        room = await h.node.race(ada, grace, options=options)
        for n, move in enumerate(winning_line(), 1):
            room.submit(Play(ada.id, n, move), Recorder())
        room.submit(GiveUp(grace.id, 1), Recorder())
        await h.node.clock.settle()
        assert value(room.race).phase == "ended"

        async def shown() -> list[object]:
            pages = [
                (await fetch(h.port, f"/api/v1/{path}")).json
                for path in (
                    "boards?scope=ever",
                    f"boards?deal={value(room.race).code}",
                    f"players/{ada.id}/runs",
                )
            ]
            profile = (await fetch(h.port, f"/api/v1/players/{ada.id}")).json
            replay = await fetch(h.port, f"/api/v1/replays/{room.id}-0")
            return [
                *(page["total"] for page in pages),
                profile["races"],
                len(profile["ratings"]),
                replay.status,
            ]

        await h.node.clock.pass_time(29_900)
        assert await shown() == [0, 0, 0, 0, 0, 404]
        await h.node.clock.pass_time(200)
        await h.node.clock.run_until(lambda: h.node.bookkeeper.idle)
        assert await shown() == [1, 1, 1, 1, 1, 200]


@pytest.mark.spec("4.5")
async def test_a_replay_is_had_by_nobody_else_while_others_race_on() -> None:
    """Over the wire, as a file, and as a ghost; then by all."""
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as h,
        wire_client(h.url, name="Ada") as ada,
        wire_client(h.url, name="Grace") as grace,
    ):
        _, _, channel, race, *_ = await ada.ask("create", "617", "classic", 2, False, True, 0)
        _, _, theirs, *_ = await grace.ask("join", race)
        for client, number in ((ada, channel), (grace, theirs)):
            await client.say(["ready", number])
        for client in (ada, grace):
            await h.node.clock.settle()
            await client.hear_until("go")
        moves = [["m", channel, n, move] for n, move in enumerate(winning_line(), 1)]
        await ada.say(*moves)
        name = f"{race}-0"
        await eventually(lambda: name in h.node.memory.replays)
        assert (await ada.ask("replay", name))[0] == "replay"
        assert (await grace.ask("replay", name))[:2] == ["error", "not_over"]
        assert (await grace.ask("race_ghosts", [name], 1))[:2] == ["error", "not_over"]
        refused = await fetch(h.port, f"/api/v1/replays/{name}")
        assert (refused.status, refused.json["code"]) == (403, "not_over")
        await grace.say(["giveup", theirs, 1])
        await grace.hear_until("end")
        assert (await grace.ask("replay", name))[0] == "replay"
        assert (await fetch(h.port, f"/api/v1/replays/{name}")).status == 200
