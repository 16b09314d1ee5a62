"""Several bots in one process: each comes, races so many times, and goes. All of it ends by itself."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import NamedTuple, TypeVar

from cellrace_client.bots.kinds import Player
from cellrace_client.client import Client, OnNotice, connect
from cellrace_client.errors import (
    ActionRefused,
    CannotConnect,
    CellraceError,
    Disconnected,
    RequestFailed,
)
from cellrace_client.model import RaceModel
from cellrace_client.race import Race
from cellrace_engine import DealCode, DealError
from cellrace_protocol.commands import Kind

OPENING_MOST = 8
"""Bots that connect at the same time: a server's address has limits, and so has its backlog."""

TRIES = 5
"""How often is asked, and knocked, again where the server says when to come back."""

OTHERS_MOST_S = 300.0
"""How long one waits for the others when one is done."""

AnswerType = TypeVar("AnswerType")


class Errand(NamedTuple):
    """What each bot of a fleet does: `races` races on `what`, a race (and then rematches), a deal, or, empty, whatever
    race strangers have. It waits `patience_s` for the others to come, or where it `goes_last` until no other of the
    fleet is left, if that is sooner. `token` is for one bot alone."""

    url: str
    what: str = ""
    rules: str = "classic"
    races: int = 1
    patience_s: float = 30.0
    name: str = ""
    token: str = ""
    goes_last: bool = False


class Outcome(NamedTuple):
    """How one race was for one bot. `end` is "home", "gave_up", "alone" where nobody came, or "fault", which `fault`
    tells then. `place` and `time_ms` are 0 and -1 where there is none."""

    bot: str
    race: str = ""
    deal: str = ""
    rules: str = ""
    end: str = "fault"
    place: int = 0
    time_ms: int = -1
    home: int = 0
    moves: int = 0
    fault: str = ""

    @property
    def won(self) -> bool:
        return self.place == 1 and self.time_ms >= 0


class Tally:
    """What came of the races of a fleet: a race of two of them is one."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self.wins = 0
        self.alone = 0
        self.faults = 0

    @property
    def races(self) -> int:
        """Races that have begun, and had one of them in it at least."""
        return len(self._names)

    def count(self, outcome: Outcome) -> None:
        if outcome.deal:
            self._names.add(outcome.race)
        self.wins += outcome.won
        self.alone += outcome.end == "alone"
        self.faults += bool(outcome.fault)


Seated = Callable[[Client, Race], None]
Told = Callable[[Outcome], None]


class Fleet:
    """`await Fleet(errand, player, told).run(50)`. All play as `player` does; `told` is told each outcome,
    `seated` where a bot has sat down, `come` who has come. What these raise ends the fleet."""

    def __init__(
        self,
        errand: Errand,
        player: Player,
        told: Told,
        *,
        come: Callable[[Client], None] | None = None,
        seated: Seated | None = None,
        on_notice: OnNotice | None = None,
    ) -> None:
        self._errand = errand
        self._player = player
        self._told = told
        self._come = come
        self._seated = seated
        self._on_notice = on_notice
        self._opening = asyncio.Semaphore(OPENING_MOST)
        self._here = 0
        self._is_last = asyncio.Event()

    async def run(self, count: int) -> None:
        """Have `count` bots race; ends when all are done. What goes wrong with one is its outcome. Raises
        `CannotConnect` or `Disconnected` where no bot has found the server, or none has kept it. Cancelled, all bots
        hang up."""
        self._here = count
        names = [self._errand.name] if count == 1 else [self._name(n) for n in range(1, count + 1)]
        try:
            async with asyncio.TaskGroup() as tasks:
                bots = [tasks.create_task(self._run_one(name)) for name in names]
        except ExceptionGroup as group:  # of what it was given to call: one is enough to know
            raise group.exceptions[0] from None
        missed = [bot.result() for bot in bots]
        failures = [error for error in missed if error is not None]
        if failures and len(failures) == count:
            raise failures[0]
        for name, error in zip(names, missed, strict=True):
            if error is not None:
                self._told(Outcome(name, fault=str(error)))

    def _name(self, number: int) -> str:
        return f"{self._errand.name} {number}" if self._errand.name else ""

    async def _run_one(self, name: str) -> CannotConnect | Disconnected | None:
        try:
            async with self._connected(name) as client:
                await self._race_on(client)
        except (CannotConnect, Disconnected) as error:
            return error
        except CellraceError as error:
            self._told(Outcome(name, fault=str(error)))
        finally:
            self._here -= 1
            if self._here <= 1:
                self._is_last.set()
        return None

    @asynccontextmanager
    async def _connected(self, name: str) -> AsyncGenerator[Client]:
        async with AsyncExitStack() as stack:
            errand = self._errand

            async def come() -> Client:
                bot = connect(
                    errand.url, name=name, token=errand.token, kind=Kind.BOT, on_notice=self._on_notice
                )
                return await stack.enter_async_context(bot)

            async with self._opening:
                client = await _patiently(come)
            if self._come is not None:
                self._come(client)
            yield client

    async def _race_on(self, client: Client) -> None:
        last: Race | None = None
        for _ in range(self._errand.races):
            race = await self._sit_down(client, last)
            if self._seated is not None:
                self._seated(client, race)
            self._told(await self._race(client, race))
            if last is not None:
                last.part()
            last = race
        if last is not None:
            last.part()

    async def _sit_down(self, client: Client, last: Race | None) -> Race:
        what, rules = self._errand.what, self._errand.rules
        if not what:
            return await _patiently(lambda: client.quick(rules=rules))
        if last is not None and not _is_deal(what):
            return await _patiently(lambda: client.rematch(last))
        return await _patiently(lambda: client.join(what, rules=rules))

    async def _race(self, client: Client, race: Race) -> Outcome:
        race.ready()
        model = await self._started(race)
        if not model.start or race.seat < 0:
            return _outcome(client, race, model, "")
        fault = ""
        if model.phase == "running":
            fault = await self._player.play(race, model)
        model = await race.until(lambda _: True)
        if model.phase == "running" and model.seats[race.seat].time < 0:
            with suppress(ActionRefused):  # the race may have ended just now
                await race.give_up()
        with suppress(TimeoutError):
            async with asyncio.timeout(OTHERS_MOST_S):
                model = await race.until(lambda model: model.phase == "ended")
        return _outcome(client, race, model, fault)

    async def _started(self, race: Race) -> RaceModel:
        """The race when it runs, or is over, or has nobody in it but us for too long: then the seat is given back."""
        begun = asyncio.ensure_future(race.until(lambda model: model.phase != "lobby"))
        last = asyncio.ensure_future(self._is_last.wait())
        awaited = {begun, last} if self._errand.goes_last else {begun}
        try:
            await asyncio.wait(awaited, timeout=self._errand.patience_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            begun.cancel()
            last.cancel()
            await asyncio.wait([begun, last])
        if not begun.cancelled():
            begun.result()  # raises what has become of it
        model = await race.until(lambda _: True)
        if model.phase == "lobby":
            race.leave()
            model = await race.until(lambda model: model.you < 0 or model.phase != "lobby")
        if model.you < 0:
            return model
        return await race.until(lambda model: model.phase in ("running", "ended"))


def _outcome(client: Client, race: Race, model: RaceModel, fault: str) -> Outcome:
    if race.seat < 0 or not model.start:
        return Outcome(client.name, race.id, end="alone")
    seat = model.seats[race.seat]
    place = next((row.place for row in model.standings if row.seat == race.seat), 0)
    end = "fault" if fault else "home" if seat.time >= 0 else "gave_up"
    return Outcome(
        seat.name, race.id, model.deal, model.rules, end, place, seat.time, seat.home, seat.moves, fault
    )


async def _patiently(ask: Callable[[], Awaitable[AnswerType]]) -> AnswerType:
    """Ask again where the server has said when to."""
    for _ in range(TRIES):
        try:
            return await ask()
        except CannotConnect as error:
            wait_s = error.retry_after_s
            if not wait_s:
                raise
        except RequestFailed as error:
            wait_s = error.retry_after / 1_000
            if not wait_s:
                raise
        await asyncio.sleep(wait_s)
    return await ask()


def _is_deal(what: str) -> bool:
    try:
        DealCode.parse(what)
    except DealError:
        return False
    return True
