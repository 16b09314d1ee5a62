"""The checker of servers, against servers that do not do what they should."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from cellrace_client.cli.conformance import report
from cellrace_client.conformance import Conversation, Verdict, run
from cellrace_client.conformance.conversation import Step
from cellrace_protocol.codecs import JSON, MSGPACK

WITHIN = 60


@asynccontextmanager
async def serving(handler: Callable[[ServerConnection], Awaitable[None]]) -> AsyncGenerator[str]:
    names = [Subprotocol(MSGPACK), Subprotocol(JSON)]
    async with asyncio.timeout(WITHIN), serve(handler, "127.0.0.1", 0, subprotocols=names) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/ws"


def talk(*steps: Step) -> Conversation:
    return Conversation("odd", "a server that is", list(steps))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("subprotocol", "frame"),
    [(MSGPACK, b"\xc1"), (MSGPACK, "[]"), (JSON, "[1"), (JSON, b"\x90"), (MSGPACK, b"\x91\xa1\xff")],
)
async def test_a_frame_that_cannot_be_read_is_a_fault_of_its_step(
    subprotocol: str, frame: bytes | str
) -> None:
    async def server(socket: ServerConnection) -> None:
        await socket.send(frame)
        await socket.wait_closed()

    due = Step("ada", "receive", message=["welcome"], clause="2.2")
    async with serving(server) as url:
        verdict = await run(url, talk(Step("ada", "connect", subprotocol=subprotocol), due))
    assert (verdict.step, verdict.clause) == (1, "2.2")
    assert '["welcome"] is due' in verdict.fault


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "second", [Step("ada", "send", message=["x"], clause="1.6"), Step("ada", "frame", hex="c1")]
)
async def test_a_connection_that_ends_before_all_is_said_is_a_fault(second: Step) -> None:
    async def server(socket: ServerConnection) -> None:
        await socket.close(1001)

    steps = (Step("ada", "connect"), Step("ada", "closed", code=1001), second)
    async with serving(server) as url:
        verdict = await run(url, talk(*steps))
    assert (verdict.step, verdict.clause) == (2, second.clause)
    assert "ends before all is said" in verdict.fault


def test_every_fault_of_a_clause_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = [
        Verdict("one", ("1.1", "2.2"), "this", 3, "1.6"),
        Verdict("two", ("1.6",), "that", 5, "1.6"),
        Verdict("three", ("1.1",)),
    ]
    assert report(verdicts) == 65
    out = capsys.readouterr().out
    assert "FAILED in one, step 3: this" in out
    assert "FAILED in two, step 5: that" in out
    assert "2 clauses hold, 1 do not" in out
