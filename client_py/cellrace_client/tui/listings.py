"""The deal of the day and the boards: tables to read."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable

from cellrace_client.languages import Catalogue
from cellrace_client.times import clock
from cellrace_client.tui.shown import Shown
from cellrace_protocol import events as e


class ListScreen(Screen[str]):
    """A table under some lines. Dismissed with the key of the row that was chosen, empty for none."""

    DEFAULT_CSS = """
    ListScreen #head { padding: 0 1; }
    ListScreen DataTable { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(
        self, head: Sequence[str], columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
    ) -> None:
        super().__init__()
        self._head = head
        self._columns = columns
        self._rows = rows

    def compose(self) -> ComposeResult:
        """The lines, the table."""
        yield Shown("\n".join(self._head), id="head")
        table: DataTable[Text] = DataTable(cursor_type="row")
        table.add_columns(*self._columns)
        for key, row in self._rows:
            table.add_row(*map(Text, row), key=key)  # strings are read as markup
        yield table

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self.dismiss(event.row_key.value or "")

    def action_back(self) -> None:
        self.dismiss("")


def board_screen(words: Catalogue, title: str, rows: Sequence[e.BoardRow]) -> ListScreen:
    """A board; a row is chosen to see its replay."""
    head = [title] if rows else [title, words("boards.empty")]
    columns = [
        "",
        words("column.name"),
        words("column.time"),
        words("n.moves", 2).split()[-1],
        words("column.run"),
    ]
    shown = [(row.run, [f"{row.place}.", row.name, clock(row.time), str(row.moves), row.run]) for row in rows]
    return ListScreen(head, columns, shown)


def daily_screen(words: Catalogue, today: e.Dailies) -> ListScreen:
    """The deals of the day; a row is chosen to play it."""
    hours, minutes = divmod(today.next_ms // 60_000, 60)
    head = [f"{words('menu.daily')} {today.day}: {words('daily.next', hours=hours, minutes=minutes)}"]
    head.append(words("daily.play"))
    columns = [words("column.rules"), words("column.state"), words("column.time"), ""]
    rows = [
        (
            row.rules,
            [
                row.rules,
                words.named("daily", row.attempt),
                clock(row.time) if row.time >= 0 else "",
                words("n.streak", row.streak) if row.streak else "",
            ],
        )
        for row in today.rows
    ]
    return ListScreen(head, columns, rows)
