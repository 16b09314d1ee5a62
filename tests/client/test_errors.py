"""Errors tell programs what people read in them: a code, when to come again, the numbers of the rules."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec import structs

from cellrace_client import ActionRefused, CannotConnect, Client, Disconnected, RequestFailed, connect, errors
from cellrace_client.faults import told
from cellrace_client.languages import Catalogue
from cellrace_engine import CLASSIC, Line, deal
from cellrace_protocol import events as e
from cellrace_protocol.board import pack
from tests.client.test_client import Said, scripted, snapshot

NOWHERE = "ws://127.0.0.1:9/ws"


def test_every_error_has_a_code() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = [kind.code for kind in kinds if issubclass(kind, errors.CellraceError) and "code" in vars(kind)]
    assert len(set(codes)) == len(codes)
    assert CannotConnect("", "").code == "cannot_connect"
    assert CannotConnect("", "", 3.0).code == "try_again"
    assert Disconnected("gone").code == "disconnected"
    assert RequestFailed("busy", "", 10).code == "busy"


@pytest.mark.asyncio
async def test_no_server_has_a_code() -> None:
    with pytest.raises(CannotConnect) as failed:
        async with connect(NOWHERE):
            pass
    assert failed.value.code == "cannot_connect"


@pytest.mark.asyncio
async def test_a_connection_that_is_closed_for_good_says_with_what_code() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.socket.close(4400, "go away")

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        for asking in (client.gathered, client.races, race.refusal, lambda: race.until(lambda _: False)):
            with pytest.raises(Disconnected) as gone:
                await asking()
            assert (gone.value.code, gone.value.close_code) == ("disconnected", 4400)


@pytest.mark.asyncio
async def test_a_token_that_is_refused_on_the_way_back_is_the_reason() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("revoked", "not valid any more", 0))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        await client.join("617")
        with pytest.raises(Disconnected) as gone:
            await client.gathered()
        assert (gone.value.code, gone.value.close_code, gone.value.facts) == ("revoked", 0, {})
        assert isinstance(gone.value.__cause__, RequestFailed)


UNWANTED = {"reason": "unwanted"}


def refusing(facts: dict[str, int | str]) -> Callable[[Said], Awaitable[None]]:
    async def server(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("bad_name", "why not", facts=facts))
        await said.socket.wait_closed()

    return server


@pytest.mark.asyncio
async def test_a_name_that_is_refused_has_the_facts_of_it_which_nobody_changes() -> None:
    long: dict[str, int | str] = {"reason": "length", "most": 24, "length": 31}
    async with scripted(refusing(long)) as url:
        with pytest.raises(RequestFailed) as failed:
            async with connect(url, name="x" * 31):
                pass
    assert (failed.value.code, failed.value.text, failed.value.facts) == ("bad_name", "why not", long)
    with pytest.raises(TypeError):
        failed.value.facts["reason"] = "sign"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


@pytest.mark.asyncio
async def test_a_name_that_is_refused_on_the_way_back_has_them_too() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        said.socket.transport.abort()

    async with scripted(first, refusing({"reason": "unwanted"})) as url, connect(url) as client:
        race = await client.join("617")
        for asking in (client.gathered, client.races, race.refusal):
            with pytest.raises(Disconnected) as gone:
                await asking()
            assert (gone.value.code, gone.value.facts) == ("bad_name", UNWANTED)


@pytest.mark.asyncio
async def test_requests_and_notices_have_their_facts() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        for facts in ({}, UNWANTED):
            asked = await said.hear()
            await said.say(e.Error("of_tomorrow", "no", getattr(asked, "r", 0), facts={**facts}))
        await said.say(e.Notice("of_tomorrow", "so", 0, {"least": 3}))
        await said.socket.wait_closed()

    heard: asyncio.Queue[e.Notice] = asyncio.Queue()
    async with scripted(server) as url, connect(url, on_notice=heard.put_nowait) as client:
        for facts in ({}, UNWANTED):
            with pytest.raises(RequestFailed) as failed:
                await client.races()
            assert failed.value.facts == facts
        assert (await heard.get()).facts == {"least": 3}


def dealt() -> e.Snapshot:
    position = Line.begin(CLASSIC, deal(617)).position
    board = pack(position.columns, position.cells, position.foundations)
    start = snapshot(5)
    return structs.replace(start, start=board, seats=[structs.replace(start.seats[0], board=board)])


async def refused_with(client: Client, move: str) -> ActionRefused:
    race = await client.join("617")
    await race.until(lambda model: model.phase == "running")
    with pytest.raises(ActionRefused) as refused:
        await race.move(move)
    return refused.value


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("code", "move", "agrees"),
    [("wrong_colour_or_rank", "12", True), ("race_over", "12", False), ("wrong_colour_or_rank", "1a", False)],
)
async def test_a_refused_move_has_the_numbers_of_the_rules_where_they_agree(
    code: str, move: str, agrees: bool
) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        await said.say(e.Entered(getattr(asked, "r", 0), 2, "race", 0, 1), dealt())
        await said.hear()
        await said.say(e.Refused(2, 1, code, "no", 1))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        refused = await refused_with(client, move)
    assert (refused.code, refused.expected, refused.retry_after) == (code, 1, 0)
    assert (refused.refusal is not None) == agrees
    if refused.refusal is not None:
        assert str(refused.refusal.reason) == code
        assert told(Catalogue("fr"), refused) == Catalogue("fr").why(code, "no", refused.refusal)
