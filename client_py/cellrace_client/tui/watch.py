"""Watching: several boards side by side, or one alone."""

import asyncio
import time
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Grid
from textual.events import Key
from textual.screen import Screen

from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.faults import connection
from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel, SeatState
from cellrace_client.race import Race
from cellrace_client.tables import position_of
from cellrace_client.times import clock
from cellrace_client.timing import Timing
from cellrace_client.tui.layout import Layout
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.picture import board_picture
from cellrace_client.tui.result import ResultCard
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin

TICK_S = 0.1
BOARD_WIDTH = 40


class WatchScreen(Screen[None]):
    """All boards of a race in a grid; the arrows choose one, Enter shows it alone."""

    DEFAULT_CSS = """
    WatchScreen #title { height: 1; background: $primary-background; text-style: bold; }
    WatchScreen #grid { height: 1fr; grid-size: 2; grid-rows: 1fr; overflow-y: auto; }
    WatchScreen .seat { border: none; height: 1fr; min-height: 10; }
    WatchScreen .chosen { background: $boost; }
    WatchScreen #ghosts { height: auto; }
    WatchScreen #result { height: auto; max-height: 50%; }
    WatchScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(self, words: Catalogue, looks: Looks, client: Client, race: Race) -> None:
        super().__init__()
        self.words = words
        self.looks = looks
        self.race = race
        self.chosen = 0
        self.alone = False
        self._client = client
        self.timing = Timing(time.monotonic)
        self.title_line = Shown(id="title")
        self.grid = Grid(id="grid")
        self.ghosts = Shown(id="ghosts")
        self.result = ResultCard(words)
        self.boards: list[Shown] = []
        self._following: asyncio.Task[None] | None = None

    def compose(self) -> ComposeResult:
        """The grid fills the screen."""
        yield self.title_line
        yield self.grid
        yield self.ghosts
        yield self.result
        yield Shown(self.words("help.watch"), id="keys")

    def on_mount(self) -> None:
        self._following = begin(self, self._follow(), "watch")
        self.set_interval(TICK_S, self.show)

    def on_unmount(self) -> None:
        if self._following is not None:
            self._following.cancel()

    async def _follow(self) -> None:
        async for event in self.race:
            self.timing.hear(event)
            await self._make_room()
            self.show()

    async def _make_room(self) -> None:
        model = self.race.model
        if model is None or len(self.boards) == len(model.seats):
            return
        await self.grid.remove_children()
        self.boards = [Shown(classes="seat") for _ in model.seats]
        await self.grid.mount(*self.boards)
        self._arrange()

    def _arrange(self) -> None:
        """As many beside one another as there is room for; alone, one."""
        wide = 1 if self.alone else max(1, min(len(self.boards), self.size.width // BOARD_WIDTH))
        self.grid.styles.grid_size_columns = wide
        for index, board in enumerate(self.boards):
            board.display = not self.alone or index == self.chosen
            board.set_class(index == self.chosen and not self.alone, "chosen")

    def on_resize(self) -> None:
        self._arrange()

    def show(self) -> None:
        """Boards and clock as they are now."""
        model = self.race.model
        if model is None or not self.is_attached:
            return
        state = self.words.named("phase", model.phase)
        parts = [f"cellrace {model.race}", deal_text(model.deal) or self.words("race.hidden"), state]
        if model.phase == "countdown":
            parts.append(self.words("race.countdown", seconds=self.timing.countdown_s()))
        elif model.start:
            parts.append(clock(self.timing.race_ms(model))[:-4])
        parts.append(connection(self.words, self._client.connected, self._client.failure))
        self.title_line.tell("  ".join(parts))
        for seat, shown in zip(model.seats, self.boards, strict=False):
            shown.tell(self._seat(seat, shown.size.width, shown.size.height))
        is_over = model.phase == "ended"
        self.result.display = is_over
        if is_over:
            self.result.tell(model)
        self.ghosts.tell(Text() if is_over else self._below(model))

    def _below(self, model: RaceModel) -> Text:
        """The ghosts, which have no boards here."""
        lines: list[str] = []
        now = self.timing.race_ms(model) if model.start else 0
        for ghost in model.ghosts.values():
            home, _ = ghost.at(now)
            name = f"{ghost.name} ({self.words('race.ghost')})"
            lines.append(f"{name}  {clock(ghost.time)}  {self.looks.bar(home)} {home}/52")
        return Text("\n".join(lines), no_wrap=True)

    def _seat(self, seat: SeatState, width: int, height: int) -> Text:
        text = Text(no_wrap=True)
        if not seat.taken:
            return text
        state = ""
        if seat.time >= 0:
            state = self.words("race.home_in", time=clock(seat.time))
        elif seat.gave_up or seat.away:
            state = self.words("race.gave_up" if seat.gave_up else "race.away")
        text.append(seat.name, "bold").append(f"  {state}\n")
        text.append(f"{self.looks.bar(seat.home)} {seat.home}/52  {self.words('n.moves', seat.moves)}\n")
        if seat.board is not None:
            layout = Layout(min(width, 56) or BOARD_WIDTH, max(4, height - 2))
            text.append_text(board_picture(position_of(seat.board), layout, self.looks))
        return text

    def on_key(self, event: Key) -> None:
        """Choose a board, show it alone."""
        step = {"left": -1, "up": -1, "right": 1, "down": 1}.get(event.key)
        if step is not None and self.boards:
            self.chosen = (self.chosen + step) % len(self.boards)
        elif event.key == "enter":
            self.alone = not self.alone
        else:
            return
        event.stop()
        self._arrange()

    def action_back(self) -> None:
        """Out of one board to all of them, and from there to the lobby."""
        if self.alone:
            self.alone = False
            self._arrange()
            return
        self.race.part()
        self.dismiss(None)
