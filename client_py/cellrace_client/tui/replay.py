"""Replays, with a projector."""

import time
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.screen import Screen

from cellrace_client.deal_names import deal_text
from cellrace_client.film import Film, Projector
from cellrace_client.languages import Catalogue
from cellrace_client.times import clock
from cellrace_client.tui.hand import by_position, everywhere
from cellrace_client.tui.layout import Layout
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.picture import board_picture
from cellrace_client.tui.shown import Shown
from cellrace_engine import Replay

TICK_S = 0.05
JUMP_MS = 10_000


class ReplayScreen(Screen[None]):
    """Shows a replay that holds. Space stops, arrows step and jump, `+` and `-` change the speed."""

    DEFAULT_CSS = """
    ReplayScreen #title { height: 1; background: $primary-background; text-style: bold; }
    ReplayScreen #boards { height: 1fr; }
    ReplayScreen .seat { width: 1fr; max-width: 58; height: 100%; }
    ReplayScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [(f"escape,{everywhere('q')}", "back", "")]

    def __init__(self, words: Catalogue, looks: Looks, replay: Replay) -> None:
        """Raises `ValueError` for a replay that does not hold."""
        super().__init__()
        self.words = words
        self.looks = looks
        self.replay = replay
        self.projector = Projector(Film(replay))
        self.title_line = Shown(id="title")
        self.boards = [Shown(classes="seat") for _ in replay.players]
        self._last = time.monotonic()

    def compose(self) -> ComposeResult:
        """Boards side by side."""
        yield self.title_line
        with Horizontal(id="boards"):
            yield from self.boards
        yield Shown(self.words("help.replay"), id="keys")

    def on_mount(self) -> None:
        self._last = time.monotonic()
        self.set_interval(TICK_S, self._tick)
        self.show()

    def _tick(self) -> None:
        now = time.monotonic()
        self.projector.pass_time(1_000 * (now - self._last))
        self._last = now
        self.show()

    def show(self) -> None:
        """The frame that is on."""
        projector = self.projector
        state = f"{projector.speed:g}x" if projector.playing and not projector.over else "||"
        length = clock(projector.film.length_ms)
        deal = deal_text(str(self.replay.deal or ""))
        self.title_line.tell(
            f"{self.words('menu.replay')}  {deal}  {clock(round(projector.t_ms))} / {length}  {state}"
        )
        for line, player, shown in zip(projector.frame.lines, self.replay.players, self.boards, strict=True):
            layout = Layout(shown.size.width or 40, max(4, shown.size.height - 1))
            text = board_picture(line.position, layout, self.looks)
            text.append(f"\n{player.name}  {line.cards_home}/52  {self.words('n.moves', line.moves)}")
            shown.tell(text)

    def on_key(self, event: Key) -> None:
        """Drive the projector."""
        projector = self.projector
        keys = {
            "space": projector.toggle,
            "p": projector.toggle,
            "left": lambda: projector.step(-1),
            "right": lambda: projector.step(1),
            "up": lambda: projector.jump(-JUMP_MS),
            "down": lambda: projector.jump(JUMP_MS),
            "home": lambda: projector.seek(0),
            "end": lambda: projector.seek(projector.film.length_ms),
            "plus": projector.faster,
            "minus": projector.slower,
        }
        drive = keys.get(event.key) or keys.get(by_position(event.character or ""))
        if drive is not None:
            drive()
            event.stop()
            self.show()

    def action_back(self) -> None:
        self.dismiss(None)
