"""First sight and practised, over the wire: what makes a deal one that a player has seen."""

import asyncio
from collections.abc import Sequence

import pytest

from cellrace_client import Client, Race, connect
from cellrace_client.boards import BoardQuery
from cellrace_protocol.commands import Scope, Sight
from cellrace_protocol.events import RunRow
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 30


async def won(client: Client, race: Race) -> RunRow:
    """Play the known deal home; the run as it was booked."""
    race.ready()
    await race.until(lambda model: model.phase == "running")
    await asyncio.gather(*(race.move(move) for move in winning_line()))
    while not (found := [row for row in await runs(client) if row.race == race.id]):
        pass
    return found[0]


async def runs(client: Client) -> Sequence[RunRow]:
    return (await client.runs()).rows


async def named_by(host: Client) -> Race:
    """A race of one seat on the known deal, in which its host has none."""
    return await host.create(str(DEAL), seats=1, countdown_ms=0, play=False)


async def test_who_names_a_deal_has_seen_it_and_who_is_invited_has_not(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Host") as host,
        connect(server.url, name="Ada") as ada,
    ):
        invited = await won(ada, await ada.join((await named_by(host)).id))
        again = await won(ada, await ada.join((await named_by(host)).id))
        own = await won(host, await host.join((await named_by(host)).id))
        assert [run.first for run in (invited, again, own)] == [True, False, False]
        assert [row.run for row in await runs(ada)] == [again.run, invited.run]
        boards = {sight: await ada.board(BoardQuery(str(DEAL), sight=sight)) for sight in Sight}
        assert {row.name for row in boards[Sight.ANY].rows} == {"Host", "Ada"}
        assert [row.run for row in boards[Sight.FIRST].rows] == [invited.run]
        assert {row.run for row in boards[Sight.PRACTISED].rows} == {again.run, own.run}
        assert [row.run for row in boards[Sight.FIRST].mine] == [invited.run]
        assert (await ada.board(BoardQuery(scope=Scope.EVER))).total == 0, (
            "friendly races are on the boards of their deal"
        )


@pytest.mark.parametrize("late", [False, True])
async def test_who_has_watched_a_race_has_seen_its_deal(server: ServerProcess, late: bool) -> None:
    """There when it started, or come later; not who left before the start."""
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Host") as host,
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
        connect(server.url, name="Alan") as alan,
    ):
        shown = await named_by(host)
        left = await alan.watch(shown.id)
        left.part()
        if not late:
            await grace.watch(shown.id)
        seated = await ada.join(shown.id)
        seated.ready()
        await seated.until(lambda model: model.phase == "running")
        if late:
            await grace.watch(shown.id)
        await seated.give_up()
        for player, first in ((ada, False), (grace, False), (alan, True)):
            run = await won(player, await player.join((await named_by(host)).id))
            assert run.first == first, player.name


async def test_who_has_asked_for_a_replay_has_seen_its_deal(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Host") as host,
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        first = await won(ada, await ada.join((await named_by(host)).id))
        await grace.replay(first.run)
        run = await won(grace, await grace.join((await named_by(host)).id))
        assert not run.first
