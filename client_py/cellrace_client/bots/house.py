"""Bots of the house: `python -m cellrace_client.bots.house --url ws://HOST:PORT/ws --count N`.

They race whoever is alone, through the ordinary protocol, at a human pace. A server starts this program for its
`--house-bots`; anybody may run it against any server.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cellrace_client.arguments import Parser, address, counting, positive
from cellrace_client.bots.lookout import Lookout
from cellrace_client.bots.racer import Manner, race_against
from cellrace_client.bots.roster import Roster
from cellrace_client.bots.strength import character
from cellrace_client.client import DEFAULT_URL, Client, connect
from cellrace_client.errors import CellraceError, RequestFailed
from cellrace_client.identities import TOKEN_REFUSED
from cellrace_client.race import Race
from cellrace_protocol.commands import Kind

REMATCH_S = 30.0
"""How long a bot stays after a race for those who want another."""

AGAIN_FIRST_S = 0.5
AGAIN_MOST_S = 30.0
"""Pauses before a connection is tried again that could not be had, or kept."""

logger = logging.getLogger("cellrace.house")


class HouseBot:
    """One bot, for good: it waits until it is sent to a race, and may be asked for another one after it."""

    def __init__(self, number: int, roster: Roster, speed: float) -> None:
        self._number = number
        self._roster = roster
        self._name, strength = character(number)
        self._manner = Manner(strength, speed, random.Random())
        self._errand: asyncio.Future[str] | None = None

    def send(self, race: str) -> bool:
        """Go and race there, if it has nothing else to do; returns whether it goes."""
        if self._errand is None or self._errand.done():
            return False
        self._errand.set_result(race)
        return True

    async def run(self, url: str, lookout: Lookout) -> None:
        """Race whoever it is sent to, until the connection is gone for good. Raises `CellraceError`."""
        token = self._roster.entry(self._number).token
        try:
            await self._run_as(token, url, lookout)
        except RequestFailed as error:
            if token and error.code in TOKEN_REFUSED:
                self._roster.forget(self._number)
            raise

    async def _run_as(self, token: str, url: str, lookout: Lookout) -> None:
        async with connect(url, name=self._name, token=token, kind=Kind.BOT) as client:
            self._roster.keep(self._number, client.token)
            try:
                last = await self._come_back(client)
                while True:
                    last = await self._once(client, last, lookout)
            finally:
                self._errand = None

    async def _come_back(self, client: Client) -> Race | None:
        """Go on in the race that this bot was in when its process, its server or its connection ended; where it is over
        meanwhile, in the one in which everybody meets again, or wait for that."""
        where = self._roster.entry(self._number).race
        if not where:
            return None
        try:
            race = await client.watch(where)
        except RequestFailed as error:
            logger.info("race %s is not there any more: %s", where, error)
            self._roster.send(self._number, "")
            return None
        model = await race.until(lambda _: True)
        if model.phase == "ended" and race.seat >= 0:
            if not model.rematch:
                return race
            race.part()
            return await self._sit_down(client, model.rematch)
        if race.seat >= 0:
            return await self._race(race)
        self._leave(race)
        return None

    async def _race(self, race: Race) -> Race:
        self._roster.send(self._number, race.id)
        await race_against(race, self._manner)
        return race

    def _leave(self, race: Race) -> None:
        race.part()
        self._roster.send(self._number, "")

    async def _once(self, client: Client, last: Race | None, lookout: Lookout) -> Race | None:
        """Wait for something to do and do it; returns the race that was run, in which one may ask for another."""
        self._errand = errand = asyncio.get_running_loop().create_future()
        race = await _asked(client, errand, REMATCH_S) if last is not None else None
        if last is not None:
            self._leave(last)
        if race is None and not errand.done():
            race = await _asked(client, errand, None)
        if race is not None:
            if errand.done():  # both at once: somebody else may go there
                lookout.returned(errand.result())
            errand.cancel()
            return await self._race(race)
        where = errand.result()
        try:
            return await self._sit_down(client, where)
        finally:
            lookout.returned(where)

    async def _sit_down(self, client: Client, where: str) -> Race | None:
        try:
            self._roster.send(self._number, where)
            race = await client.join(where)
        except RequestFailed as error:
            logger.info("race %s is not joined: %s", where, error)
            self._roster.send(self._number, "")
            return None
        return await self._race(race)


async def _asked(client: Client, errand: "asyncio.Future[str]", within_s: float | None) -> Race | None:
    """The race to which somebody has brought us who wants to race again; `None` when there is an errand, or nothing in
    so many seconds. Raises `Disconnected`."""
    invited = asyncio.create_task(client.gathered())
    waiting: list[asyncio.Future[Any]] = [invited, errand]
    try:
        await asyncio.wait(waiting, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
        return invited.result() if invited.done() else None
    finally:
        invited.cancel()


class House(NamedTuple):
    """The bots of one process on one server."""

    url: str
    bots: Sequence[HouseBot]

    async def run(self) -> None:
        """Until cancelled. Raises `OSError` where what the bots have to keep cannot be written."""
        lookout = Lookout(self._send)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_again_and_again(lambda: self._look_out(lookout)))
                for bot in self.bots:
                    tasks.create_task(_again_and_again(_running(bot, self.url, lookout)))
        except ExceptionGroup as group:  # one is enough to know
            raise group.exceptions[0] from None

    def _send(self, race: str) -> bool:
        """Send whichever bot is free, by chance: so strengths vary."""
        return any(bot.send(race) for bot in random.sample(self.bots, len(self.bots)))

    async def _look_out(self, lookout: Lookout) -> None:
        try:
            async with connect(self.url, kind=Kind.BOT) as client:
                async for rows in await client.follow():
                    lookout.see(rows)
        finally:
            lookout.see({})


def _running(bot: HouseBot, url: str, lookout: Lookout) -> Callable[[], Awaitable[None]]:
    return lambda: bot.run(url, lookout)


async def _again_and_again(work: Callable[[], Awaitable[None]]) -> None:
    """Begin anew when the connection is lost for good, after pauses that grow while it is not to be had at all."""
    loop = asyncio.get_running_loop()
    pause = AGAIN_FIRST_S
    while True:
        began = loop.time()
        try:
            await work()
        except CellraceError as error:
            logger.info("connecting again: %s", error)
        if loop.time() - began > AGAIN_MOST_S:
            pause = AGAIN_FIRST_S
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, AGAIN_MOST_S)


async def _main(arguments: argparse.Namespace) -> None:
    roster = Roster(Path(arguments.tokens))
    bots = [HouseBot(number, roster, arguments.speed / 100) for number in range(arguments.count)]
    if arguments.tied:
        loop = asyncio.get_running_loop()
        # Its owner holds the other end and writes nothing: this is the owner's end, whatever has ended it.
        loop.add_reader(sys.stdin.fileno(), os._exit, 0)
    await House(arguments.url, bots).run()


def main(arguments: Sequence[str] | None = None) -> int:
    """Race until interrupted. Returns the exit status."""
    parser = Parser(prog="python -m cellrace_client.bots.house", description=__doc__)
    parser.add_argument("--url", type=address, default=DEFAULT_URL, help="the server (default %(default)s)")
    parser.add_argument("--count", type=counting, default=1, help="how many bots (default %(default)s)")
    parser.add_argument("--speed", type=positive, default=100.0, help="in percent of a human pace")
    parser.add_argument(
        "--tokens", default="house-bots.json", metavar="FILE", help="where who they are is kept"
    )
    parser.add_argument("--tied", action="store_true", help="end when standard input does")
    found = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        asyncio.run(_main(found))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        logger.error("%s: %s", found.tokens, error.strerror or error)  # noqa: TRY400 - the text says all
        return 73
    return 0


if __name__ == "__main__":
    sys.exit(main())
