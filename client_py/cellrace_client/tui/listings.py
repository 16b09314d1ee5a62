"""Tables to choose from, and those of runs."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable

from cellrace_client.deal_names import deal_text
from cellrace_client.languages import Catalogue
from cellrace_client.profiles import day_of, network_text
from cellrace_client.rule_names import rules_in_words
from cellrace_client.times import clock
from cellrace_client.tui.columns import SCROLLBAR, Rows, fitting
from cellrace_client.tui.hand import everywhere
from cellrace_client.tui.lobby import Chosen
from cellrace_client.tui.shown import Shown
from cellrace_protocol import events as e


class Pick(NamedTuple):
    """The key of the row that was chosen, empty for none, and whether to race against it."""

    row: str = ""
    against: bool = False


class ListScreen(Screen[Pick]):
    """A table under some lines, over the keys. Dismissed with what was chosen. Where the terminal is too narrow for the
    table, columns that can be spared are left out."""

    DEFAULT_CSS = """
    ListScreen #head { padding: 0 1; }
    ListScreen DataTable { height: 1fr; }
    ListScreen #said { height: auto; max-height: 3; display: none; }
    ListScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(self, head: Sequence[str], columns: Sequence[str], rows: Rows, keys: str) -> None:
        super().__init__()
        self.head = Shown("\n".join(head), id="head")
        self.said = Shown(id="said")
        self._keys = keys
        self._columns = columns
        self._rows = rows
        self._kept: Sequence[int] = ()
        self.listed: DataTable[Text] = DataTable(cursor_type="row")

    @property
    def spare(self) -> Sequence[int]:
        """The numbers of columns that say least, the least first."""
        return ()

    def compose(self) -> ComposeResult:
        """The lines, the table."""
        yield self.head
        yield self.listed
        yield self.said
        yield Shown(self._keys, id="keys")

    def on_resize(self) -> None:
        """There may be room for other columns now."""
        if self._fitting() != self._kept:
            self.fill(self._rows)

    def _fitting(self) -> Sequence[int]:
        return fitting(self._columns, self._rows, self.spare, self.size.width - SCROLLBAR)

    def say(self, text: str) -> None:
        """Say why something cannot be shown, or nothing more of it."""
        self.said.display = bool(text)
        self.said.tell(text)

    def tell_head(self, head: Sequence[str]) -> None:
        """Have these lines over the table from now on."""
        self.head.tell("\n".join(head))

    def fill(self, rows: Rows, chosen: str = "") -> None:
        """Show these rows; the cursor goes to the row that is `chosen`, else it stays on the same line."""
        at = self.listed.cursor_row
        self._rows = rows
        self._kept = self._fitting()
        self.listed.clear(columns=True)
        self.listed.add_columns(*(self._columns[number] for number in self._kept))
        for key, row in rows:
            cells = (Text(row[number]) for number in self._kept)  # strings are read as markup
            self.listed.add_row(*cells, key=key)
        self.listed.move_cursor(row=self.listed.get_row_index(chosen) if chosen in self.listed.rows else at)

    @property
    def under_cursor(self) -> str:
        """The key of the row under the cursor, empty where there is none."""
        at = self.listed.cursor_row
        return (self.listed.ordered_rows[at].key.value or "") if self.listed.is_valid_row_index(at) else ""

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self.choose(event.row_key.value or "")

    def choose(self, key: str) -> None:
        """A row was chosen."""
        self.dismiss(Pick(key))

    def action_back(self) -> None:
        self.dismiss(Pick())


class RunsScreen(ListScreen):
    """Runs: Enter shows the replay of one, `g` races against it."""

    BINDINGS: ClassVar[list[BindingType]] = [(everywhere("g"), "against", "")]

    def __init__(
        self, words: Catalogue, head: Sequence[str], columns: Sequence[str], rows: Rows, keys: str = ""
    ) -> None:
        super().__init__(head, columns, rows, keys or (words("help.runs") if rows else ""))
        self.words = words

    def choose(self, key: str) -> None:
        """The replay comes over the list, which is there again behind it."""
        self.post_message(Chosen("replay", key))

    @property
    def spare(self) -> Sequence[int]:
        """The network's share, how exact a time is, and the run's name."""
        return 6, 7, 5

    def action_against(self) -> None:
        """The row under the cursor is raced against, if there is one."""
        if self.under_cursor:
            self.dismiss(Pick(self.under_cursor, against=True))


def runs_screen(words: Catalogue, runs: e.Runs) -> RunsScreen:
    """One's own runs, the newest first."""
    title = f"{words('menu.runs')} ({runs.total})" if runs.total else words("menu.runs")
    head = [title, words("boards.utc")] if runs.rows else [title, words("runs.empty")]
    return RunsScreen(words, head, run_columns(words), run_rows(words, runs))


def run_columns(words: Catalogue) -> Sequence[str]:
    """What is told of each run of a player."""
    names = ("day", "deal", "rules", "time", "moves", "run", "network", "exact")
    return [words(f"column.{name}") for name in names]


def run_rows(words: Catalogue, runs: e.Runs) -> Rows:
    """A run a row, with the UTC day on which it began."""
    return [
        (
            row.run,
            [
                day_of(row.at, row.time),
                deal_text(row.deal),
                rules_in_words(words, row.rules),
                clock(row.time),
                str(row.moves),
                row.run,
                *network_text(words, row),
            ],
        )
        for row in runs.rows
    ]
