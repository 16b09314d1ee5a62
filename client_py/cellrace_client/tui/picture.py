"""A board as text in colour."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from rich.text import Text

from cellrace_client.tui.layout import FIRST_CELL, FIRST_FOUNDATION, Layout, Place
from cellrace_client.tui.looks import Looks
from cellrace_engine import NO_CARD, Position

CELL_NAMES = "abcd"


class Marks(NamedTuple):
    """What stands out: cards in hand, the cursor, and piles that a hint names."""

    source: Place | None = None
    cursor: Place | None = None
    hinted: Collection[int] = ()

    def style(self, pile: int, depth: int) -> str:
        """What is added to a card's own style."""
        held = self.source is not None and self.source.pile == pile and depth <= max(1, self.source.depth)
        pointed = self.cursor is not None and self.cursor.pile == pile and depth <= max(1, self.cursor.depth)
        if held:
            return " reverse"
        if pile in self.hinted and depth <= 1:
            return " on dark_green"
        return " underline on grey23" if pointed else ""


NO_MARKS = Marks()


def board_picture(position: Position, layout: Layout, looks: Looks, marks: Marks = NO_MARKS) -> Text:
    """The whole board, as many rows as the layout has."""
    text = Text(no_wrap=True, end="")
    for piece, style in _top_row(position, layout.step, looks, marks):
        text.append(piece, style)
    text.append("\n")
    for number in range(FIRST_CELL):
        text.append(f" {number + 1}".ljust(layout.step), "dim")
    for row in range(min(layout.rows, max(1, *map(len, position.columns)))):
        text.append("\n")
        for number in range(FIRST_CELL):
            _card(text, number, position.columns[number], row, layout, looks, marks)
    return text


def _top_row(position: Position, step: int, looks: Looks, marks: Marks) -> Iterator[tuple[str, str]]:
    for at in range(4):
        if at >= len(position.cells):
            yield " " * step, ""
            continue
        card = position.cells[at]
        yield CELL_NAMES[at], "dim"
        yield looks.card(card), (looks.style(card) + marks.style(FIRST_CELL + at, 1)).strip()
        yield " " * (step - 3), ""
    for suit, height in enumerate(position.foundations):
        yield "h", "dim"
        top = (height - 1) * 4 + suit if height else NO_CARD
        face = looks.card(top) if height else "-" + looks.suits[suit]
        yield face, (looks.style(top) + marks.style(FIRST_FOUNDATION + suit, 1)).strip()
        yield " " * (step - 3), ""


def _card(
    text: Text, number: int, column: bytes, row: int, layout: Layout, looks: Looks, marks: Marks
) -> None:
    hidden = layout.hidden(column)
    index = row + hidden
    if not column and row == 0:
        text.append(" ")
        text.append(looks.card(NO_CARD), ("dim" + marks.style(number, 0)).strip())
        text.append(" " * (layout.step - 3))
    elif index >= len(column):
        text.append(" " * layout.step)
    elif row == 0 and hidden:
        text.append(f"+{hidden + 1}".ljust(layout.step), "dim")
    else:
        card = column[index]
        text.append(" ")
        text.append(looks.card(card), looks.style(card) + marks.style(number, len(column) - index))
        text.append(" " * (layout.step - 3))
