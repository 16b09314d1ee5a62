"""Every byte that leaves a server before the start, on every way out: nothing in it identifies the deal."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from cellrace_engine import DealCode, deal
from cellrace_protocol.board import pack
from tests.support import witness
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import JSON, MSGPACK, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 300
"""Deals with few cells are looked for in idle time, of which there may be little."""


class Recorder(WireClient):
    """A client that keeps every byte."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.heard = bytearray()

    async def hear(self) -> Message:
        async with asyncio.timeout(WITHIN):
            payload = await self.socket.recv()
        self.heard += payload if isinstance(payload, bytes) else payload.encode()
        message: Message = witness.unpack(payload) if isinstance(payload, bytes) else json.loads(payload)
        return message


def traces(code: DealCode) -> list[bytes]:
    """What would give the deal away, in the writings that there are."""
    position = deal(code.number, code.cells)
    board = pack(position.columns, position.cells, position.foundations)
    texts = [
        str(code),
        str(code).lower(),
        str(code).rsplit("-", 1)[1],
        board,
        *board.split("|")[0].split("/"),
    ]
    found = [text.encode() for text in texts]
    number = code.number
    plain = [
        str(code).encode(),
        str(number).encode(),
        number.to_bytes(4, "big"),
        number.to_bytes(8, "little"),
    ]
    for digest in ("md5", "sha1", "sha256", "sha512"):
        found += [hashlib.new(digest, text).hexdigest()[:16].encode() for text in plain]
        found += [hashlib.new(digest, text).digest()[:8] for text in plain]
    if number > 100_000:  # smaller ones are somewhere by chance
        found += [str(number).encode(), number.to_bytes(4, "big")]
    if number >= 1 << 28:  # a commitment is full of shorter ones
        found.append(f"{number:x}".encode())
    return found


async def everything_asked(client: WireClient, host: WireClient, race: str, ch: int) -> None:
    """All that a curious client can try before the start."""
    await client.say(
        *(["look", ch], ["m", ch, 1, "2a"], ["m", ch, 1, "zz"], ["u", ch, 1], ["restart", ch, 1]),
        *(["finish", ch, 1], ["giveup", ch, 1], ["rematch", 9, ch], ["ready", ch, False], ["m", ch]),
    )
    if client is not host:
        await client.say(["start", ch])
    await client.ask("watch", race)
    await client.ask("resume", race, 1)
    await client.ask("replay", f"{race}-0")
    await client.ask("top", "617")
    await client.ask("races", "watched")
    await client.ask("follow")
    await client.silence()


@pytest.mark.spec("4.5", "4.6")
async def test_nothing_that_leaves_before_the_start_identifies_the_deal(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), server_process(tmp_path, "--log-level", "debug") as server:
        for attempt, rules in enumerate(("classic", "pocket", "pocket+cells=2", "classic+cells=1")):
            await one_race(server, attempt, rules)


async def one_race(server: ServerProcess, attempt: int, rules: str) -> None:
    """A race of drawn deal, recorded to the start, and then looked through for what the start has shown."""
    async with (
        wire_client(server.url, MSGPACK, f"Ada {attempt}") as raw_ada,
        wire_client(server.url, JSON, f"Grace {attempt}") as raw_grace,
        wire_client(server.url, MSGPACK, f"Eve {attempt}") as raw_eve,
    ):
        ada, grace, eve = (Recorder(raw.socket) for raw in (raw_ada, raw_grace, raw_eve))
        while (answer := await ada.ask("create", "", rules, 2, False, True, 0))[0] == "error":
            assert answer[1] == "busy", "no deal is there yet"
        _, _, ch, race, *_ = answer
        await grace.ask("join", race)
        await eve.ask("watch", race)
        for client in (ada, grace, eve):
            await everything_asked(client, ada, race, ch)
        pages = [
            (await server.get(path)).body
            for path in ("/", "/metrics", "/version", "/readyz", f"/{race}", f"/r/{race}")
        ]
        before = [bytes(client.heard) for client in (ada, grace, eve)]
        before += [page.encode() for page in pages] + [server.log.encode()]
        await ada.say(["ready", ch])
        await grace.say(["ready", ch])
        go = await eve.hear_until("go")
        code = DealCode.parse(go[4])
        told = traces(code)
        for said in before:
            assert [trace for trace in told if trace in said] == []
        for player in (ada, grace):
            await player.say(["giveup", ch, 1])
        end = await ada.hear_until("end")
        salt = bytes.fromhex(end[7])
        assert not any(salt in said or salt.hex().encode() in said for said in before)
        promised = hashlib.sha256(salt + str(code).encode()).hexdigest().encode()
        assert promised in before[0]
