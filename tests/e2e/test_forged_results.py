"""Nobody gets on a board but by playing: there is no way to state a result, a time or a score."""

import asyncio

import pytest

from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES
from cellrace_server.core.facts import AnyFact
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess
from tests.support.wire_client import JSON, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30
FACTS = [fact.__struct_config__.tag for fact in AnyFact.__args__]
WORDS = ["book", "result", "score", "win", "won", "board", "row", "time", "submit", "run", "rating"]
NAMES = sorted({*FACTS, *SERVER_MESSAGES, *WORDS} - {*CLIENT_MESSAGES})


def forged(name: str, ch: int, player: str, race: str) -> list[Message]:
    """A message of that name with fields such as the server would write or believe."""
    return [
        [name, ch, 4, 0, 0, 1, 0, 0],
        [name, 5, race, 0, 1, 90],
        [name, ch, 1, {"time": 1, "player": player, "moves": 1}],
        [name, 9, str(DEAL), "classic", "human", [[1, player, "Ada", 1, 1, 1, f"{race}-0"]]],
        [name, 1_796_000_000_000, 0, 1, 0, 0],
    ]


async def test_no_message_of_a_client_has_a_field_that_states_a_result() -> None:
    """But for the runs, places and days that are asked *about*; the server alone says the rest."""
    stating = {"time", "score", "result", "moves", "place", "rating", "won", "points", "at", "home", "first"}
    fields = {field for message in CLIENT_MESSAGES.values() for field in message.__struct_fields__}
    assert fields & stating == set()


async def racing(client: WireClient) -> tuple[int, str]:
    """The channel and the name of a race of one that runs."""
    entered = await client.ask("create", str(DEAL), "classic", 1, False, True, 0)
    await client.say(["ready", entered[2]])
    await client.hear_until("go")
    return entered[2], entered[3]


async def boards(client: WireClient) -> list[Message]:
    """Rows of the deal and of all times, by each measure, and the runs of the player."""
    shown: list[Message] = []
    for scope in ("deal", "ever"):
        for by in ("time", "moves", "score"):
            shown += (await client.ask("top", str(DEAL), "classic", "human", 10, by, "any", 0, False, scope))[
                5
            ]
    shown += (await client.ask("runs"))[5]
    return shown


async def test_no_name_that_might_mean_a_result_is_understood(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        for start in range(0, len(NAMES), 5):  # a connection bears 32 faults
            async with wire_client(server.url, JSON) as client:
                ch, race = await racing(client)
                messages = [
                    m for name in NAMES[start : start + 5] for m in forged(name, ch, client.player, race)
                ]
                await client.say(*messages)
                answers = [heard for heard in await client.silence() if heard[0] == "error"]
                assert [answer[1] for answer in answers] == ["unknown_message"] * len(messages)
                assert await boards(client) == []
                await client.say(["giveup", ch, 1])


async def test_fields_behind_those_that_are_known_change_nothing(server: ServerProcess) -> None:
    """A time, a result or another's identity at the end of every message of a race: ignored, as 1.5 says."""
    async with asyncio.timeout(WITHIN), wire_client(server.url, JSON) as client:
        ch, race = await racing(client)
        line = winning_line()
        await client.say(["m", ch, 1, line[0], 1, 1, {"time": 1}, "won"])
        await client.say(["finish", ch, 2, 1, 52, {"time": 1}])
        refused = await client.hear_until("no")
        assert refused[2:4] == [2, "not_finishable"]
        assert await boards(client) == []
        for n, move in enumerate(line[1:], 2):
            await client.say(["m", ch, n, move, 1, 0, "time", 1])
            assert (await client.hear_until("a"))[4] == n
        done = await client.hear_until("done")
        while len(rows := await boards(client)) < 3:  # by time, by moves, and among the player's runs
            pass
        assert {(row[3], row[4]) for row in rows[:2]} == {(done[5], len(line))}
        assert rows[-1][:2] == [f"{race}-0", race]


async def test_actions_for_another_or_after_the_finish_are_refused(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, JSON) as ada,
        wire_client(server.url, JSON) as eve,
    ):
        _, race = await racing(ada)
        watching = await eve.ask("watch", race)
        for n, move in enumerate(winning_line(), 1):
            await eve.say(["m", watching[2], n, move])
        refused = [heard for heard in await eve.silence() if heard[0] == "no"]
        assert {heard[3] for heard in refused} == {"not_seated"}
        assert len(refused) == len(winning_line())
        assert await boards(eve) == await boards(ada) == []


async def test_pages_can_be_read_and_not_written(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, JSON) as client:
        _, race = await racing(client)
        for path in (
            "/boards?deal=617&time=1",
            "/ratings",
            f"/players/{client.player}",
            f"/players/{client.player}/runs",
            f"/replays/{race}-0",
            f"/races/{race}",
            "/dailies",
        ):
            for method in ("POST", "PUT", "PATCH", "DELETE", "BOOK"):
                assert (await server.get(f"/api/v1{path}", method)).status == 405, (method, path)
        assert (await server.get("/api/v1/boards?deal=617&time=1")).status == 400
        assert await boards(client) == []
        profile = await client.ask("profile")
        assert profile[6:10] == [0, 0, 0, []]


async def test_nobody_is_erased_or_exported_by_another(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, JSON, "Ada") as ada,
        wire_client(server.url, JSON, "Eve") as eve,
    ):
        await racing(ada)
        for token in (ada.token, ada.player, "", "x" * 32):
            assert (await eve.ask("erase", token))[:2] == ["error", "bad_token"]
        await eve.say(["export", 5, 0, ada.player], ["erase", 6, eve.token, ada.player])
        assert (await eve.hear_until("error"))[1] == "not_found", "her own, of which there is nothing"
        assert (await eve.hear_until("erased"))[1] == 6
        assert (await ada.ask("profile"))[2] == ada.player
