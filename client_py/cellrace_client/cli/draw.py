"""Cards and boards for the terminal."""

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cellrace_client.cli.amounts import counted
from cellrace_client.deal_names import deal_text
from cellrace_client.model import GhostRun, RaceModel, SeatState
from cellrace_client.tables import position_of
from cellrace_client.times import clock, running
from cellrace_client.tui.layout import TOP_ROWS, Layout
from cellrace_client.tui.looks import Looks, shows_symbols, terminal_encoding
from cellrace_client.tui.picture import board_picture
from cellrace_engine import Position

PILES = "12345678abcd"
WIDTH = 38
"""Two boards stand side by side in 80 columns."""

FRAME = 4
"""Of its width, what is around a board."""


def looks() -> Looks:
    """Symbols of suits where the terminal has them."""
    return Looks(ascii=not shows_symbols(terminal_encoding()))


def drawn_card(card: int) -> Text:
    """One card, two characters wide."""
    return Text(looks().card(card), style=looks().style(card))


def drawn(position: Position) -> Text:
    """A whole board, as the terminal game draws it, with the names that moves have for its piles."""
    layout = Layout(WIDTH - FRAME, TOP_ROWS + max(map(len, position.columns)))
    return board_picture(position, layout, looks()).append("\n")


def pile_name(pile: int) -> str:
    return PILES[pile] if pile < len(PILES) else "h"


def race_view(model: RaceModel, now_ms: int, countdown_s: int = 0) -> RenderableType:
    """All seats of a race, side by side, at the race time `now_ms`, or so long before the deal."""
    title = Text.assemble(
        ("cellrace ", "bold"),
        model.race,
        "  ",
        deal_text(model.deal) or "deal hidden",
        "  ",
        _state(model, now_ms, countdown_s),
    )
    ghosts = [_ghost(ghost, now_ms) for ghost in model.ghosts.values()]
    return Group(title, Columns([*(_seat(seat) for seat in model.seats if seat.taken), *ghosts]))


def _state(model: RaceModel, now_ms: int, countdown_s: int) -> str:
    match model.phase:
        case "lobby":
            free = sum(not seat.taken for seat in model.seats)
            return f"waiting for {free} more" if free else "waiting for everybody to be ready"
        case "countdown":
            return f"the deal comes in {countdown_s} s"
        case "running":
            return f"running  {running(now_ms)}"
        case _:
            return f"over  {clock(model.length_ms)}"


def _seat(seat: SeatState) -> Panel:
    if seat.time >= 0:
        state = f"home in {clock(seat.time)}"
    elif seat.gave_up:
        state = "gave up"
    else:
        state = "away" if seat.away else "ready" if seat.ready and seat.board is None else ""
    body: RenderableType = drawn(position_of(seat.board)) if seat.board else Text("(hidden)", style="dim")
    below = footer(seat.home, seat.moves, state, seat.time >= 0)
    return Panel(Group(body, below), title=Text(seat.name), width=WIDTH)


def _ghost(ghost: GhostRun, time: int) -> Panel:
    """A ghost as it was at a race time: its board is in its replay."""
    home, moves = ghost.at(time)
    done = ghost.home_at(time)
    body = Text(f"the run {ghost.run}: {clock(ghost.time)}", style="dim")
    return Panel(
        Group(body, footer(home, moves, "", done)),
        title=Text(f"{ghost.name} (ghost)"),
        width=WIDTH,
        style="dim",
    )


def footer(home: int, moves: int, state: str, done: bool) -> Text:
    """How far one is, below a board."""
    return Text(
        f"\n{looks().bar(home)} {home}/52  {counted(moves, 'move')}  {state}", style="green" if done else ""
    )
