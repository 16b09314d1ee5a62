"""Every byte that leaves a server before the start, on every way out: nothing in it identifies the deal."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from cellrace_engine import DealCode, deal
from cellrace_protocol.api import ROOT
from cellrace_protocol.board import pack
from tests.e2e.conftest import Nodes, two_nodes
from tests.support import witness
from tests.support.winning import winning_moves
from tests.support.wire_client import JSON, MSGPACK, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

COUNTDOWN_MS = 1_500
DELAY_MS = 3_000
CLOCKS_OFF_MS = 50
"""How far apart nodes and we may be about the time."""

WITHIN = 300
"""Deals with few cells are looked for in idle time, of which there may be little."""


class Recorder(WireClient):
    """A client that keeps every byte until it is told of a start."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.heard = bytearray()
        self.go: Message = []

    async def hear(self) -> Message:
        async with asyncio.timeout(WITHIN):
            payload = await self.socket.recv()
        message: Message = witness.unpack(payload) if isinstance(payload, bytes) else json.loads(payload)
        if message[0] == "go":
            self.go = message
        if not self.go:
            self.heard += payload if isinstance(payload, bytes) else payload.encode()
        return message

    async def started(self) -> DealCode:
        """The deal, when the start was told."""
        while not self.go:
            await self.hear()
        return DealCode.parse(self.go[4])


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


async def everything_asked(client: WireClient, race: str, ch: int, *more: Message) -> None:
    """All that a curious client can try before the start."""
    await client.say(
        *(["look", ch], ["m", ch, 1, "2a"], ["m", ch, 1, "zz"], ["u", ch, 1], ["restart", ch, 1]),
        *(["finish", ch, 1], ["giveup", ch, 1], ["rematch", 9, ch], ["m", ch], *more),
    )
    await client.ask("watch", race)
    await client.ask("resume", race, 1)
    await client.ask("replay", f"{race}-0")
    await client.ask("top", "617")
    await client.ask("races", "watched")
    await client.ask("follow")
    await client.silence()


def pages(race: str) -> list[str]:
    """Whatever may be read over HTTP that has to do with a race."""
    plain = ["/", "/metrics", "/version", "/readyz", f"/{race}", f"/r/{race}"]
    lists = ["/races", "/races?order=watched", "/dailies", "/ratings", f"/replays/{race}-0"]
    boards = [f"/boards?scope={scope}" for scope in ("day", "week", "ever")]
    people = ["/players/Ada", "/players/Ada/runs"]
    return [*plain, *(ROOT + path for path in (*lists, *boards, *people))]


async def read(nodes: Nodes, race: str) -> dict[str, bytes]:
    """All of them, from both."""
    return {
        f"{number}{path}": (await node.get(path)).body.encode()
        for number, node in enumerate(nodes)
        for path in pages(race)
    }


@asynccontextmanager
async def listening(nodes: Nodes, attempt: int = 0) -> AsyncGenerator[list[Recorder]]:
    """Two players, two spectators and two who follow the list, by turns on either node."""
    names = ("Ada", "Grace", "Eve", "Mallory", "Fay", "Trudy")
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                wire_client(nodes[number % 2].url, (MSGPACK, JSON)[number // 2 % 2], f"{name} {attempt}")
            )
            for number, name in enumerate(names)
        ]
        recorders = [Recorder(client.socket) for client in clients]
        for follower in recorders[4:]:
            await follower.ask("follow")
        yield recorders


async def entered(client: Recorder, name: str, *terms: object) -> tuple[int, str]:
    """Where it was brought: the channel, and the race."""
    while (answer := await client.ask(name, *terms))[0] == "error":
        assert answer[1] == "busy", "no deal is there yet"
    return answer[2], answer[3]


@pytest.mark.spec("4.5", "4.6")
async def test_nothing_that_leaves_before_the_start_identifies_the_deal(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN), two_nodes(tmp_path, "--log-level", "debug") as nodes:
        for attempt, rules in enumerate(("classic", "pocket", "pocket+cells=2", "classic+cells=1")):
            await one_race(nodes, attempt, rules)


async def one_race(nodes: Nodes, attempt: int, rules: str) -> None:
    """A race of drawn deal, recorded to the start, the countdown too, and then looked through for what the start has
    shown."""
    clock = asyncio.get_running_loop().time
    async with listening(nodes, attempt) as everybody:
        ada, grace, eve, mallory, *followers = everybody
        ch, race = await entered(ada, "create", "", rules, 2, False, True, COUNTDOWN_MS)
        channels = [ch, (await entered(grace, "join", race))[0]]
        channels += [(await entered(watcher, "watch", race))[0] for watcher in (eve, mallory)]
        racing = list(zip((ada, grace, eve, mallory), channels, strict=True))
        await everything_asked(ada, race, ch, ["ready", ch, False])
        for client, channel in racing[1:]:
            await everything_asked(client, race, channel, ["ready", channel, False], ["start", channel])
        said = list((await read(nodes, race)).values())
        begun = clock()
        for client, channel in racing[:2]:
            await client.say(["ready", channel])
        await mallory.hear_until("countdown")
        pages = (await read(nodes, race)).values()
        logs = [node.log.encode() for node in nodes]
        assert clock() < begun + COUNTDOWN_MS / 1_000, "it counts down still"
        said += [*pages, *logs]
        for client, channel in racing:
            await everything_asked(client, race, channel, ["start", channel])
        for follower in followers:
            await follower.silence()
        (code,) = {await client.started() for client, _ in racing}
        said += [bytes(client.heard) for client in everybody]
        told = traces(code)
        for words in said:
            assert [trace for trace in told if trace in words] == []
        for player, channel in racing[:2]:
            await player.say(["giveup", channel, 1])
        end = await ada.hear_until("end")
        salt = bytes.fromhex(end[7])
        assert not any(salt in words or salt.hex().encode() in words for words in said)
        promised = hashlib.sha256(salt + str(code).encode()).hexdigest().encode()
        assert all(promised in client.heard for client, _ in racing)


@pytest.mark.spec("4.5", "4.6")
async def test_spectators_of_both_nodes_and_pages_are_as_late_as_the_host_wants(nodes: Nodes) -> None:
    """A race is won while they are shown its lobby still: nothing of it leaves either node for others than its players,
    and nothing before it has been so long ago."""
    clock = asyncio.get_running_loop().time
    async with asyncio.timeout(WITHIN), listening(nodes) as everybody:
        ada, grace, eve, mallory, *followers = everybody
        terms = ("", "classic", 2, False, True, 0, 60_000, True, True, True, DELAY_MS)
        ch, race = await entered(ada, "create", *terms)
        theirs, _ = await entered(grace, "join", race)
        for watcher in (eve, mallory):
            await entered(watcher, "watch", race)
        await ada.say(["ready", ch])
        begun = clock()
        await grace.say(["ready", theirs])
        code = await ada.started()
        shown = [asyncio.create_task(heard_at(watcher, "go")) for watcher in (eve, mallory)]
        await ada.play(ch, winning_moves(str(code), "classic"))
        ended = clock()
        await grace.say(["giveup", theirs, 1])
        salt = bytes.fromhex((await ada.hear_until("end"))[7])
        early: dict[str, bytes] = {}
        while True:
            now = await read(nodes, race)
            for follower in followers:
                await follower.silence()
            if clock() >= begun + DELAY_MS / 1_000:
                break
            early |= now | {f"list {n}": bytes(each.heard) for n, each in enumerate(followers)}
        assert early, "the race was over before anybody was shown its start"
        for watcher, went in zip((eve, mallory), shown, strict=True):
            assert await went >= begun + (DELAY_MS - CLOCKS_OFF_MS) / 1_000
            early[f"spectator {watcher.player}"] = bytes(watcher.heard)
            assert await heard_at(watcher, "end") >= ended + (DELAY_MS - CLOCKS_OFF_MS) / 1_000
        for where, words in early.items():
            assert [trace for trace in (*traces(code), salt, salt.hex().encode()) if trace in words] == [], (
                where
            )
            assert "/metrics" in where or b"running" not in words, where
            assert "/replays/" in where or f"{race}-0".encode() not in words, where


async def heard_at(client: Recorder, name: str) -> float:
    """When the client was told that."""
    await client.hear_until(name)
    return asyncio.get_running_loop().time()
