"""Watching: several boards side by side, or one alone."""

import asyncio
import time
from collections.abc import Mapping, Sequence
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
from cellrace_client.standings import run_to_show, series_line
from cellrace_client.times import clock, running
from cellrace_client.timing import Timing
from cellrace_client.tui.boards import Boards
from cellrace_client.tui.hand import by_position
from cellrace_client.tui.keys import SCREENS, Act, acts, footer
from cellrace_client.tui.lobby import Chosen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.result import ResultCard
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin

TICK_S = 0.1
RESULT_KEYS = {"v": ("film", "replay"), "b": ("boards", "boards")}
"""What a key is called, and what is chosen by it."""


class WatchScreen(Screen[None]):
    """All boards of a race in a grid; the arrows or a click choose one, Enter or a double click shows it alone."""

    DEFAULT_CSS = """
    WatchScreen #title { height: 1; background: $primary-background; text-style: bold; }
    WatchScreen #ghosts { height: auto; }
    WatchScreen #result { height: auto; max-height: 50%; }
    WatchScreen #said { height: auto; max-height: 3; display: none; }
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
        self.said = Shown(id="said")
        self.keys_line = Shown(words("help.watch"), id="keys")
        self._following: asyncio.Task[None] | None = None

    def compose(self) -> ComposeResult:
        """The boards fill the screen."""
        yield self.title_line
        yield self.boards
        yield self.ghosts
        yield self.result
        yield self.said
        yield self.keys_line

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
            names = [name for name, there_is in self._leads_to(model).items() if there_is]
            self.keys_line.tell(footer(self.words, *acts("watched", *names), width=self.size.width))
        below = Text() if is_over else self._below(model)
        self.ghosts.display = bool(below)
        self.ghosts.tell(below)

    def say(self, text: str) -> None:
        """Say why something cannot be shown, or nothing more of it."""
        self.said.display = bool(text)
        self.said.tell(text)

    def all_keys(self) -> Sequence[Act]:
        """Every key that there is here now."""
        model = self.race.model
        if model is None or model.phase != "ended":
            return SCREENS["watch"]
        leads_to = self._leads_to(model)
        return [act for act in SCREENS["watched"] if leads_to.get(act.name, act.name)]

    @staticmethod
    def _leads_to(model: RaceModel) -> Mapping[str, str]:
        """What there is of a race that is over: the replay of a run, the boards of its deal; empty for none."""
        return {"film": run_to_show(model), "boards": f"{model.deal} {model.rules}" if model.deal else ""}

    def _below(self, model: RaceModel) -> Text:
        """How the series stands, and the ghosts, which have no boards here."""
        series = series_line(self.words, model)
        lines = [series] if series else []
        now = self.timing.race_ms(model) if model.start else 0
        for ghost in model.ghosts.values():
            home, _ = ghost.at(now)
            name = f"{ghost.name} ({self.words('race.ghost')})"
            lines.append(f"{name}  {clock(ghost.time)}  {self.looks.bar(home)} {home}/52")
        return Text("\n".join(lines))

    def on_key(self, event: Key) -> None:
        """Choose a board, show it alone."""
        if self.boards.press(event.key):
            event.stop()
            self.show()
        elif (chosen := self._chosen(by_position(event.character or ""))) is not None:
            event.stop()
            self.post_message(chosen)

    def _chosen(self, key: str) -> Chosen | None:
        """`v`: the replay, `b`: the boards, once the race is over."""
        model = self.race.model
        if model is None or model.phase != "ended" or key not in RESULT_KEYS:
            return None
        name, what = RESULT_KEYS[key]
        text = self._leads_to(model)[name]
        return Chosen(what, text) if text else None

    def action_back(self) -> None:
        """Out of one board to all of them, and from there to the lobby."""
        if self.boards.alone:
            self.boards.press("enter")
            self.show()
            return
        self.race.part()
        self.dismiss(None)
