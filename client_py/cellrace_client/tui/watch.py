"""Watching: several boards side by side, or one alone."""

import asyncio
import time
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key
from textual.screen import Screen

from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.faults import connection
from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_client.race import Race
from cellrace_client.times import clock, running
from cellrace_client.timing import Timing
from cellrace_client.tui.boards import Boards
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.result import ResultCard
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin

TICK_S = 0.1


class WatchScreen(Screen[None]):
    """All boards of a race in a grid; the arrows or a click choose one, Enter or a double click shows it alone."""

    DEFAULT_CSS = """
    WatchScreen #title { height: 1; background: $primary-background; text-style: bold; }
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
        self._client = client
        self.timing = Timing(time.monotonic)
        self.title_line = Shown(id="title")
        self.boards = Boards(words, looks)
        self.ghosts = Shown(id="ghosts")
        self.result = ResultCard(words)
        self._following: asyncio.Task[None] | None = None

    def compose(self) -> ComposeResult:
        """The boards fill the screen."""
        yield self.title_line
        yield self.boards
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
            if self.race.model is not None:
                await self.boards.seat(self.race.model.seats)
            self.show()

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
            parts.append(running(self.timing.race_ms(model)))
        parts.append(connection(self.words, self._client.connected, self._client.failure))
        self.title_line.tell("  ".join(parts))
        self.boards.tell(model.seats)
        is_over = model.phase == "ended"
        self.result.display = is_over
        if is_over:
            self.result.tell(model)
        below = Text() if is_over else self._below(model)
        self.ghosts.display = bool(below)
        self.ghosts.tell(below)

    def _below(self, model: RaceModel) -> Text:
        """The ghosts, which have no boards here."""
        lines: list[str] = []
        now = self.timing.race_ms(model) if model.start else 0
        for ghost in model.ghosts.values():
            home, _ = ghost.at(now)
            name = f"{ghost.name} ({self.words('race.ghost')})"
            lines.append(f"{name}  {clock(ghost.time)}  {self.looks.bar(home)} {home}/52")
        return Text("\n".join(lines), no_wrap=True)

    def on_key(self, event: Key) -> None:
        """Choose a board, show it alone."""
        if self.boards.press(event.key):
            event.stop()
            self.show()

    def action_back(self) -> None:
        """Out of one board to all of them, and from there to the lobby."""
        if self.boards.alone:
            self.boards.press("enter")
            self.show()
            return
        self.race.part()
        self.dismiss(None)
