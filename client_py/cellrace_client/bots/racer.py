"""One house bot in one race: it sits down with a person, gets ready, plays, and goes."""

import asyncio
import random
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import NamedTuple

from cellrace_client.advice import solution_of
from cellrace_client.bots.play import FINISH, UNDO, Action, played
from cellrace_client.bots.strength import STRENGTHS, Strength
from cellrace_client.errors import ActionRefused
from cellrace_client.model import RaceModel, SeatState
from cellrace_client.race import Race
from cellrace_client.tables import position_of
from cellrace_engine import DealCode, EngineError, Line, Move, parse_rules
from cellrace_engine.solver import Limits
from cellrace_protocol.commands import Kind

READY_S = (1.0, 2.5)
LOBBY_MOST_S = 120.0
"""How long it waits for the person it has come for."""

ALONE_MOST_S = 10.0
"""How long it plays on when no person plays any more."""

WAIT_MOST_S = 300.0
"""How long it waits for the others when it is home."""

STARE_S = 45.0
"""After so long it gives up a deal that it sees no way in."""

THINK_MOST_S = 20.0
NODES = 200_000


class Manner(NamedTuple):
    """How it plays: its strength, how many times as fast as that, and its chance."""

    strength: Strength
    speed: float
    chance: random.Random
    turns: AbstractAsyncContextManager[object] = nullcontext()
    """Taken while it looks for a way home: bots that share them do so one after another."""

    async def pause(self, seconds: float) -> None:
        """Let time pass, at this one's speed."""
        await asyncio.sleep(seconds / self.speed)


def manner_of(
    strength: str, speed: float, turns: AbstractAsyncContextManager[object] | None = None
) -> Manner:
    """The manner of a bot of this strength, by its name; `speed` is above 0."""
    named = next(each for each in STRENGTHS if each.name == strength)
    return Manner(named, speed, random.Random(), turns or nullcontext())


async def race_against(race: Race, manner: Manner) -> None:
    """Race to the end, or leave where there is nobody to race against. Returns before the end where the others take
    very long. Raises `Disconnected`."""
    model = await race.until(lambda _: True)
    if company(model):
        await manner.pause(manner.chance.uniform(*READY_S))
        race.ready()
        model = await _started(race)
    if model.phase != "running" or race.seat < 0:
        if model.phase != "ended":
            race.leave()
        return
    playing = asyncio.create_task(go_home(race, model, manner))
    try:
        await _nobody_plays(race, playing, manner)
    finally:
        playing.cancel()
        await asyncio.wait([playing])
    if not playing.cancelled():
        playing.result()
    model = await race.until(lambda _: True)
    if not race.over and model.seats[race.seat].time < 0:
        with suppress(ActionRefused):
            await race.give_up()
    with suppress(TimeoutError):
        async with asyncio.timeout(WAIT_MOST_S):
            await race.until(lambda model: model.phase == "ended")


async def play_alone(race: Race, manner: Manner) -> RaceModel:
    """Play a race of one that begins by itself to its end, giving it up where no way is seen, and return it. Raises
    `Disconnected`."""
    model = await race.until(lambda model: model.phase in ("running", "ended"))
    if model.phase == "running":
        await go_home(race, model, manner)
    model = await race.until(lambda _: True)
    if not race.over and model.seats[race.seat].time < 0:
        with suppress(ActionRefused):
            await race.give_up()
    return await race.until(lambda model: model.phase == "ended")


def company(model: RaceModel) -> bool:
    """Whether a person is there to race against, and no other bot that has come before us."""
    seats = list(enumerate(model.seats))
    people = any(_person(seat) for _, seat in seats)
    return people and not any(seat.kind is Kind.BOT and seat.taken for n, seat in seats if n < model.you)


def _person(seat: SeatState) -> bool:
    return seat.taken and seat.kind is Kind.HUMAN


def _people_are_done(model: RaceModel) -> bool:
    return all(seat.gave_up or seat.time >= 0 for seat in model.seats if _person(seat))


async def _started(race: Race) -> RaceModel:
    """The race when it runs or is over, or there is no reason to wait any more."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOBBY_MOST_S):
            await race.until(lambda model: model.phase in ("running", "ended") or not company(model))
    return await race.until(lambda _: True)


async def _nobody_plays(race: Race, playing: "asyncio.Task[None]", manner: Manner) -> None:
    """Wait until the race is over, or we are done, or have been alone for a while."""
    over = asyncio.create_task(race.until(lambda model: model.phase == "ended" or _people_are_done(model)))
    try:
        await asyncio.wait([over, playing], return_when=asyncio.FIRST_COMPLETED)
        if not playing.done() and not race.over:
            with suppress(TimeoutError):
                async with asyncio.timeout(ALONE_MOST_S / manner.speed):
                    await asyncio.wait([playing])
    finally:
        over.cancel()
        await asyncio.wait([over])
    if not over.cancelled():
        over.result()


async def go_home(race: Race, model: RaceModel, manner: Manner) -> None:
    """Go on from where the seat stands. Returns when it is home, or sees no way, as under rules that this version does
    not know. Raises `Disconnected`."""
    try:
        start, line = await _way_home(race, model, manner)
        if not line:
            await manner.pause(STARE_S)
            return
        for action in played(start, line, manner.strength, manner.chance):
            await manner.pause(action.pause_s)
            await _do(race, action)
    except (ActionRefused, EngineError):
        return  # the race is over, or the seat is done, or this is no game that we know


async def _way_home(race: Race, model: RaceModel, manner: Manner) -> tuple[Line, tuple[Move, ...]]:
    """A line that wins, if there is one, and where it begins: for a seat that has played on into a dead end, at the
    deal again."""
    rules = parse_rules(model.rules)
    deal = Line.begin(rules, DealCode.parse(model.deal).deal())
    board = model.seats[race.seat].board
    here = deal if board is None else Line.begin(rules, position_of(board))
    line = await _solved(here, manner)
    if line or here.position == deal.position:
        return here, line
    await race.restart()
    return deal, await _solved(deal, manner)


async def _do(race: Race, action: Action) -> None:
    if action.what == UNDO:
        await race.undo()
    elif action.what == FINISH:
        await race.finish()
    else:
        await race.move(action.what)


async def _solved(start: Line, manner: Manner) -> tuple[Move, ...]:
    """A line that wins, or none; found beside the event loop, in bounded time."""
    with suppress(TimeoutError):
        async with manner.turns, asyncio.timeout(THINK_MOST_S):
            return (await solution_of(start.position, start.rules, Limits(NODES, NODES))).line
    return ()
