"""What the referee refuses: with its reason, nothing changes, and nobody else hears of it."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import pytest

from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess
from tests.support.wire_client import JSON, MSGPACK, Message, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30


class Table(NamedTuple):
    """Two players and a spectator on the channel of one race, each having heard everything so far."""

    ada: WireClient
    grace: WireClient
    alan: WireClient
    ch: int
    race: str

    async def quiet(self) -> None:
        """Nothing has been said to anybody, but how many watch, which is counted now and then."""
        for client in (self.ada, self.grace, self.alan):
            assert [message for message in await client.silence() if message[0] != "watching"] == []

    async def snapshots(self) -> list[Message]:
        """What stands, as each of them sees it, without what only time changes."""
        shown: list[Message] = []
        for client in (self.ada, self.grace, self.alan):
            await client.say(["look", self.ch])
            snapshot = await client.hear_until("snap")
            shown.append([*snapshot[:6], *snapshot[8:]])
        return shown

    async def refused(self, who: WireClient, command: Message, code: str, expected: int = 0) -> None:
        """A command is refused to its sender alone and changes nothing."""
        before = await self.snapshots()
        await who.say(command)
        answer = await who.hear()
        n = command[2] if len(command) > 2 and isinstance(command[2], int) else 0
        assert (answer[0], answer[1], answer[2], answer[3]) == ("no", self.ch, n, code), answer
        assert answer[4]
        assert (answer[5:6] or [0])[0] == expected
        await self.quiet()
        assert await self.snapshots() == before


@asynccontextmanager
async def table(server: ServerProcess, countdown_ms: int = 0) -> AsyncGenerator[Table]:
    async with AsyncExitStack() as stack:
        ada, grace, alan = [
            await stack.enter_async_context(wire_client(server.url, codec, name))
            for codec, name in ((MSGPACK, "Ada"), (MSGPACK, "Grace"), (JSON, "Alan"))
        ]
        _, _, ch, race, *_ = await ada.ask(
            "create", str(DEAL), "classic", 2, False, True, countdown_ms, 60_000
        )
        await grace.ask("join", race)
        await alan.ask("watch", race)
        for client in (ada, grace, alan):
            await client.silence()
        yield Table(ada, grace, alan, ch, race)


async def begin(at: Table) -> None:
    for player in (at.ada, at.grace):
        await player.say(["ready", at.ch])
    for client in (at.ada, at.grace, at.alan):
        await client.hear_until("go")
        assert await client.silence() == []


async def test_before_the_start(server: ServerProcess) -> None:
    """A move before the start is refused; a spectator cannot start or get ready."""
    async with asyncio.timeout(WITHIN), table(server) as at:
        await at.refused(at.ada, ["m", at.ch, 1, "2a"], "not_started", 1)
        await at.refused(at.alan, ["m", at.ch, 1, "2a"], "not_seated")
        await at.refused(at.grace, ["start", at.ch], "not_host")
        for command in (["ready", at.ch], ["leave", at.ch]):
            await at.refused(at.alan, command, "not_seated")


async def told(client: WireClient) -> Message:
    """The next message but for how many look on, which comes when it comes."""
    while (message := await client.hear())[0] == "watching":
        pass
    return message


async def test_during_the_race(server: ServerProcess) -> None:
    """A move that is illegal, out of turn number, from a spectator or for another seat is refused."""
    async with asyncio.timeout(WITHIN), table(server) as at:
        await begin(at)
        await at.refused(at.ada, ["m", at.ch, 1, "12"], "wrong_colour_or_rank", 1)
        await at.refused(at.ada, ["m", at.ch, 1, "1h"], "not_next_on_foundation", 1)
        await at.refused(at.ada, ["m", at.ch, 1, "zz"], "unreadable", 1)
        await at.refused(at.ada, ["u", at.ch, 1], "nothing_to_undo", 1)
        await at.refused(at.ada, ["finish", at.ch, 1], "not_finishable", 1)
        for n in (2, 3, 2**31 - 1):
            await at.refused(at.ada, ["m", at.ch, n, "2a"], "out_of_order", 1)
        for command in (["m", at.ch, 1, "2a"], ["u", at.ch, 1], ["giveup", at.ch, 1]):
            await at.refused(at.alan, command, "not_seated")
        await at.refused(at.ada, ["leave", at.ch], "started")
        await at.ada.say(["m", at.ch, 1, "2a"])
        assert (await told(at.ada))[:5:4] == ["a", 1]
        assert (await told(at.grace))[4:] == [0, 0, 1]
        assert (await told(at.alan))[4] == 0
        # A seat is whose connection it is: Grace's moves are on Grace's board, whatever she sends.
        await at.refused(at.grace, ["m", at.ch, 2, "2b"], "out_of_order", 1)
        await at.refused(at.grace, ["u", at.ch, 1], "nothing_to_undo", 1)


async def test_a_move_sent_twice_is_applied_once_and_acknowledged_twice(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), table(server) as at:
        await begin(at)
        await at.ada.say(["m", at.ch, 1, "2a"], ["m", at.ch, 1, "2a"])
        first, second = await at.ada.hear(), await at.ada.hear()
        assert first == second
        assert len(await at.grace.silence()) == 1


async def test_after_the_end(server: ServerProcess) -> None:
    """A move by one who is done, and any move after the end, is refused."""
    async with asyncio.timeout(WITHIN), table(server) as at:
        await begin(at)
        await at.ada.say(["giveup", at.ch, 1])
        for client in (at.ada, at.grace, at.alan):
            assert (await client.hear_until("gaveup"))[4] == 0
        await at.refused(at.ada, ["m", at.ch, 2, "2a"], "seat_done", 2)
        await at.grace.say(["giveup", at.ch, 1])
        for client in (at.ada, at.grace, at.alan):
            await client.hear_until("end")
        await at.refused(at.ada, ["m", at.ch, 2, "2a"], "race_over", 2)
        await at.refused(at.grace, ["giveup", at.ch, 2], "race_over", 2)
        await at.refused(at.alan, ["m", at.ch, 1, "2a"], "not_seated")


async def test_on_a_channel_that_one_does_not_receive(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        table(server) as at,
        wire_client(server.url, MSGPACK, "Eve") as eve,
    ):
        await begin(at)
        before = await at.snapshots()
        for command in (
            ["m", at.ch, 1, "2a"],
            ["giveup", at.ch, 1],
            ["look", at.ch],
            ["part", at.ch],
            ["leave", 9],
        ):
            await eve.say(command)
            n = command[2] if len(command) > 2 else 0
            assert (await eve.hear())[:4] == ["no", command[1], n, "no_channel"]
        await at.ada.say(["m", 2**31 - 1, 1, "2a"])
        assert (await at.ada.hear())[3] == "no_channel"
        await at.quiet()
        assert await at.snapshots() == before


async def test_a_race_that_does_not_exist_and_terms_that_cannot_be_raced(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as raw:
        requests: list[tuple[str, list[object], str]] = [
            ("watch", ["nosuchrace"], "not_found"),
            ("resume", ["nosuchrace", 3], "not_found"),
            ("join", ["nosuchrace"], "not_found"),
            ("join", ["0"], "bad_deal"),
            ("join", ["FC1-C3-AAAAATJ"], "bad_deal"),
            ("join", ["617", "no such rules"], "bad_options"),
            ("create", ["nonsense"], "bad_deal"),
            ("top", ["617", "nonsense"], "bad_options"),
            ("replay", ["nosuchrun"], "not_found"),
        ]
        for name, fields, code in requests:
            answer = await raw.ask(name, *fields)
            assert answer[:2] == ["error", code], (name, fields, answer)
            assert answer[2]
        for seats in (0, 17):
            await raw.say(["create", 1, "617", "classic", seats])
            answer = await raw.hear()
            assert answer[:2] == ["error", "bad_field"]
            assert "seats" in answer[2]
            assert answer[3] == 1


async def test_nothing_that_identifies_the_deal_is_sent_before_the_start(server: ServerProcess) -> None:
    """Secrecy before the start, to everybody, on the wire itself (invariant 5)."""
    async with asyncio.timeout(WITHIN), table(server, countdown_ms=60_000) as at:
        said = await at.snapshots()
        for player in (at.ada, at.grace):
            await player.say(["ready", at.ch], ["m", at.ch, 1, "2a"])
        for client in (at.ada, at.grace, at.alan):
            said += [await client.hear_until("countdown"), *await client.silence(), await client.ask("races")]
        said += await at.snapshots()
        for value in flat(said):
            assert value not in (DEAL, str(DEAL))
            assert not (isinstance(value, str) and any(secret in value for secret in ("FC1", "|", "/")))
        assert "FC1" not in server.log


def flat(value: object) -> Iterator[object]:
    """Every single value in a message."""
    if isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from flat(item)  # pyright: ignore[reportUnknownArgumentType]
    else:
        yield value
