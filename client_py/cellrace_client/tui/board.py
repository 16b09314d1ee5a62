"""The board to play on: shows a line of play, and turns the mouse into what the player wants."""

from rich.text import Text
from textual.events import Click, MouseDown, MouseUp
from textual.message import Message
from textual.widget import Widget

from cellrace_client.tui.hand import Hand, Intent, carried
from cellrace_client.tui.layout import FIRST_FOUNDATION, Layout, Place
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.picture import Marks, board_picture
from cellrace_engine import Line, TakeBack

FIRST_BUTTON = 1


class BoardWidget(Widget):
    """Posts `Wanted` for a click on a card and then on a pile, a double click, or a drag from one to the other. Another
    button than the first lets go of what is in hand."""

    DEFAULT_CSS = "BoardWidget { width: 1fr; height: 1fr; min-width: 40; }"

    class Wanted(Message):
        """The player wants this."""

        def __init__(self, intent: Intent) -> None:
            super().__init__()
            self.intent = intent

    def __init__(self, looks: Looks) -> None:
        super().__init__()
        self.hand = Hand()
        self.looks = looks
        self.hinted: tuple[int, ...] = ()
        self.line: Line | None = None
        self._pressed: Place | None = None
        self._dragged = False

    def show(self, line: Line | None) -> None:
        """Show this line of play from now on."""
        if line != self.line:
            self.line = line
            self.hand.takes_back = line is not None and line.rules.take_back is not TakeBack.NEVER
            self.hinted = ()
            self.refresh()

    def render(self) -> Text:
        """The board, or nothing before there is one."""
        if self.line is None:
            return Text("")
        marks = Marks(self.hand.source, self.hand.cursor, self.hinted)
        return board_picture(self.line.position, self._layout, self.looks, marks)

    @property
    def _layout(self) -> Layout:
        return Layout(self.size.width, self.size.height)

    def _place(self, event: MouseDown | MouseUp | Click) -> Place | None:
        if (
            self.line is None or event.y >= self.size.height
        ):  # the mouse is heard outside while a button is down
            return None
        return self._layout.at(event.x, event.y, self.line.position)

    def on_mouse_down(self, event: MouseDown) -> None:
        self._pressed = self._place(event) if event.button == FIRST_BUTTON else None
        self._dragged = False
        self.capture_mouse()

    def on_mouse_up(self, event: MouseUp) -> None:
        """The end of a drag, if it is elsewhere than its beginning."""
        self.release_mouse()
        place, pressed = self._place(event), self._pressed
        if place is None or pressed is None or self.line is None or place.pile == pressed.pile:
            return
        self._dragged = True
        self.hand.drop()
        if pressed.depth:
            self.post_message(self.Wanted(carried(pressed, place.pile, self.line.position)))
        self.refresh()

    def on_click(self, event: Click) -> None:
        """A click takes up, or puts down; the second of two quick ones on a card sends it home."""
        if event.button != FIRST_BUTTON:
            self.hand.drop()
            self.refresh()
            return
        place = self._place(event)
        if self._dragged or place is None or self.line is None:
            return
        if event.chain % 2 == 0 and place.pile < FIRST_FOUNDATION:  # the fourth is the second of another two
            self.hand.drop()
            self.post_message(self.Wanted(Intent(tap=place.pile, depth=max(1, place.depth))))
        else:
            intent = self.hand.point(place, self.line.position)
            if intent is not None:
                self.post_message(self.Wanted(intent))
        self.refresh()
