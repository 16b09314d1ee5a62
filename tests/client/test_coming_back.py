"""When a client comes back: what the table of close codes says."""

import asyncio
from typing import cast

import pytest

from cellrace_client import Disconnected, connect
from cellrace_client.coming_back import LIVED_S, MOST_S, ComingBack
from cellrace_client.lifeline import Lifeline, Speaker
from cellrace_protocol.codecs import MSGPACK
from tests.client.test_client import WITHIN, Said, scripted


def patient() -> ComingBack:
    return ComingBack(lambda low, high: high)


@pytest.mark.parametrize("code", [1007, 1009, 4400])
def test_a_client_that_has_to_be_mended_does_not_come_back(code: int) -> None:
    assert patient().closed(code, LIVED_S) is None


@pytest.mark.parametrize(
    ("code", "away_s"), [(1001, 1), (1006, 0), (1011, 0), (4401, 0), (4410, 30), (4429, 5)]
)
def test_a_client_stays_away_as_long_as_it_is_asked_to(code: int, away_s: float) -> None:
    assert patient().closed(code, LIVED_S) == away_s


def test_pauses_grow_until_a_connection_has_lived_for_a_while() -> None:
    pauses = patient()
    grown = [pauses.closed(1006, 0.0) or 0.0 for _ in range(10)]
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (0.1, MOST_S)
    assert pauses.failed() == MOST_S
    assert pauses.closed(1006, LIVED_S) == 0.0
    assert pauses.closed(1006, 0.0) == 0.1


@pytest.mark.asyncio
async def test_who_is_cancelled_while_a_connection_is_closed_is_cancelled() -> None:
    lifeline = Lifeline("ws://nowhere/ws", MSGPACK, 0.0, cast("Speaker", None))
    closing, ended = asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            closing.set()
            await ended.wait()

    runner = lifeline._runner = asyncio.create_task(slow_to_end())  # pyright: ignore[reportPrivateUsage]
    await asyncio.sleep(0)
    user = asyncio.create_task(lifeline.close())
    async with asyncio.timeout(WITHIN):
        await closing.wait()
        user.cancel()
        with pytest.raises(asyncio.CancelledError):
            await user
        ended.set()
        with pytest.raises(asyncio.CancelledError):
            await runner


@pytest.mark.asyncio
@pytest.mark.parametrize(("code", "reconnect_s"), [(4400, 60.0), (4410, 10.0)])
async def test_the_connection_is_gone_for_good_where_the_server_wants_no_other_soon(
    code: int, reconnect_s: float
) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.socket.close(code, "go away")

    async with (
        asyncio.timeout(WITHIN),
        scripted(server) as url,
        connect(url, reconnect_s=reconnect_s) as client,
    ):
        with pytest.raises(Disconnected, match=f"{code} go away"):
            await client.gathered()
        with pytest.raises(Disconnected, match=f"{code} go away"):
            await client.races()
        assert client.failure is not None
