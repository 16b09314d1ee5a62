"""`cellrace bot`: one bot or many, which race and go."""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cellrace_client.bots.fleet import Errand, Fleet, Outcome, Tally
from cellrace_client.bots.kinds import ByHeart, Chance, Ghost, Player, Solver
from cellrace_client.bots.move_list import Fault, fault_on, moves_in
from cellrace_client.bots.racer import manner_of
from cellrace_client.cli import DEFAULT_URL, EXIT_DATA, EXIT_TRY_AGAIN, EXIT_USAGE
from cellrace_client.cli.amounts import cards, counted
from cellrace_client.cli.online import failed, run_online, say
from cellrace_client.client import Client, connect
from cellrace_client.files import text_of
from cellrace_client.identities import TokenFile
from cellrace_client.links import CHALLENGE, place_of
from cellrace_client.openings import Opening, is_meant_as_deal, opening
from cellrace_client.race import Race
from cellrace_client.times import clock
from cellrace_engine import DealError, from_json, rules_text
from cellrace_protocol.commands import Kind

ALONE_S, TOGETHER_S = 600.0, 30.0
"""How long a bot waits for somebody if not told: one that people may come for, and one of several."""


MANY = 100
"""More bots than these in one program are worth a word."""

TOLD_MOST = 100
"""So many races of several bots are told one by one."""

TOLD_EVERY_S = 10.0
"""How often is told how far they are: at the pace of people a race takes minutes."""

FEW = 10
"""Of so many at most is told how far they are."""

THINKING_MOST = 2
"""Bots that look for a way home at the same time: each takes a processor."""


def run(arguments: argparse.Namespace) -> int:
    """Race; returns the exit status."""
    fault = _misused(arguments)
    if fault:
        print(f"cellrace: {fault}", file=sys.stderr)
        return EXIT_USAGE
    try:
        url, what = place_of(arguments.what, arguments.url, DEFAULT_URL)
        asked = opening(what, arguments.rules) if is_meant_as_deal(what) else None
        text = text_of(Path(arguments.moves)) if arguments.moves else ""
    except (OSError, DealError) as error:
        return failed(error)
    moves = _checked(text, asked) if arguments.moves else ()
    if isinstance(moves, Fault):
        print(f"cellrace: {arguments.moves}, line {moves.line}: {moves.text}", file=sys.stderr)
        return EXIT_DATA
    arguments.url, arguments.what = url, what
    return run_online(_race(arguments, moves))


def _checked(text: str, asked: Opening | None) -> Sequence[str] | Fault:
    """The moves of a file, or what is wrong with them: with each as text, and where the deal is known, on it. Of a race
    that is named, the deal is hidden until the start."""
    moves = moves_in(text)
    if isinstance(moves, Fault) or asked is None or asked.deal is None:
        return moves
    return fault_on(text, asked.deal.deal(), asked.rules) or moves


def _misused(arguments: argparse.Namespace) -> str:
    """What does not go together."""
    if arguments.moves and arguments.kind:
        return "a bot plays the moves of a file, or after its --kind"
    if arguments.moves and not arguments.what:
        return "moves are for a race or a deal: name it"
    if arguments.ghost and (arguments.kind not in (None, "ghost") or arguments.moves):
        return "a run is for --kind ghost"
    if arguments.kind == "ghost" and not arguments.ghost:
        return "--kind ghost plays a stored run: name it with --ghost"
    if arguments.token_file and arguments.count > 1:
        return "one identity is for one bot"
    return ""


async def _race(arguments: argparse.Namespace, moves: Sequence[str]) -> int:
    kept = TokenFile(arguments.token_file)
    errand = _errand(arguments, kept.token())
    player: Player
    if arguments.ghost:
        errand, player = await _haunting(errand, arguments.ghost, arguments.speed)
    else:
        player = ByHeart(moves, arguments.pace) if moves else _thinking(arguments)
    several = arguments.count > 1 or arguments.races > 1
    is_told = several and not arguments.json and arguments.count * arguments.races <= TOLD_MOST
    tally = Tally()

    def come(client: Client) -> None:
        kept.keep(client.token)

    if several:
        _begin(arguments.count, arguments.races, is_odd=arguments.count % 2 == 1 and not errand.what)
    under_way = UnderWay()
    is_alone_known = arguments.count % 2 == 1 and arguments.count > 1
    with _progress(several, arguments.count * arguments.races) as advance:

        def told(outcome: Outcome) -> None:
            tally.count(outcome)
            under_way.done(outcome.race)
            advance()
            _tell(outcome, as_json=arguments.json, in_words=not several)
            if is_told and not outcome.fault and not (is_alone_known and outcome.end == "alone"):
                print(_in_short(outcome), file=sys.stderr, flush=True)

        def seated(client: Client, race: Race) -> None:
            under_way.begin(race)
            if not several and not arguments.json:
                _announce(client, race)

        fleet = Fleet(errand, player, told, come=come, seated=seated, on_notice=say)
        async with under_way.told(wanted=not arguments.json and arguments.count <= FEW):
            await fleet.run(arguments.count)
    if several:
        print(_summary(arguments.count, tally), file=sys.stderr if arguments.json else sys.stdout)
    if tally.faults:
        return EXIT_DATA
    return EXIT_TRY_AGAIN if tally.alone and not tally.races else 0


def _errand(arguments: argparse.Namespace, token: str) -> Errand:
    url, what = arguments.url, arguments.what
    if arguments.ghost:
        url, _ = place_of(arguments.ghost, url, DEFAULT_URL, CHALLENGE)
    patience = arguments.patience or (ALONE_S if arguments.count == 1 else TOGETHER_S)
    goes_last = arguments.count > 1 and not arguments.patience and not what
    return Errand(url, what, arguments.rules, arguments.races, patience, arguments.name, token, goes_last)


def _thinking(arguments: argparse.Namespace) -> Player:
    manner = manner_of(arguments.bot, arguments.speed, asyncio.Semaphore(THINKING_MOST))
    return Chance(manner) if arguments.kind == "random" else Solver(manner)


async def _haunting(errand: Errand, run: str, speed: float) -> tuple[Errand, Ghost]:
    """Play a stored run again, on its deal if no other race is named."""
    async with connect(errand.url, kind=Kind.BOT) as client:
        replay = from_json(await client.replay(run))
    return (
        errand._replace(what=errand.what or str(replay.deal), rules=rules_text(replay.rules)),
        Ghost(replay.players[0].actions, speed),
    )


def _begin(bots: int, races: int, *, is_odd: bool) -> None:
    """Say at once that something goes on: it may be long before the first race is over."""
    if bots > MANY:
        text = f"{bots} bots are many: they share the processors of this machine, and the server may turn some away"
        print(f"cellrace: {text}", file=sys.stderr)
    each = f", {counted(races, 'race')} each" if races > 1 else ""
    print(f"{counted(bots, 'bot')}{each}: waiting for races", file=sys.stderr, flush=True)
    if is_odd and bots > 1:
        print("they race in twos: one stays alone, and goes if nobody comes", file=sys.stderr, flush=True)


def _announce(client: Client, race: Race) -> None:
    print(f"{client.name}: race {race.id}, seat {race.seat}; waiting for the start", flush=True)
    print(f"others sit down or look on at {client.link(race)}", file=sys.stderr, flush=True)


class UnderWay:
    """The races that go on, and how far the bots in them are."""

    def __init__(self) -> None:
        self._races: dict[str, list[Race]] = {}

    def begin(self, race: Race) -> None:
        self._races.setdefault(race.id, []).append(race)

    def done(self, name: str) -> None:
        """One of the bots in it is done: that is told, and it is not told of with the others any more."""
        if self._races.get(name):
            self._races[name].pop()

    @asynccontextmanager
    async def told(self, *, wanted: bool) -> AsyncGenerator[None]:
        """Meanwhile, say every few seconds how far they are."""
        telling = asyncio.create_task(self._tell_on()) if wanted else None
        try:
            yield
        finally:
            if telling is not None:
                telling.cancel()

    async def _tell_on(self) -> None:
        before = ""
        while True:
            await asyncio.sleep(TOLD_EVERY_S)
            text = self.text
            if text and text != before:
                print(text, file=sys.stderr, flush=True)
            before = text

    @property
    def text(self) -> str:
        """`bot-7 12/52, bot-9 20/52` for each race that runs."""
        models = [races[0].model for races in self._races.values() if races]
        running = [model for model in models if model is not None and model.phase == "running"]
        return "; ".join(
            ", ".join(f"{seat.name} {seat.home}/52" for seat in model.seats if seat.taken)
            for model in running
        )


@contextmanager
def _progress(wanted: bool, total: int) -> Generator[Callable[[], None]]:
    """A bar on a terminal, on standard error; call what it gives for each step."""
    console = Console(stderr=True)
    if not (wanted and console.is_terminal):
        yield lambda: None
        return
    columns = (TextColumn("races"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)


def _tell(outcome: Outcome, *, as_json: bool, in_words: bool) -> None:
    name = outcome.bot or "a bot"
    if outcome.fault:
        print(f"{name}: {outcome.fault}", file=sys.stderr, flush=True)
    if as_json:
        print(json.dumps(outcome._asdict()), flush=True)
    elif in_words and (outcome.deal or outcome.end == "alone"):
        print(_in_short(outcome))


def _in_short(outcome: Outcome) -> str:
    name = outcome.bot or "a bot"
    if outcome.end == "alone":
        return f"{name}: the race was over before it began: nobody came"
    is_home = outcome.time_ms >= 0
    return f"{name}: " + (f"home in {clock(outcome.time_ms)}" if is_home else f"{cards(outcome.home)} home")


def _summary(bots: int, tally: Tally) -> str:
    parts = [counted(tally.races, "race"), counted(tally.wins, "win"), counted(tally.faults, "fault")]
    if tally.alone:
        parts.append("one stayed alone" if tally.alone == 1 else f"{tally.alone} times nobody came")
    return f"{counted(bots, 'bot')}: {', '.join(parts)}"
