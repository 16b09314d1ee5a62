"""Ranked races: what is usual for them, and that what a host says wins."""

import asyncio
from typing import Any

import pytest

from cellrace_client import Kind, RequestFailed, connect
from tests.support.server_process import ServerProcess
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30
OPEN, RANKED, BOTS, DELAY = 10, 23, 24, 25


def create(open_boards: bool, ranked: bool, bots: bool = True, delay_ms: int = -1) -> list[Any]:
    return ["", "classic", 2, open_boards, True, 3_000, 600_000, True, ranked, bots, delay_ms]


async def test_ranked_races_are_hidden_and_shown_late_unless_the_host_says_otherwise(
    server: ServerProcess,
) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as raw:
        for terms, shown in (
            (create(False, True), [False, True, True, 30_000]),
            (create(False, False), [False, False, True, 0]),
            (create(True, True, False, 0), [True, True, False, 0]),
            (create(False, False, True, 1_234), [False, False, True, 1_234]),
        ):
            await raw.ask("create", *terms)
            snapshot = await raw.hear()
            assert [snapshot[field] for field in (OPEN, RANKED, BOTS, DELAY)] == shown
        await raw.ask("quick", "classic", True)
        snapshot = await raw.hear()
        assert [snapshot[field] for field in (OPEN, RANKED, BOTS, DELAY)] == [False, True, True, 30_000]
        rows = (await raw.ask("races"))[2]
        assert sorted((row[5], row[6]) for row in rows) == sorted(
            [(True, True), (False, True), (True, False), (False, True), (True, True)]
        )


async def test_a_ranked_race_draws_its_deal_and_bots_may_be_kept_out(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Bot", kind=Kind.BOT) as bot,
    ):
        with pytest.raises(RequestFailed) as named:
            await ada.create("617", ranked=True)
        assert named.value.code == "bad_options"
        race = await ada.create(ranked=True, bots=False)
        for asked in (bot.join(race.id), bot.create(bots=False), bot.quick(bots=False)):
            with pytest.raises(RequestFailed) as kept_out:
                await asked
            assert kept_out.value.code == "no_bots"
        assert (await bot.watch(race.id)).seat == -1


async def test_the_library_meets_strangers_and_meets_them_again(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        mine, theirs = await asyncio.gather(ada.quick(rules="linear"), grace.quick(rules="linear"))
        assert mine.id == theirs.id
        for race in (mine, theirs):
            await race.until(lambda model: model.phase == "running")
            await race.give_up()
        await theirs.until(lambda model: model.phase == "ended")
        again = await ada.rematch(mine)
        brought = await grace.gathered()
        assert brought.id == again.id != mine.id
        assert {again.seat, brought.seat} == {0, 1}
        assert (await theirs.until(lambda model: bool(model.rematch))).rematch == again.id
