"""The screen on which one plays, whatever the table: keys, clicks, typed moves, hints, and one line that says why."""

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Input

from cellrace_client.advice import advise, hintless
from cellrace_client.languages import Catalogue
from cellrace_client.tables import Table, Trouble, tap_text
from cellrace_client.tui.board import BoardWidget
from cellrace_client.tui.hand import PILES, Intent, by_position
from cellrace_client.tui.keys import ESCAPE, NARROWEST, PRACTICE_FOOT, SCREENS, Act, acts, footer, key_text
from cellrace_client.tui.layout import FIRST_CELL, FIRST_FOUNDATION
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin
from cellrace_engine import Line, Move

TICK_S = 0.1
PASSING_S = 3.0
"""So long it is said that a key does nothing: then again how things stand, which may be what one waits for."""

WIDTHS = [(0, "-narrow"), (96, "-wide")]
"""What the screen is called from which width on. On a wide one the board is as wide as it gets, and what is beside it
stays beside it."""

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def pile_name(words: Catalogue, pile: int) -> str:
    """A pile that cards are taken from; the foundations are one."""
    if pile < FIRST_CELL:
        return words("pile.column", name=pile + 1)
    if pile < FIRST_FOUNDATION:
        return words("pile.cell", name=PILES[pile])
    return words("pile.foundations")


class PlayScreen(Screen[None]):
    """A board, what is beside it, and one line that says what to know. Subclasses have the table."""

    ACTS: ClassVar[Mapping[str, str]] = {
        "u": "undo", "ctrl+z": "undo", "r": "redo", "ctrl+y": "redo",
        "f": "finish", "?": "hint", ":": "type", "R": "restart",
    }  # fmt: skip
    """Keys that are not for the hand, and what they are for, as the line mode calls it."""
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    DEFAULT_CSS = """
    PlayScreen #title { height: 1; background: $primary-background; text-style: bold; }
    PlayScreen #middle { height: 1fr; }
    PlayScreen #side { width: 38; padding: 0 1; }
    PlayScreen.-wide BoardWidget { width: 58; }
    PlayScreen.-wide #side { width: 1fr; max-width: 60; }
    PlayScreen #said { height: auto; min-height: 1; max-height: 3; }
    PlayScreen #keys { height: 1; color: $text-muted; }
    PlayScreen #typed { height: 1; border: none; display: none; padding: 0; }
    """

    def __init__(self, words: Catalogue, looks: Looks) -> None:
        super().__init__()
        self.words = words
        self.board = BoardWidget(looks)
        self.title_line = Shown(id="title")
        self.side = Shown(id="side")
        self.said = Shown(id="said")
        self.keys_line = Shown(id="keys")
        self._typed = Input(id="typed", placeholder=words("said.example", what="26v3"))
        self._trouble = ""
        self._until = math.inf
        self._told_held = ""
        self._advising: asyncio.Task[None] | None = None
        self._sure = ""

    @property
    def table(self) -> Table:
        """Where it is played."""
        raise NotImplementedError

    def status(self) -> str:
        """What the line says while nothing is wrong."""
        line = self.table.line
        if line is None or line.won:
            return ""
        if line.finishable:
            return self.words("game.finishable")
        return self.words("game.stuck") if line.stuck else ""

    def foot(self) -> Sequence[Act]:
        """The keys that the line at the foot names, the most needed first, the way back last."""
        return acts("practice", *PRACTICE_FOOT)

    def all_keys(self) -> Sequence[Act]:
        """Every key that there is here now."""
        return SCREENS["practice"]

    def instead(self) -> ComposeResult:
        """What may come in the place of the board and what is beside it."""
        yield from ()

    def compose(self) -> ComposeResult:
        """From the top down."""
        yield self.title_line
        with Horizontal(id="middle"):
            yield self.board
            yield self.side
        yield from self.instead()
        yield self.said
        yield self._typed
        yield self.keys_line

    def on_mount(self) -> None:
        self._typed.can_focus = False
        self.set_interval(TICK_S, self.show)
        self.show()

    def on_unmount(self) -> None:
        self._stop_advising()

    def show(self) -> None:
        """Show how things stand. Cheap where nothing has changed."""
        line = self.table.line
        if line != self.board.line:
            self._stop_advising()
            self.board.show(line)
            self._trouble = ""
        if time.monotonic() >= self._until:
            self.say("")
        held = self._held_text()
        if held != self._told_held:
            self._told_held = held
            self._trouble = "" if held else self._trouble
        self.said.tell(self._trouble or held or self.status())
        self.keys_line.tell(footer(self.words, *self.foot(), width=self.size.width or NARROWEST))

    def _held_text(self) -> str:
        """What is in hand, and what is awaited of the player."""
        held = self.board.hand.held
        if held is None:
            return ""
        what = pile_name(self.words, held.pile)
        if held.cards:
            what += f", {self.words('n.cards', held.cards)}"
        escape = key_text(self.words, ESCAPE)
        return self.words("hand.count" if held.counting else "hand.where", what=what, escape=escape)

    def let_go(self) -> None:
        """Have nothing in hand: something else is wanted."""
        if self.board.hand.drop():
            self.board.refresh()
            self.show()

    def trouble(self, trouble: Trouble) -> None:
        """Say why something was not done, until something is."""
        self.say(self.board.looks.signed(self.words.why(trouble.code, trouble.text, trouble.refusal)))

    def say(self, text: str) -> None:
        """Say something until the board changes."""
        self._until = math.inf
        self._trouble = text
        self.said.tell(text)

    # What the player wants

    def on_board_widget_wanted(self, message: BoardWidget.Wanted) -> None:
        self.do(message.intent)

    def do(self, intent: Intent | None) -> None:
        """Do it, at once."""
        line = self.table.line
        if intent is not None and line is not None and intent.nothing >= 0:
            self._refuse(line, intent.nothing)
        elif intent is not None and line is not None:
            move = intent.move or tap_text(line, intent.tap, intent.depth)
            self._sure = ""
            self.table.move(move)
        self.board.refresh()
        self.show()

    def _refuse(self, line: Line, pile: int) -> None:
        """Say why nothing can be taken up there."""
        refusal = line.reason_against(Move(pile, int(pile == 0)))
        if refusal is not None:
            self.trouble(Trouble(str(refusal.reason), refusal.text, refusal))

    def on_key(self, event: Key) -> None:
        """A key, by its character, or by where it is on the keyboard."""
        if self._typed.has_focus:
            if event.key == "escape":
                self._stop_typing()
                event.stop()
            return
        asked = self._sure
        if self._press(event):
            event.stop()
            event.prevent_default()
        elif event.is_printable and event.character != "?" and self.table.line is not None:
            self.say(self.words("hand.no_key", pressed=event.character or ""))
            self._until = time.monotonic() + PASSING_S
        if self._sure == asked:
            self._forget_asking()

    def on_mouse_down(self) -> None:
        self._forget_asking()

    def _press(self, event: Key) -> bool:
        line, hand = self.table.line, self.board.hand
        key = by_position(event.character or "")
        if line is not None and len(key) == 1 and hand.takes(key):
            self.do(hand.press(key, line.position))
        elif line is not None and event.key in ARROWS:
            hand.go(*ARROWS[event.key], line.position)
        elif line is not None and event.key in ("enter", "space"):
            self.do(hand.enter(line.position))
        elif event.key == "escape":
            if not hand.drop():
                self.back()
        elif line is not None and key == "v":
            self.say(self.words("hand.first"))
        else:
            if self.act(event.key, key):
                self.let_go()
            return self.command(event.key, key)
        self.board.refresh()
        self.show()
        return True

    def act(self, key: str, character: str) -> str:
        """What a key is for, of `ACTS`; empty for nothing."""
        return self.ACTS.get(key) or self.ACTS.get(character, "")

    def command(self, key: str, character: str) -> bool:
        """A key that is not for the hand; whether it means anything."""
        commands: Mapping[str, Callable[[], object]] = {
            "undo": self.table.undo,
            "redo": self.table.redo,
            "finish": self.table.finish,
            "hint": self.hint,
            "type": self._start_typing,
            "restart": lambda: self.surely("game.restart_again", self.table.restart),
        }
        command = commands.get(self.act(key, character))
        if command is None:
            return False
        command()
        self.show()
        return True

    def surely(self, question: str, do: Callable[[], None]) -> None:
        """Do it when it is asked for twice running."""
        if self._sure == question:
            self._sure = ""
            self.say("")
            do()
        else:
            self._sure = question
            self.say(self.words(question))

    def _forget_asking(self) -> None:
        """Something else came between: the question is not asked any more."""
        if self._sure and self._trouble == self.words(self._sure):
            self.say("")
        self._sure = ""

    def back(self) -> None:
        self.dismiss(None)

    # Moves typed in full

    def _start_typing(self) -> None:
        self._typed.can_focus = True
        self._typed.styles.display = "block"
        self.set_focus(self._typed)

    def _stop_typing(self) -> None:
        self._typed.value = ""
        self._typed.styles.display = "none"
        self._typed.can_focus = False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A move in full notation."""
        text = event.value.strip()
        self._stop_typing()
        if text:
            self.do(Intent(text))

    # Hints

    def hint(self) -> None:
        """Look for a move; it is shown if the board is still the same then."""
        line = self.table.line
        if not self.table.hints:
            self.say(self.words("hint.forbidden"))
        elif line is not None and not line.won:
            self._stop_advising()
            self.say(self.words("hint.searching"))
            self._advising = begin(self, self._advise(line), "hint")

    async def _advise(self, line: Line) -> None:
        advice = await advise(line)
        if self.table.line != line:
            return
        if advice.move:
            self.board.hinted = advice.piles
            self.board.refresh()
            self.say(self.words("hint.move", move=advice.move))
        else:
            self.say(self.words(hintless(line, advice)))

    def _stop_advising(self) -> None:
        if self._advising is not None:
            self._advising.cancel()
            self._advising = None
