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
from tests.support.wire_client import Message, wire_client

pytestmark = pytest.mark.asyncio

PAIRS = 25
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


class Pair:
    """Two who race each other, or one of them alone. Where both are in a race, its channel is the same for both."""

    def __init__(self, url: str, number: int, stack: AsyncExitStack) -> None:
        self.rules = f"pocket+points_to_foundation={number + 1}"
        """Theirs alone: no other strangers come where these two wait."""
        self._url = url
        self._stack = stack
        self._number = number

    async def come(self) -> None:
        self.host = await self._stack.enter_async_context(wire_client(self._url, name=f"Host {self._number}"))
        self.guest = await self._stack.enter_async_context(
            wire_client(self._url, name=f"Guest {self._number}")
        )

    async def guest_is_cut_off(self) -> None:
        """Without a word, and comes back by another connection, not knowing where it was."""
        self.guest.socket.transport.abort()
        again = await self._stack.enter_async_context(wire_client(self._url, name=None))
        await again.hello(token=self.guest.token)
        self.guest = again

    async def alone(self, countdown_ms: int = 0) -> int:
        """The channel of a new race, in which the host sits."""
        return entered(await self.host.ask("create", "", "classic", 1, False, True, countdown_ms, 1_000))[0]

    async def both(self, countdown_ms: int = 0, best_of: int = 1) -> int:
        """That of one in which both do."""
        terms = ("", "classic", 2, False, True, countdown_ms, 1_000, True, False, True, 0, best_of)
        channel, race, _ = entered(await self.host.ask("create", *terms))
        entered(await self.guest.ask("join", race))
        return channel

    async def say(self, *words: object) -> None:
        """Both of them say it."""
        for client in (self.host, self.guest):
            await client.say(list(words))

    async def hear(self, name: str) -> None:
        for client in (self.host, self.guest):
            await client.hear_until(name)


async def in_the_lobby(pair: Pair) -> None:
    channel = await pair.alone()
    await pair.host.say(["leave", channel], ["part", channel])


async def without_a_word(pair: Pair) -> None:
    await pair.host.say(["part", await pair.alone()])


async def in_the_countdown(pair: Pair) -> None:
    channel = await pair.alone(60_000)
    await pair.host.say(["ready", channel])
    await pair.host.hear_until("countdown")
    await pair.host.say(["leave", channel], ["part", channel])


async def while_it_runs(pair: Pair) -> None:
    channel = await pair.alone()
    await pair.host.say(["start", channel])
    await pair.host.hear_until("go")
    await pair.host.say(["m", channel, 1, "2a"], ["part", channel])


async def when_it_is_over(pair: Pair) -> None:
    channel = await pair.alone()
    await pair.host.say(["start", channel])
    await pair.host.hear_until("go")
    await pair.host.say(["giveup", channel, 1])
    await pair.host.hear_until("end")
    await pair.host.say(["part", channel])


async def cut_off_in_the_lobby(pair: Pair) -> None:
    channel = await pair.both()
    await pair.guest_is_cut_off()
    await pair.host.say(["leave", channel], ["part", channel])


async def cut_off_in_the_countdown(pair: Pair) -> None:
    channel = await pair.both(60_000)
    await pair.say("ready", channel)
    await pair.hear("countdown")
    await pair.guest_is_cut_off()
    await pair.host.say(["leave", channel], ["part", channel])


async def cut_off_while_it_runs(pair: Pair) -> None:
    channel = await pair.both()
    await pair.say("ready", channel)
    await pair.hear("go")
    await pair.guest_is_cut_off()
    await pair.host.say(["giveup", channel, 1], ["part", channel])


async def strangers(pair: Pair) -> None:
    """One of them is cut off when they have met, and the other leaves."""
    channel, _, _ = entered(await pair.host.ask("quick", pair.rules))
    entered(await pair.guest.ask("quick", pair.rules))
    await pair.host.hear_until("countdown")
    await pair.guest_is_cut_off()
    await pair.host.say(["leave", channel], ["part", channel])


async def again(pair: Pair, best_of: int = 1) -> None:
    """Both race to the end, and once more, and then part for good."""
    channel = await pair.both(best_of=best_of)
    await pair.say("ready", channel)
    for last in (False, True):
        await pair.hear("go")
        await pair.say("giveup", channel, 1)
        await pair.hear("end")
        if not last:
            after = entered(await pair.host.ask("rematch", channel))[0]
            await pair.guest.say(["rematch", 7, channel])
            await pair.guest.hear_until("in")
            await pair.say("ready", after)
            await pair.say("part", channel)
            channel = after
    await pair.say("part", channel)


async def in_a_series(pair: Pair) -> None:
    await again(pair, best_of=3)


LEFT: list[Callable[[Pair], Awaitable[None]]] = [
    in_the_lobby,
    without_a_word,
    in_the_countdown,
    while_it_runs,
    when_it_is_over,
    cut_off_in_the_lobby,
    cut_off_in_the_countdown,
    cut_off_while_it_runs,
    strangers,
    again,
    in_a_series,
]


def entered(answer: Message) -> tuple[int, str, int]:
    """Channel, race and seat."""
    assert answer[0] == "in", answer
    return answer[2], answer[3], answer[4]


async def crowd(url: str, races: int) -> None:
    """Many pairs at once, so many races each, one after the other, and each left in another of its phases."""
    async with AsyncExitStack() as stack:
        pairs = [Pair(url, number, stack) for number in range(PAIRS)]
        for pair in pairs:
            await pair.come()

        async def race_and_leave(pair: Pair) -> None:
            for leave in itertools.islice(itertools.cycle(LEFT), races):
                await leave(pair)

        await asyncio.gather(*map(race_and_leave, pairs))


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

        await crowd(server.url, races // PAIRS)
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
