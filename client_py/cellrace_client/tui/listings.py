"""The deal of the day, the boards and one's own runs: tables to choose from."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable

from cellrace_client.errors import CellraceError
from cellrace_client.languages import Catalogue
from cellrace_client.times import clock
from cellrace_client.tui.hand import everywhere
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin
from cellrace_protocol import events as e

Rows = Sequence[tuple[str, Sequence[str]]]
"""Each with its key."""


class Pick(NamedTuple):
    """The key of the row that was chosen, empty for none, and whether to race against it."""

    row: str = ""
    against: bool = False


class ListScreen(Screen[Pick]):
    """A table under some lines. Dismissed with what was chosen."""

    DEFAULT_CSS = """
    ListScreen #head { padding: 0 1; }
    ListScreen DataTable { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(self, head: Sequence[str], columns: Sequence[str], rows: Rows) -> None:
        super().__init__()
        self._head = head
        self._columns = columns
        self._rows = rows
        self.listed: DataTable[Text] = DataTable(cursor_type="row")

    def compose(self) -> ComposeResult:
        """The lines, the table."""
        yield Shown("\n".join(self._head), id="head")
        self.listed.add_columns(*self._columns)
        self.fill(self._rows)
        yield self.listed

    def fill(self, rows: Rows) -> None:
        """Show these rows; the cursor stays on the same line."""
        at = self.listed.cursor_row
        self.listed.clear()
        for key, row in rows:
            self.listed.add_row(*map(Text, row), key=key)  # strings are read as markup
        self.listed.move_cursor(row=at)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self.choose(event.row_key.value or "")

    def choose(self, key: str) -> None:
        """A row was chosen."""
        self.dismiss(Pick(key))

    def action_back(self) -> None:
        self.dismiss(Pick())


class RunsScreen(ListScreen):
    """Runs: Enter shows the replay of one, `g` races against it."""

    DEFAULT_CSS = """
    RunsScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [(everywhere("g"), "against", "")]

    def __init__(
        self,
        words: Catalogue,
        head: Sequence[str],
        columns: Sequence[str],
        rows: Rows,
    ) -> None:
        super().__init__(head, columns, rows)
        self.words = words

    def compose(self) -> ComposeResult:
        """Also the keys, where there is something to use them on."""
        yield from super().compose()
        if self.listed.row_count:
            yield Shown(self.words("help.runs"), id="keys")

    def action_against(self) -> None:
        """The row under the cursor is raced against, if there is one."""
        at = self.listed.cursor_row
        if self.listed.is_valid_row_index(at):
            self.dismiss(Pick(self.listed.ordered_rows[at].key.value or "", against=True))


def board_screen(words: Catalogue, title: str, rows: Sequence[e.BoardRow]) -> RunsScreen:
    """A board."""
    head = [title] if rows else [title, words("boards.empty")]
    columns = [
        "",
        words("column.name"),
        words("column.time"),
        _moves(words),
        words("column.run"),
    ]
    shown = [(row.run, [f"{row.place}.", row.name, clock(row.time), str(row.moves), row.run]) for row in rows]
    return RunsScreen(words, head, columns, shown)


def runs_screen(words: Catalogue, runs: e.Runs) -> RunsScreen:
    """One's own runs, the newest first, with the days on which they ended here."""
    title = f"{words('menu.runs')} ({runs.total})" if runs.total else words("menu.runs")
    head = [title] if runs.rows else [title, words("runs.empty")]
    names = [words(f"column.{name}") for name in ("day", "deal", "rules", "time")]
    columns = [*names, _moves(words), words("column.run")]
    shown = [
        (row.run, [_day(row.at), row.deal, row.rules, clock(row.time), str(row.moves), row.run])
        for row in runs.rows
    ]
    return RunsScreen(words, head, columns, shown)


def _moves(words: Catalogue) -> str:
    """What moves are called."""
    return words("n.moves", 2).split()[-1]


def _day(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at_ms / 1_000))


Ask = Callable[[], Awaitable[e.Dailies]]

ASK_AGAIN_S = 2.0
"""So long after the last answer, while deals are being chosen."""


class DailyScreen(ListScreen):
    """The deals of the day; a row is chosen to play it. While there are some that are being chosen, it asks again."""

    def __init__(self, words: Catalogue, today: e.Dailies, ask: Ask) -> None:
        hours, minutes = divmod(today.next_ms // 60_000, 60)
        head = [
            f"{words('menu.daily')} {today.day}: {words('daily.next', hours=hours, minutes=minutes)}",
            words("daily.play"),
        ]
        columns = [words("column.rules"), words("column.state"), words("column.time"), ""]
        super().__init__(head, columns, _of_today(words, today))
        self.words = words
        self.today = today
        self._ask = ask
        self._asking: asyncio.Task[None] | None = None

    def on_mount(self) -> None:
        self._asking = begin(self, self._ask_again(), "deals of the day")

    def on_unmount(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    async def _ask_again(self) -> None:
        while self.today.choosing:
            await asyncio.sleep(ASK_AGAIN_S)
            try:
                today = await self._ask()
            except CellraceError:
                continue
            if (today.rows, today.choosing) != (self.today.rows, self.today.choosing):
                self.fill(_of_today(self.words, today))
            self.today = today

    def choose(self, key: str) -> None:
        """What is being chosen is not to be played yet."""
        if key not in self.today.choosing:
            super().choose(key)


def _of_today(words: Catalogue, today: e.Dailies) -> Rows:
    rows: list[tuple[str, Sequence[str]]] = [
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
    return [*rows, *((rules, [rules, words("daily.choosing"), "", ""]) for rules in today.choosing)]
