"""What the server says to people in `text`, it says to programs in `facts`; a message without any is as short as before
there were any."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from cellrace_protocol.codecs import JSON, MSGPACK
from cellrace_server.core import names
from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import House, house
from tests.support.wire_client import WireClient

pytestmark = pytest.mark.asyncio

WITHIN = 60
TOKEN = "x" * 40


@asynccontextmanager
async def raw(server: House, subprotocol: str = JSON) -> AsyncGenerator[WireClient]:
    """A connection on which nothing was said yet."""
    async with connect(server.url, subprotocols=[Subprotocol(subprotocol)]) as socket:
        yield WireClient(socket)


REFUSED = [
    ("x" * 31, {"reason": "length", "most": 24, "length": 31}),
    ("Ada!", {"reason": "sign", "sign": "!"}),
    ("Ada\u202e", {"reason": "sign", "sign": "U+202E"}),
    ("...", {"reason": "letter"}),
    ("A\u0301\u0302\u0303da", {"reason": "marks", "most": 2}),
    ("Ada \u0410da", {"reason": "scripts", "word": "\u0410da"}),
    ("The A.d.m.i.n", {"reason": "unwanted"}),
]


@pytest.mark.spec("2.4")
@pytest.mark.spec("8.1")
@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_why_a_name_is_refused(subprotocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first hello, and where a guest who has not raced yet comes back under another name."""
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server, subprotocol) as client:
        monkeypatch.setattr(server.node.people, "_blocked", frozenset({names.fold("admin")}))
        for name, facts in REFUSED:
            for token in ("", TOKEN):
                await client.say(["hello", 1, name, token])
                why = names.fault(names.tidy(name), ("admin",))
                assert why is not None
                assert await client.hear() == ["error", "bad_name", why.text, 0, 0, facts]
        await client.say(["hello", 1, "Ada", TOKEN])
        assert (await client.hear())[0] == "welcome"


NO_DEALS: list[tuple[str, str, dict[str, str | int]]] = [
    ("zero", "is no deal code", {"reason": "format"}),
    ("FC2-C4-AAAAATJ", "FC2", {"reason": "format"}),
    ("FC1-C3-AAAAATJ", "a deal has 4, 2 or 1 cells", {"reason": "cells"}),
    ("0", "there is no deal 0", {"reason": "number"}),
    ("617x", "is not a digit", {"reason": "number"}),
    ("FC1-C2-AAAAATJ", "the rules have 4", {"reason": "other_cells", "cells": 2, "expected": 4}),
]


@pytest.mark.spec("8.1")
@pytest.mark.parametrize(("deal", "words", "facts"), NO_DEALS)
async def test_what_is_wrong_with_a_deal(deal: str, words: str, facts: dict[str, str | int]) -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server) as client:
        await client.hello("Ada", TOKEN)
        for request in ("create", "top"):
            answer = await client.ask(request, deal)
            assert (answer[:2], answer[4:]) == (["error", "bad_deal"], [0, facts])
            assert words in answer[2]


@pytest.mark.spec("8.1")
async def test_an_error_without_facts_has_no_field_for_them() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, raw(server) as client:
        await client.say(["races", 7], ["hello", 2], ["hello", 1, "Ada", "short"], ["hello", 1])
        heard = [await client.hear() for _ in range(4)]
        assert [message[1] for message in heard[:3]] == ["hello_first", "bad_version", "bad_token"]
        await client.say(["watch", 8, "nosuchrace"])
        heard[3] = await client.hear()
        assert [len(message) for message in heard] == [5] * 4


@pytest.mark.spec("6.3")
async def test_a_notice_without_facts_has_no_field_for_them() -> None:
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        raw(server) as ada,
        raw(server) as phone,
    ):
        for client in (ada, phone):
            await client.hello("Ada", TOKEN)
        entered = await ada.ask("create")
        await phone.ask("resume", entered[3], 0)
        server.gateway.connections.announce("announcement", "tea is ready")
        heard = [await ada.hear_until("notice") for _ in range(2)]
        assert [message[1] for message in heard] == ["taken_over", "announcement"]
        assert [len(message) for message in heard] == [4, 4]
