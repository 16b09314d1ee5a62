"""Profiles, ratings, export and erasure on a real server, as the library and the command line show them."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from cellrace_client import Client, Kind, RequestFailed, connect
from cellrace_client.boards import BoardQuery
from cellrace_protocol.commands import Scope
from tests.e2e.conftest import Nodes
from tests.support.server_process import ServerProcess
from tests.support.winning import won
from tests.support.wire_client import JSON, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def ranked(winner: Client, loser: Client) -> str:
    """A ranked race of two, shown at once, that one wins and the other abandons; returns its name."""
    race = await winner.create(seats=2, ranked=True, countdown_ms=0, delay_ms=0)
    other = await loser.join(race.id)
    for each in (race, other):
        each.ready()
    await won(race)
    await other.until(lambda model: model.phase == "running")
    await other.give_up()
    await race.until(lambda model: model.phase == "ended")
    return race.id


async def raced(client: Client, races: int) -> None:
    """Wait until so many races are counted and rated."""
    profile = await client.players.profile(history=100)
    while min(profile.races, len(profile.steps)) < races:
        await asyncio.sleep(0.02)
        profile = await client.players.profile(history=100)


async def refused(request: object) -> str:
    with pytest.raises(RequestFailed) as failed:
        await request  # type: ignore[misc]
    return failed.value.code


@pytest.mark.spec("3.12")
async def test_ranked_races_make_ratings_and_the_tenth_puts_one_on_the_board(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
        connect(server.url, name="Alan") as stranger,
    ):
        assert await refused(ada.players.profile()) == "not_found"
        assert await refused(ada.players.profile("Nobody")) == "not_found"
        for number in range(1, 11):
            await ranked(ada, grace)
            await raced(ada, number)
            assert (await stranger.players.ratings()).total == (0 if number < 10 else 2)
        mine = await ada.players.profile(history=3)
        assert (mine.name, mine.races, mine.wins, mine.runs) == ("Ada", 10, 10, 10)
        assert (await grace.runs("ada")).total == 10, "by name, in any spelling"
        (rating,) = mine.ratings
        assert (rating.races, rating.provisional, rating.place, rating.total) == (10, False, 1, 2)
        assert rating.rating > 1_600
        assert [step.place for step in mine.steps] == [1, 1, 1]
        assert [best.by for best in mine.bests] == ["time", "moves"], "these rules give no points"
        assert {best.place for best in mine.bests} == {1}
        hers = await stranger.players.profile("  grace ")
        assert hers.player == (await stranger.players.profile(grace.player)).player == grace.player
        assert (hers.races, hers.wins, hers.runs, hers.bests) == (10, 0, 0, [])
        assert hers.ratings[0].rating < 1_400
        board = await grace.players.ratings(around=True)
        assert [(row.place, row.name) for row in board.rows] == [(1, "Ada"), (2, "Grace")]
        assert (board.mine, board.ahead, board.worse) == ([board.rows[1]], 1, 0)
        assert (await ada.players.ratings(kind=Kind.BOT)).total == 0


@pytest.mark.spec("2.7")
async def test_what_is_kept_can_be_had_as_one_document(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        assert await refused(ada.players.export()) == "not_found"
        race = await ranked(ada, grace)
        await raced(ada, 1)
        document = await ada.players.export()
        assert json.loads(json.dumps(document)) == document
        assert (document["format"], document["version"]) == ("cellrace-export", 1)
        assert (document["player"], document["name"], document["kind"]) == (ada.player, "Ada", "human")
        assert (document["races_count"], document["wins_count"], document["races"]) == (1, 1, [race])
        assert [run["id"] for run in document["runs"]] == [f"{race}-0"]
        assert [step["race"] for step in document["rating_steps"]] == [race]
        assert [seen[1] for seen in document["deals_seen"]] == [race]
        assert ada.token not in json.dumps(document)
        assert grace.player not in json.dumps(document)


@pytest.mark.spec("2.8")
async def test_who_is_erased_is_gone_from_everything_on_every_node(nodes: Nodes) -> None:
    here, there = nodes
    async with (
        asyncio.timeout(WITHIN),
        connect(there.url, name="Grace") as grace,
        wire_client(here.url, JSON, name=None) as phone,
        wire_client(there.url, JSON, name=None) as elsewhere,
        connect(here.url, name="Ada") as ada,
    ):
        race = await ranked(ada, grace)
        await raced(ada, 1)
        for other in (phone, elsewhere):
            await other.hello(token=ada.token)
        deal = (await ada.runs()).rows[0].deal
        seen = await grace.watch(race)
        assert [seat.name for seat in (await seen.until(lambda _: True)).seats] == ["Ada", "Grace"]
        await phone.say(["erase", 1, "x" * 32])
        assert (await phone.hear())[:2] == ["error", "bad_token"]
        held = await ada.create("617", seats=1, countdown_ms=0)
        await phone.say(["erase", 2, ada.token])
        assert (await phone.hear())[:2] == ["error", "not_over"]
        held.leave()
        await held.until(lambda model: model.phase == "ended")
        await phone.say(["erase", 3, ada.token])
        assert (await phone.hear_until("erased")) == ["erased", 3]
        for other in (phone, elsewhere):
            assert (await other.hear_until("notice"))[1] == "revoked"
            assert await other.closed() == 4403
        for node in nodes:
            async with wire_client(node.url, JSON, name=None) as late:
                await late.say(["hello", 1, "Ada", ada.token])
                assert (await late.hear())[:2] == ["error", "revoked"]
        for who in (ada.player, "Ada"):
            assert await refused(grace.players.profile(who)) == "not_found"
        assert await refused(grace.runs(ada.player)) == "not_found"
        for board in (
            BoardQuery(deal),
            BoardQuery(scope=Scope.DAY),
            BoardQuery(scope=Scope.WEEK),
            BoardQuery(scope=Scope.EVER),
        ):
            assert (await grace.board(board)).total == 0
        assert await refused(grace.replay(f"{race}-0")) == "not_found"
        assert (await grace.players.profile()).races == 1
        async with connect(there.url, name="Ada") as namesake:
            mine = await namesake.create("618", seats=1)
            assert namesake.name == "Ada", "the name is free again"
            mine.leave()


async def test_logs_of_races_that_are_over_lose_the_name(server: ServerProcess, tmp_path: Path) -> None:
    """Of a race that nobody holds in memory any more: what a server reads again."""
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        race = await ranked(ada, grace)
        await raced(ada, 1)
        await ada.players.erase()
        token = grace.token
    await server.stop()
    again = await ServerProcess.start(server.data_dir)
    try:
        async with asyncio.timeout(WITHIN), connect(again.url, token=token) as grace:
            model = await (await grace.watch(race)).until(lambda _: True)
            assert [seat.name for seat in model.seats] == ["deleted player", "Grace"]
            assert (await grace.players.profile()).races == 1
    finally:
        await again.stop()


async def test_the_command_line_shows_exports_and_erases(server: ServerProcess, tmp_path: Path) -> None:
    token = tmp_path / "token"
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        token.write_text(ada.token)
        await ranked(ada, grace)
        await raced(ada, 1)

    async def said(*words: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", *words, "--url", server.url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        shown, _ = await process.communicate()
        return process.returncode or 0, shown.decode()

    async with asyncio.timeout(WITHIN):
        status, text = await said("profile", "ada")
        assert status == 0
        assert "1 race, 1 won, 1 finished" in text
        assert "provisional, 1 ranked race\n" in text
        assert (await said("top", "--ratings")) == (0, "nobody has a rating yet: it takes ten ranked races\n")
        shown = json.loads((await said("profile", "ada", "--json"))[1])
        assert (shown["profile"]["name"], len(shown["runs"])) == ("Ada", 1)
        assert json.loads((await said("top", "--ratings", "--json"))[1])["rows"] == []
        assert json.loads((await said("daily", "--json"))[1])["day"]
        kept = tmp_path / "mine.json"
        assert (await said("profile", "--token-file", str(token), "--export", str(kept)))[0] == 0
        assert json.loads(kept.read_text())["name"] == "Ada"
        assert (await said("profile", "--token-file", str(token), "--erase", "Grace"))[0] == 64
        assert (await said("profile", "--token-file", str(token), "--erase", "Ada")) == (
            0,
            "Ada is erased; the token is dead\n",
        )
        assert not token.exists()
        assert (await said("profile", "--token-file", str(token)))[0] == 66
        assert (await said("profile"))[0] == 64
