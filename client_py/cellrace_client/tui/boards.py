"""The boards of a race in a grid that scrolls: one is chosen, and may be shown alone."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Grid, VerticalScroll
from textual.events import Click

from cellrace_client.languages import Catalogue
from cellrace_client.model import SeatState
from cellrace_client.tables import position_of
from cellrace_client.times import clock
from cellrace_client.tui.layout import Layout
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.picture import board_picture
from cellrace_client.tui.shown import Shown
from cellrace_engine import Position

BOARD_WIDTH, BOARD_WIDEST = 40, 56
GAP = 2
"""Between boards that are as wide as they get: they stand together, however wide the screen is."""

BOARD_HEIGHT = 11
"""Who it is, how far, the cells, the columns' numbers, and seven rows of cards: as many as are dealt."""
HEADING = 2


class Shelf(NamedTuple):
    """`total` things in rows of `columns`; in each row but the last there are as many."""

    total: int
    columns: int

    def beside(self, at: int, key: str, page: int = 1) -> int | None:
        """What an arrow leads to from one of them, that one where it leads nowhere; `page` rows at a time for the keys
        that turn pages. `None` for any other key."""
        last = max(0, self.total - 1)
        row, column = divmod(at, self.columns)
        rows = last // self.columns
        if key in ("left", "right"):
            step = -1 if key == "left" else 1
            return at + step if 0 <= column + step < self.columns and at + step <= last else at
        if key in ("up", "down", "pageup", "pagedown"):
            way = (-1 if key in ("up", "pageup") else 1) * (page if key.startswith("page") else 1)
            return min(last, max(0, min(rows, row + way)) * self.columns + column)
        return {"home": 0, "end": last}.get(key)


class _Told(NamedTuple):
    """What a board was drawn from: drawn again only when it is another."""

    name: str
    state: str
    home: int
    moves: int
    board: Position | None
    is_chosen: bool
    width: int
    height: int


class Boards(VerticalScroll):
    """As many beside one another as there is room for, none so small that no card is seen. A click chooses, a double
    one shows that board alone, and all of them again."""

    can_focus = False
    DEFAULT_CSS = """
    Boards { height: 1fr; scrollbar-size-vertical: 1; }
    Boards Grid { height: auto; }
    Boards .seat { height: 100%; }
    Boards .chosen { background: $boost; }
    """

    def __init__(self, words: Catalogue, looks: Looks) -> None:
        super().__init__(id="boards")
        self._words = words
        self._looks = looks
        self._grid = Grid()
        self._shown: list[Shown] = []
        self._told: list[_Told | None] = []
        self._taken: list[int] = []
        """The seats that have a board here."""
        self._arranged: tuple[int, int, int] = (0, 0, 0)
        self.chosen = 0
        """Of those with a board, the one that is chosen."""
        self.alone = False

    def compose(self) -> ComposeResult:
        """The grid, which is as high as it must be."""
        yield self._grid

    async def seat(self, seats: Sequence[SeatState]) -> None:
        """Have a board for each player that there is."""
        taken = [number for number, seat in enumerate(seats) if seat.taken]
        if taken == self._taken:
            return
        at = self._taken[self.chosen] if self.chosen < len(self._taken) else -1
        self._taken = taken
        self.chosen = taken.index(at) if at in taken else min(self.chosen, max(0, len(taken) - 1))
        await self._grid.remove_children()
        self._shown = [Shown(classes="seat") for _ in taken]
        self._told = [None for _ in taken]
        await self._grid.mount(*self._shown)
        self.share_out()

    def tell(self, seats: Sequence[SeatState]) -> None:
        """Show how they stand."""
        if (self.size.width, self.size.height, len(self._shown)) != self._arranged:
            self.share_out()
        for at, (number, shown) in enumerate(zip(self._taken, self._shown, strict=False)):
            if shown.display and number < len(seats):
                is_chosen = at == self.chosen and not self.alone and len(self._shown) > 1
                told = self._of(seats[number], is_chosen, shown.size.width, shown.size.height)
                if told != self._told[at]:
                    self._told[at] = told
                    shown.update(self._picture(told))

    def share_out(self) -> None:
        """Share the room out, and bring the chosen one into view."""
        width, height = self.size.width, self.size.height
        if not self._shown or not height:
            return
        self._arranged = width, height, len(self._shown)
        columns = 1 if self.alone else self._shelf.columns
        rows = 1 if self.alone else -(-len(self._shown) // columns)
        self._grid.styles.grid_size_columns = columns
        self._grid.styles.grid_columns = str(min(width // columns, BOARD_WIDEST + GAP))
        self._grid.styles.grid_rows = str(height if self.alone else max(BOARD_HEIGHT, height // rows))
        for at, shown in enumerate(self._shown):
            shown.display = not self.alone or at == self.chosen
            shown.set_class(at == self.chosen and not self.alone, "chosen")
        self.call_after_refresh(self._show_chosen)

    def _show_chosen(self) -> None:
        if self.chosen < len(self._shown):
            self.scroll_to_widget(self._shown[self.chosen], animate=False, immediate=True)

    @property
    def _shelf(self) -> Shelf:
        count = len(self._shown)
        return Shelf(count, max(1, min(count, self.size.width // BOARD_WIDTH)))

    def press(self, key: str) -> bool:
        """Choose by a key, show alone; whether it means that."""
        if key == "enter":
            self.alone = not self.alone
        else:
            shelf = Shelf(len(self._shown), 1) if self.alone else self._shelf
            turned = {"left": "up", "right": "down"}.get(key, key) if self.alone else key
            chosen = shelf.beside(self.chosen, turned, max(1, self.size.height // BOARD_HEIGHT))
            if chosen is None:
                return False
            self.chosen = chosen
        self.share_out()
        return True

    def on_click(self, event: Click) -> None:
        """Choose, and by the second of two quick ones show alone or all."""
        under = self.screen.get_widget_at(*event.screen_offset)[0]
        at = next((at for at, shown in enumerate(self._shown) if shown is under), None)
        if at is None:
            return
        self.chosen = at
        if event.chain % 2 == 0:
            self.alone = not self.alone
        event.stop()
        self.share_out()

    def _of(self, seat: SeatState, is_chosen: bool, width: int, height: int) -> _Told:
        state = ""
        if seat.time >= 0:
            state = self._words("race.home_in", time=clock(seat.time))
        elif seat.gave_up or seat.away:
            state = self._words("race.gave_up" if seat.gave_up else "race.away")
        board = position_of(seat.board) if seat.board is not None else None
        return _Told(seat.name, state, seat.home, seat.moves, board, is_chosen, width, height)

    def _picture(self, told: _Told) -> Text:
        text = Text(no_wrap=True)
        if told.is_chosen:
            text.append(f"{self._looks.pointer} ", "bold")
        text.append(told.name, "bold reverse" if told.is_chosen else "bold").append(f"  {told.state}\n")
        moves = self._words("n.moves", told.moves)
        text.append(f"{self._looks.bar(told.home)} {told.home}/52  {moves}\n")
        if told.board is not None:
            layout = Layout(min(told.width, BOARD_WIDEST) or BOARD_WIDTH, max(4, told.height - HEADING))
            text.append_text(board_picture(told.board, layout, self._looks))
        return text
