"""Cards and boards for the terminal."""

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cellrace_client.cli.online import clock
from cellrace_client.model import NO_CARD, Board, RaceModel, SeatState

RANKS = "A23456789TJQK"
SUITS = "♣♦♥♠"
STYLES = ("", "red", "red", "")
PILES = "12345678abcd"


def card_text(card: int) -> Text:
    """One card, two characters wide."""
    if card == NO_CARD:
        return Text("··", style="dim")
    return Text(RANKS[card // 4] + SUITS[card % 4], style=STYLES[card % 4])


def board_text(board: Board) -> Text:
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


def race_view(model: RaceModel) -> RenderableType:
    """All seats of a race, side by side."""
    title = Text.assemble(
        ("cellrace ", "bold"),
        model.race,
        "  ",
        model.deal or "deal hidden",
        "  ",
        model.phase,
        "  ",
        clock(model.time),
    )
    return Group(title, Columns([_seat(seat) for seat in model.seats if seat.taken]))


def _seat(seat: SeatState) -> Panel:
    if seat.time >= 0:
        state = f"home in {clock(seat.time)}"
    elif seat.gave_up:
        state = "gave up"
    else:
        state = "ready" if seat.ready and seat.board is None else ""
    bar = "█" * (seat.home // 2) + "░" * (26 - seat.home // 2)
    body: RenderableType = board_text(seat.board) if seat.board else Text("(hidden)", style="dim")
    footer = Text(
        f"\n{bar} {seat.home}/52  {seat.moves} moves  {state}", style="green" if seat.time >= 0 else ""
    )
    return Panel(Group(body, footer), title=seat.name, width=46)
