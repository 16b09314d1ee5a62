"""How a race has ended, as a table."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_client.standings import Result, headline, results, series_line
from cellrace_client.times import clock
from cellrace_protocol.events import Place

Told = tuple[str, str, list[Place], int]


class ResultCard(VerticalScroll):
    """The standings of a race. Up and down scroll, where there are more than there is room for."""

    can_focus = False
    DEFAULT_CSS = """
    ResultCard { display: none; padding: 0 1; }
    ResultCard Static { height: auto; }
    """

    def __init__(self, words: Catalogue) -> None:
        super().__init__(id="result")
        self._words = words
        self._table = Static(markup=False)
        self._told: Told | None = None

    def compose(self) -> ComposeResult:
        """Nothing but the table."""
        yield self._table

    def tell(self, model: RaceModel) -> None:
        """Show how this race, which is over, has ended. Cheap where that is shown."""
        told = (model.race, model.end, model.standings, len(model.ghosts))
        if told != self._told:
            self._told = told
            self._table.update(picture(self._words, model))


def picture(words: Catalogue, model: RaceModel) -> RenderableType:
    """The table: a line for each who has raced, ghosts too."""
    first = Text(headline(words, model), "bold")
    series = series_line(words, model)
    if series:
        first.append(f"  {series}", "not bold")
    rows = results(model)
    if not rows:
        return first
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(words("column.name"))
    for name in ("time", "moves", "home", "network", "exact"):
        table.add_column(words(f"column.{name}"), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*_cells(words, row), style="bold" if row.own else "dim" if row.is_ghost else "")
    return Group(first, Text(), table)


def _cells(words: Catalogue, row: Result) -> list[Text]:
    """As texts: strings are read as markup."""
    place = "" if row.is_ghost else f"{row.place}."
    time = clock(row.time_ms) if row.is_home else words("race.gave_up") if row.gave_up else "-"
    is_measured = row.is_home and not row.is_ghost
    back = words("state.back", ms=row.back_ms) if is_measured else ""
    error = f"± {words('state.delay', ms=row.error_ms)}" if is_measured else ""
    name = Text(row.called(words), no_wrap=True, overflow="ellipsis")  # the one column that gives way
    return [
        Text(place),
        name,
        *(Text(cell) for cell in (time, str(row.moves), f"{row.home}/52", back, error)),
    ]
