"""Cards and boards for the terminal."""

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cellrace_client.cli.amounts import counted
from cellrace_client.model import NO_CARD, Board, GhostRun, RaceModel, SeatState
from cellrace_client.times import clock
from cellrace_engine import Position

RANKS = "A23456789TJQK"
SUITS = "♣♦♥♠"
STYLES = ("", "red", "red", "")
PILES = "12345678abcd"
WIDTH = 38
"""Two boards stand side by side in 80 columns."""


def card_text(card: int) -> Text:
    """One card, two characters wide."""
    if card == NO_CARD:
        return Text("··", style="dim")
    return Text(RANKS[card // 4] + SUITS[card % 4], style=STYLES[card % 4])


def board_text(board: Board | Position) -> Text:
    """Cells and foundations above the columns."""
    text = Text()
    for card in board.cells:
        text.append_text(card_text(card)).append(" ")
    text.append(" " * (3 * (4 - len(board.cells)) + 2))
    for suit, height in enumerate(board.foundations):
        text.append_text(card_text((height - 1) * 4 + suit if height else NO_CARD)).append(" ")
    text.append("\n")
    for row in range(max(map(len, board.columns))):
        text.append("\n")
        for column in board.columns:
            text.append_text(card_text(column[row]) if row < len(column) else Text("  ")).append("  ")
    return text


def pile_name(pile: int) -> str:
    return PILES[pile] if pile < len(PILES) else "h"


def race_view(model: RaceModel, now_ms: int, countdown_s: int = 0) -> RenderableType:
    """All seats of a race, side by side, at the race time `now_ms`, or so long before the deal."""
    title = Text.assemble(
        ("cellrace ", "bold"),
        model.race,
        "  ",
        model.deal or "deal hidden",
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
            return f"running  {clock(now_ms)[:-4]}"
        case _:
            return f"over  {clock(model.time)}"


def _seat(seat: SeatState) -> Panel:
    if seat.time >= 0:
        state = f"home in {clock(seat.time)}"
    elif seat.gave_up:
        state = "gave up"
    else:
        state = "away" if seat.away else "ready" if seat.ready and seat.board is None else ""
    body: RenderableType = board_text(seat.board) if seat.board else Text("(hidden)", style="dim")
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
    bar = "█" * (home // 4) + "░" * (13 - home // 4)
    return Text(f"\n{bar} {home}/52  {counted(moves, 'move')}  {state}", style="green" if done else "")
