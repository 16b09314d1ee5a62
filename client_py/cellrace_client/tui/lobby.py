"""The lobby: what there is to do, and who races."""

import asyncio
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import DataTable, Input, OptionList
from textual.widgets.option_list import Option

from cellrace_client.languages import Catalogue
from cellrace_client.race_list import RaceList
from cellrace_client.rule_names import rules_in_words
from cellrace_client.tui.columns import SCROLLBAR, listed, spare_width
from cellrace_client.tui.hand import everywhere
from cellrace_client.tui.keys import BACK as BACK_TO_MENU
from cellrace_client.tui.keys import ENTER, Act, footer
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin
from cellrace_protocol import events as e

MENU = {
    "quick": "q",
    "ranked": "k",
    "friend": "r",
    "options": "n",
    "join": "j",
    "watch": "w",
    "daily": "d",
    "practice": "p",
    "boards": "b",
    "runs": "m",
    "profile": "o",
    "ratings": "t",
    "replay": "v",
}
BACK = "g"
"""Goes back to a race of one's own that goes on."""

ASKED = frozenset({"friend", "join", "watch", "practice", "boards", "replay"})
"""What asks for something more first."""

COLUMNS = ("race", "state", "rules", "players")
PLAYERS = 3
ALL, WITHOUT_RULES = (0, 1, 2, 3), (0, 1, 3)
ENOUGH = 36
"""Characters for the players of a race, when what says less is to stay."""


UNLIMITED = sys.maxsize


class Room(NamedTuple):
    """The columns that there is room for, how many characters that leaves to the players, and whether the state is told
    in a word."""

    columns: Sequence[int] = ()
    players: int = 0
    is_brief: bool = False


class Chosen(Message):
    """The player wants to do this; `text` is what was typed for it."""

    def __init__(self, what: str, text: str = "") -> None:
        super().__init__()
        self.what = what
        self.text = text


class LobbyScreen(Screen[None]):
    """Posts `Chosen`. Letters choose, as do the arrows and Enter, and the mouse."""

    DEFAULT_CSS = """
    LobbyScreen #title { height: 1; background: $primary-background; text-style: bold; }
    LobbyScreen #middle { height: 1fr; }
    LobbyScreen OptionList { width: 30; height: 100%; }
    LobbyScreen #listed { width: 1fr; height: 100%; }
    LobbyScreen DataTable { width: 100%; height: 1fr; }
    LobbyScreen #none { height: 1; padding: 0 1; color: $text-muted; display: none; }
    LobbyScreen #asked { display: none; }
    LobbyScreen #back { height: auto; max-height: 2; display: none; text-style: bold; }
    LobbyScreen #said { height: auto; min-height: 1; max-height: 3; }
    LobbyScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *((everywhere(key), f"choose('{what}')", "") for what, key in MENU.items()),
        (everywhere(BACK), "go_back", ""),
        ("escape", "forget", ""),
        Binding("right", "to_races", "", priority=True),
        Binding("left", "to_menu", "", priority=True),
    ]

    def __init__(self, words: Catalogue) -> None:
        super().__init__()
        self.words = words
        self.title_line = Shown("cellrace", id="title")
        self.said = Shown(id="said")
        self.back_line = Shown(id="back")
        self.races: DataTable[Text] = DataTable(cursor_type="row")
        self.asked = Input(id="asked")
        self.keys_line = Shown(words("help.lobby"), id="keys")
        self._wanted = ""
        self._is_answering = False
        self._rows: dict[str, e.RaceRow] = {}
        self._left: dict[str, e.RaceRow] = {}
        self._called: Callable[[], str] = str
        self._list_of_races: RaceList | None = None
        self._is_mounted = False
        self._room = Room()
        self.none_line = Shown(words("lobby.none"), id="none")
        self._following: asyncio.Task[None] | None = None

    def compose(self) -> ComposeResult:
        """The menu, and the races beside it."""
        yield self.title_line
        with Horizontal(id="middle"):
            yield OptionList(
                *(Option(f"{key}  {self.words(f'menu.{what}')}", id=what) for what, key in MENU.items())
            )
            with Vertical(id="listed"):
                yield self.none_line
                yield self.races
        yield self.back_line
        yield self.said
        yield self.asked
        yield self.keys_line

    def on_mount(self) -> None:
        """Show what was told before there was a table."""
        self.set_focus(self.query_one(OptionList))
        self._is_mounted = True
        self._list({})
        self._begin_following()

    def on_resize(self) -> None:
        """There may be room for other columns now."""
        self._list(self.listed)

    def on_unmount(self) -> None:
        if self._following is not None:
            self._following.cancel()

    def say(self, text: str) -> None:
        """One line."""
        self.said.tell(text)

    def follow(self, races: RaceList, called: Callable[[], str]) -> None:
        """Keep the list of races current from now on; `called` says what the player is called."""
        self._list_of_races = races
        self._called = called
        self._begin_following()

    @property
    def listed(self) -> Mapping[str, e.RaceRow]:
        """The list of races as it stands."""
        return self._list_of_races.rows if self._list_of_races is not None else {}

    def goes_on(self, races: Sequence[str]) -> None:
        """The player has a seat in these, says the server: another program, or one before this, was in them."""
        for race in races:
            self._left.setdefault(race, e.RaceRow(race, "running", "", 0, []))
        if races:
            self._list(self.listed)

    def left(self, row: e.RaceRow, is_played: bool) -> None:
        """The player has left a race of their own that goes on. It may be on no list: the way back is kept until the
        player is there again. One that `is_played` still comes before those that only others play."""
        self._left = {row.race: row, **self._left} if is_played else {**self._left, row.race: row}
        self._list(self.listed)

    def entered(self, race: str) -> None:
        """The player is in this race, whichever way led there."""
        if self._left.pop(race, None) is not None:
            self._list(self.listed)

    def _begin_following(self) -> None:
        """Once there is a list, and a table to put it in, whichever comes last."""
        if self._list_of_races is not None and self._is_mounted and self._following is None:
            self._following = begin(self, self._follow(self._list_of_races), "list of races")

    async def _follow(self, races: RaceList) -> None:
        async for rows in races:
            self._list(rows)

    def _list(self, listed: Mapping[str, e.RaceRow]) -> None:
        """Bring the table up to date under the player's hand: the cursor stays on its race."""
        if not self._is_mounted:
            return
        for race in listed.keys() & self._left.keys():
            del self._left[race]  # as long as it goes on, the list has it
        rows = {**self._left, **listed}
        table = self.races
        at = table.cursor_row
        chosen = table.ordered_rows[at].key if table.is_valid_row_index(at) else None
        self._make_room(rows)
        self.none_line.display = not rows and self._list_of_races is not None
        for gone in self._rows.keys() - rows.keys():
            table.remove_row(gone)
        for race, row in rows.items():
            if race not in self._rows:
                table.add_row(*self._shown_cells(row), key=race)
            elif row != self._rows[race]:
                for number, cell in zip(self._room.columns, self._shown_cells(row), strict=True):
                    table.update_cell(race, COLUMNS[number], cell, update_width=True)
        self._rows = dict(rows)
        self._tell_back()
        if [row.key.value for row in table.ordered_rows] != list(rows):
            order = {race: number for number, race in enumerate(rows)}
            table.sort(COLUMNS[0], key=lambda name: order[str(name)])
        where = (
            table.get_row_index(chosen)
            if chosen is not None and chosen in table.rows
            else min(at, max(0, len(rows) - 1))
        )
        if where != table.cursor_row:
            table.move_cursor(row=where)

    def _make_room(self, rows: Mapping[str, e.RaceRow]) -> None:
        """Have what fits; where that is something else than before, the table is filled anew."""
        titles = [self.words(f"column.{name}") for name in COLUMNS]
        room = self._fitting(titles, rows.values())
        if room != self._room:
            self._room = room
            self._rows = {}
            self.races.clear(columns=True)
            for number in room.columns:
                self.races.add_column(titles[number], key=COLUMNS[number])

    def _fitting(self, titles: Sequence[str], rows: Collection[e.RaceRow]) -> Room:
        """What there is room for. Beyond the first few, names give way first, then the rules, then the state is told in
        a word."""
        width = self.races.size.width - SCROLLBAR
        room = Room(ALL, UNLIMITED)
        if width <= 0:
            return room
        for is_brief, columns in product((False, True), (ALL, WITHOUT_RULES)):
            cells = [(row.race, self._cells(row, Room((), UNLIMITED, is_brief))) for row in rows]
            left = spare_width(titles, cells, PLAYERS, columns, width)
            longest = max((cell_len(row[PLAYERS]) for _, row in cells), default=0)
            room = Room(columns, UNLIMITED if left >= longest else left, is_brief)
            if left >= min(longest, ENOUGH):
                break
        return room

    def _shown_cells(self, row: e.RaceRow) -> Sequence[Text]:
        """As texts: strings are read as markup."""
        cells = self._cells(row, self._room)
        style = "bold" if self._is_own(row) else ""
        return [Text(cells[number], style) for number in self._room.columns]

    def _cells(self, row: e.RaceRow, room: Room) -> Sequence[str]:
        free = row.seats - len(row.players)
        is_free = free > 0 and row.phase == "lobby"
        called = self._called()
        own = [self.words("race.you")] if called in row.players else []
        names = [*own, *(name for name in row.players if name != called)]
        players = listed(names, [self.words("n.free", free)] if is_free else [], room.players)
        return [row.race, self._state(row, room.is_brief), rules_in_words(self.words, row.rules), players]

    def _state(self, row: e.RaceRow, is_brief: bool) -> str:
        """In a word where there must not be two: that it is one's own is told among the players too, if at all."""
        phase = self.words.named("phase", row.phase)
        if not self._is_own(row):
            return phase
        mine = self.words("lobby.mine")
        if is_brief:
            return phase if self._called() in row.players else mine
        return f"{phase}, {mine}"

    def _is_own(self, row: e.RaceRow) -> bool:
        return row.race in self._left or self._called() in row.players

    @property
    def under_way(self) -> str:
        """A race of the player's own that goes on; empty where there is none."""
        own = (race for race, row in self._rows.items() if row.phase != "lobby" and self._is_own(row))
        return next(own, "")

    def _tell_back(self) -> None:
        race = self.under_way
        self.back_line.display = bool(race)
        self.back_line.tell(self.words("lobby.back", race=race) if race else "")

    def action_go_back(self) -> None:
        """Back to the own race, if there is one."""
        race = self.under_way
        if race:
            self.post_message(Chosen("watch", race))

    # Choosing

    def action_to_races(self) -> None:
        """From the menu to the list of races, if there are any."""
        if not self.query_one(OptionList).has_focus:
            raise SkipAction
        if self.races.row_count:
            self.set_focus(self.races)

    def action_to_menu(self) -> None:
        """From the list of races to the menu."""
        if not self.races.has_focus:
            raise SkipAction
        self.set_focus(self.query_one(OptionList))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option.id or "")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """A race: to sit down in it where it is open, else to watch."""
        row = self._rows.get(event.row_key.value or "")
        if row is None:
            return  # it may be gone since it was chosen
        if row.phase == "lobby":
            self.post_message(Chosen("join", row.race))
        else:
            self.post_message(Chosen("watch", row.race))

    def action_choose(self, what: str) -> None:
        """Do it, or ask what for."""
        if what not in ASKED:
            self.post_message(Chosen(what))
            return
        self._wanted = what
        self._is_answering = False
        self.asked.placeholder = self.words(f"ask.{what}")
        self.asked.value = ""
        self.asked.styles.display = "block"
        self.keys_line.tell(footer(self.words, Act(ENTER, "ask"), BACK_TO_MENU))
        self.set_focus(self.asked)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What was asked for is there. It stays in its field until it is known whether it will do (`answered`)."""
        if not self._is_answering:
            self._is_answering = True
            self.post_message(Chosen(self._wanted, event.value.strip()))

    def answered(self, well: bool) -> None:
        """What was chosen is done; or it failed, and what was typed for it can be mended."""
        self._is_answering = False
        if well and self.asked.display:
            self.action_forget()

    def action_forget(self) -> None:
        """Ask no more."""
        self.asked.styles.display = "none"
        self.keys_line.tell(self.words("help.lobby"))
        self.set_focus(self.query_one(OptionList))
