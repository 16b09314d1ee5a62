"""Many at once, and what is left when all have gone."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.lines import DEAL
from tests.support.server_process import ServerProcess, server_process
from tests.support.valkey import plain_valkey, tell
from tests.support.waiting import eventually, eventually_answers
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

CLIENTS = 25
GONE_WITHIN_S = 40
"""A seat whose player vanished is given back after a while."""


async def test_of_200_who_join_a_race_of_ten_seats_ten_sit(tmp_path: Path) -> None:
    async with asyncio.timeout(60), server_process(tmp_path) as server, AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(wire_client(server.url, name=f"Player {n}")) for n in range(200)
        ]
        host = await stack.enter_async_context(wire_client(server.url, name="Host"))
        _, _, _, race, *_ = await host.ask(
            "create", str(DEAL), "classic", 10, False, True, 3_000, 60_000, False
        )

        answers = await asyncio.gather(*(client.ask("join", race) for client in clients))

        seats = sorted(answer[4] for answer in answers if answer[0] == "in")
        assert seats == list(range(10))
        assert {answer[1] for answer in answers if answer[0] == "error"} == {"full"}
        watching = await host.ask("watch", race)
        snapshot = await host.hear_until("snap")
        assert watching[0] == "in"
        assert len({seat[0] for seat in snapshot[19]}) == 10


async def in_the_lobby(client: WireClient, channel: int) -> None:
    await client.say(["leave", channel], ["part", channel])


async def without_a_word(client: WireClient, channel: int) -> None:
    await client.say(["part", channel])


async def in_the_countdown(client: WireClient, channel: int) -> None:
    await client.say(["ready", channel])
    await client.hear_until("countdown")
    await client.say(["leave", channel], ["part", channel])


async def while_it_runs(client: WireClient, channel: int) -> None:
    await client.say(["start", channel])
    await client.hear_until("go")
    await client.say(["m", channel, 1, "2a"], ["part", channel])


async def when_it_is_over(client: WireClient, channel: int) -> None:
    await client.say(["start", channel])
    await client.hear_until("go")
    await client.say(["giveup", channel, 1])
    await client.hear_until("end")
    await client.say(["part", channel])


LEFT: list[tuple[int, Callable[[WireClient, int], Awaitable[None]]]] = [
    (0, in_the_lobby),
    (0, without_a_word),
    (60_000, in_the_countdown),
    (0, while_it_runs),
    (0, when_it_is_over),
]


async def race_and_leave(client: WireClient, races: int) -> None:
    """Open races one after the other, and leave each in another of its phases."""
    for _, (countdown_ms, leave) in zip(range(races), itertools.cycle(LEFT), strict=False):
        answer = await client.ask("create", "", "classic", 1, False, True, countdown_ms, 1_000)
        assert answer[0] == "in", answer
        await leave(client, answer[2])


async def crowd(url: str, races: int) -> None:
    """Many clients at once, so many races each."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(wire_client(url, name=f"Player {n}")) for n in range(CLIENTS)
        ]
        await asyncio.gather(*(race_and_leave(client, races) for client in clients))


Counts = dict[str, float]
COUNTED = (
    *("cellrace_tasks", "cellrace_deadlines", "cellrace_channels", "cellrace_connections", "cellrace_races"),
    "process_open_fds",
)


async def counts(server: ServerProcess) -> Counts:
    """Everything that could have stayed behind in the process."""
    text = (await server.get("/metrics")).body
    found: Counts = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name.partition("{")[0] in COUNTED:
            found[name] = float(value)
    return found


@pytest.mark.parametrize("races", [1_000, pytest.param(5_000, marks=pytest.mark.slow)])
async def test_nothing_stays_behind_of_races_left_in_every_phase(tmp_path: Path, races: int) -> None:
    """Tasks, timers, rooms, channels, sockets, and keys and subscriptions in the store."""
    (tmp_path / "store").mkdir()
    many = "100000"
    flags = ("--keep-races-s", "1", "--keep-seats-s", "5", "--open-races-most", many, "--seats-most", many)
    async with asyncio.timeout(240), AsyncExitStack() as stack:
        store, _ = stack.enter_context(plain_valkey(tmp_path / "store"))
        server = await stack.enter_async_context(
            server_process(tmp_path / "server", "--redis", f"redis://{store}", *flags, development=False)
        )
        await crowd(server.url, len(LEFT))
        await eventually_answers(lambda: no_races(server), GONE_WITHIN_S)
        before, subscribed = await counts(server), tell(store, "PUBSUB CHANNELS *")

        await crowd(server.url, races // CLIENTS)
        assert await server.gauge("cellrace_facts_total") > 3 * races

        await eventually_answers(lambda: no_races(server), GONE_WITHIN_S)
        await eventually_answers(lambda: no_more_than(server, before), GONE_WITHIN_S)
        assert tell(store, "PUBSUB CHANNELS *") == subscribed
        await eventually(lambda: not race_keys(store), within=GONE_WITHIN_S)


async def no_races(server: ServerProcess) -> bool:
    return not any(value for name, value in (await counts(server)).items() if "races" in name)


async def no_more_than(server: ServerProcess, before: Counts) -> bool:
    now = await counts(server)
    return all(now[name] <= value for name, value in before.items())


def race_keys(store: str) -> list[bytes]:
    """The keys of the store but for those about players (who they are, what they raced and have seen) and days, and the
    one that is written to see whether writes are taken."""
    (answer,) = tell(store, "KEYS *")
    words = [word for word in answer.split(b"\r\n") if word.startswith(b"cellrace:")]
    others = (b":identity", b":name", b":token", b":seen", b":runs", b":daily", b":barrier", b":secret")
    raced = (b":who", b":tokens", b":races", b":wins", b":rules")
    return [word for word in words if not word.endswith(others + raced)]
