"""`cellrace watch RACE`."""

import argparse
import time
from collections.abc import Callable, Iterator

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from cellrace_client.cli import DEFAULT_URL
from cellrace_client.cli.amounts import cards, column
from cellrace_client.cli.draw import drawn_card, pile_name, race_view
from cellrace_client.cli.keys import pressed
from cellrace_client.cli.machine import event_json
from cellrace_client.cli.online import run_online, say
from cellrace_client.client import connect
from cellrace_client.deal_names import deal_text
from cellrace_client.faults import connection, noticed
from cellrace_client.followed import followed
from cellrace_client.languages import DEFAULT, Catalogue, chosen
from cellrace_client.links import place_of
from cellrace_client.model import FIRST_CELL, FIRST_FOUNDATION, NO_CARD, RaceModel
from cellrace_client.race import Event, Race
from cellrace_client.standings import results, series_line
from cellrace_client.times import clock
from cellrace_client.timing import Timing
from cellrace_protocol import events as e
from cellrace_protocol.transfers import unpack_transfer

NAMES_LEAST = 20
"""So wide is the column of names at least."""


def run(arguments: argparse.Namespace) -> int:
    url, race = place_of(arguments.race, arguments.url, DEFAULT_URL)
    return run_online(_watch(url, race, arguments.lines, arguments.json))


async def _watch(url: str, name: str, lines: bool, as_json: bool) -> int:
    console = Console(highlight=False)
    screen = Screen() if console.is_terminal and not (lines or as_json) else None
    on_notice, on_connection = (screen.noticed, screen.connection) if screen is not None else (say, None)
    coming = connect(url, name="Spectator", on_notice=on_notice, on_connection=on_connection)
    async with coming as client:
        race = await client.watch(name)
        if as_json:
            async for model, event in followed(race):
                print(event_json(model, event), flush=True)
        elif screen is None:
            await _print_lines(console, race)
        else:
            await show(console, race, screen)
        await race.until(lambda model: model.phase == "ended")  # else it was lost, with a reason
    return 0


class Screen:
    """The race as it was at the last event, by a clock that goes on between moves; below it what the server has said
    of itself, or that it is away, until it is there again."""

    def __init__(self) -> None:
        self._words = Catalogue(chosen())
        self._said = ""
        self._model: RaceModel | None = None
        self._timing = Timing(time.monotonic)

    def hear(self, model: RaceModel, event: Event) -> None:
        self._model = model
        self._timing.hear(event)

    def noticed(self, notice: e.Notice) -> None:
        self._said = noticed(self._words, notice)

    def connection(self, is_there: bool) -> None:
        self._said = "" if is_there else connection(self._words, is_there, None)

    def render(self) -> RenderableType:
        if self._model is None:
            return Text(self._said or "connecting …")
        view = race_view(self._model, self._timing.race_ms(self._model), self._timing.countdown_s())
        said = [Text(self._said, "yellow")] if self._said else []
        return Group(view, *said, Text("Ctrl-C ends it", "dim"))


async def show(console: Console, race: Race, screen: Screen | None = None) -> None:
    """The race on the terminal, until it is over: on a screen of its own, where boards that grow leave nothing behind
    and keys write nothing between them."""
    screen = screen or Screen()
    shown = Live(
        console=console, screen=console.is_terminal, refresh_per_second=10, get_renderable=screen.render
    )
    with shown, pressed():
        async for model, event in followed(race):
            screen.hear(model, event)
    if race.model is not None:
        for line in standings_lines(race.model):
            console.print(line)


async def _print_lines(console: Console, race: Race) -> None:
    ghosts = ghost_lines()
    async for model, event in followed(race):
        for line in (*ghosts(model), *lines_of(model, event)):
            console.print(line, soft_wrap=True)


def ghost_lines() -> Callable[[RaceModel], Iterator[Text]]:
    """What has to be said of ghosts before what just happened: that they are there, and when they were home, each once.
    They have no events of their own: both come with the next thing that happens."""
    met: set[int] = set()
    home: set[int] = set()

    def lines(model: RaceModel) -> Iterator[Text]:
        for number, ghost in model.ghosts.items():
            if number not in met:
                met.add(number)
                yield Text(f"the ghost of {ghost.name}, home in {clock(ghost.time)}, goes beside the race")
            if number not in home and model.start and ghost.home_at(model.time):
                home.add(number)
                yield Text(f"{clock(ghost.time)}  {ghost.name} (ghost) is home", style="dim")

    return lines


def lines_of(model: RaceModel, event: Event) -> Iterator[Text]:
    """What happened, in words; `model` is the race after it."""
    at = clock(model.time)
    match event:
        case e.Snapshot():
            names = ", ".join(seat.name for seat in model.seats if seat.taken) or "nobody yet"
            yield Text(f"race {model.race}: {model.phase}, {names}")
            if model.phase == "ended":
                yield from standings_lines(model)
        case e.Joined(name=name):
            yield Text(f"{name} sits down")
        case e.Left():
            yield Text("a player leaves")
        case e.Hosts(host=host, away=away):
            yield Text(_hosting(model, host, away))
        case e.Readied(seat=seat, ready=ready):
            yield Text(f"{model.seats[seat].name} is {'ready' if ready else 'not ready any more'}")
        case e.Countdown(ms=ms):
            yield Text(f"the deal comes in {ms / 1000:.1f} s")
        case e.Halted():
            yield Text("the countdown is called off")
        case _:
            yield from _running_lines(model, event, at)


def _hosting(model: RaceModel, host: str, away: bool) -> str:
    for seat in model.seats:
        if seat.player == host:
            return f"{seat.name} hosts the race now"
    return "the host is away" if away else "the host is there again"


def _running_lines(model: RaceModel, event: Event, at: str) -> Iterator[Text]:
    match event:
        case e.Go(deal=deal):
            yield Text(f"{at}  go! the deal is {deal_text(deal)}", style="bold")
        case e.Diff():
            yield _diff_line(model, event, at)
        case e.Done(seat=seat, time=time):
            yield Text(f"{clock(time)}  {model.seats[seat].name} is home", style="bold green")
        case e.GaveUp(seat=seat):
            yield Text(f"{at}  {model.seats[seat].name} gives up")
        case e.Outage(ms=ms):
            yield Text(f"{at}  the server's store was away for {ms / 1000:.1f} s, which do not count")
        case e.End():
            yield from standings_lines(model)
        case _:
            pass


def _diff_line(model: RaceModel, event: e.Diff, at: str) -> Text:
    seat = model.seats[event.seat]
    width = max(cell_len(seat.name) for seat in model.seats)
    text = Text(f"{at}  {set_cell_size(seat.name, width)}  ")
    if event.what is e.What.RESTART:
        return text.append("starts the deal again")
    if event.what is e.What.UNDO:
        text.append("takes back ")
    for packed in event.transfers:
        source, destination, count = unpack_transfer(packed)
        text.append(f"{pile_name(source)}{pile_name(destination)} ")
        if seat.board is not None and len(event.transfers) == 1:
            text.append_text(drawn_card(_moved_card(model, event.seat, destination)))
            text.append(f" and {count - 1} more " if count > 1 else " ")
    return text.append(f" {seat.home}/52 home", style="dim")


def _moved_card(model: RaceModel, seat: int, destination: int) -> int:
    board = model.seats[seat].board
    if board is None:
        return NO_CARD
    if destination < FIRST_CELL:
        return board.columns[destination][-1]
    if destination < FIRST_FOUNDATION:
        return board.cells[destination - FIRST_CELL]
    suit = destination - FIRST_FOUNDATION
    return (board.foundations[suit] - 1) * 4 + suit if board.foundations[suit] else NO_CARD


def standings_lines(model: RaceModel) -> Iterator[Text]:
    """The result, a line a seat; ghosts, which have no place, stand where they would."""
    words = Catalogue(DEFAULT)
    yield Text(f"{words('race.over')}: {words.named('end', model.end)}", style="bold")
    rows = results(model)
    width = max([NAMES_LEAST, *(cell_len(row.called(words)) for row in rows)])
    for row in rows:
        place = "" if row.is_ghost else f"{row.place}."
        result = clock(row.time_ms) if row.is_home else f"{cards(row.home)} home"
        name = set_cell_size(row.called(words), width)
        line = f"{place:>4} {name} {result:>14}  {column(row.moves, 'move', 4)}"
        if row.is_home and not row.is_ghost:
            line += f"  {words('race.exact', back=row.back_ms, error=row.error_ms)}"
        elif row.gave_up:
            line += f"  {words('race.gave_up')}"
        yield Text(line.rstrip(), style="dim" if row.is_ghost else "")
    series = series_line(words, model)
    if series:
        yield Text(series)
