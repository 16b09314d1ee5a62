"""The form in which one says how a race is to be."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key
from textual.screen import Screen
from textual.widgets import Input

from cellrace_client.errors import NotUnderstood
from cellrace_client.faults import told
from cellrace_client.languages import Catalogue
from cellrace_client.openings import opening
from cellrace_client.race_options import MINUTE_MS, SECOND_MS, RaceOptions
from cellrace_client.tui.shown import Shown
from cellrace_engine import PRESETS, EngineError

DEAL, CREATE = "deal", "create"


class Choice(NamedTuple):
    """One option: its name in `RaceOptions`, and what there is to choose from."""

    name: str
    values: Sequence[object]

    def beside(self, value: object, step: int) -> object:
        """The next value, or the one before; behind the last comes the first."""
        at = self.values.index(value) if value in self.values else 0
        return self.values[(at + step) % len(self.values)]


CHOICES = (
    Choice("rules", tuple(PRESETS)),
    Choice("seats", tuple(range(1, 17))),
    Choice("best_of", (1, 3, 5, 7, 9)),
    Choice("limit_ms", tuple(minutes * MINUTE_MS for minutes in (1, 2, 5, 10, 15, 20, 30, 45, 60, 120))),
    Choice("public", (False, True)),
    Choice("ranked", (False, True)),
    Choice("open_boards", (False, True)),
    Choice("bots", (False, True)),
    Choice("countdown_ms", tuple(seconds * SECOND_MS for seconds in (0, 3, 5, 10, 30, 60))),
    Choice("delay_ms", (-1, *(seconds * SECOND_MS for seconds in (0, 10, 30, 60, 120, 300, 600)))),
)


class OptionsScreen(Screen[RaceOptions | None]):
    """Up and down choose an option, left and right its value, as clicks do; Enter opens the race. A deal is typed.
    Dismissed with what is wanted, or with nothing."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    OptionsScreen #title { height: 1; background: $primary-background; text-style: bold; }
    OptionsScreen #rows { height: 1fr; }
    OptionsScreen .option { height: 1; padding: 0 1; }
    OptionsScreen .chosen { background: $boost; text-style: bold; }
    OptionsScreen #typed { height: 1; border: none; padding: 0; margin: 0 1; }
    OptionsScreen #said { height: auto; min-height: 1; max-height: 3; }
    OptionsScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(self, words: Catalogue) -> None:
        super().__init__()
        self.words = words
        self.options = RaceOptions()
        self.chosen = 0
        self.typed = Input(id="typed", placeholder=words("options.deal"))
        self.rows = [Shown(id=choice.name, classes="option") for choice in CHOICES]
        self.rows.append(Shown(id=CREATE, classes="option"))
        self.said = Shown(id="said")

    def compose(self) -> ComposeResult:
        """The deal, the options, and what opens the race."""
        yield Shown(self.words("options.title"), id="title")
        yield self.typed
        with VerticalScroll(id="rows", can_focus=False):
            yield from self.rows
        yield self.said
        yield Shown(self.words("help.options"), id="keys")

    def on_mount(self) -> None:
        self._choose(1)

    def _choose(self, at: int) -> None:
        """0 is the deal, then come the options, and last what opens the race."""
        self.chosen = at % (len(self.rows) + 1)
        self.set_focus(self.typed if self.chosen == 0 else None)
        for number, row in enumerate(self.rows, 1):
            row.set_class(number == self.chosen, "chosen")
        if self.chosen:
            self.rows[self.chosen - 1].scroll_visible(animate=False)
        self._show()

    def _show(self) -> None:
        for number, (row, choice) in enumerate(zip(self.rows, CHOICES, strict=False), 1):
            value = self.value_text(choice.name)
            mark = ">" if number == self.chosen else " "
            row.tell(Text(f"{mark} {self.words(f'options.{choice.name}'):<36} {value}", no_wrap=True))
        mark = ">" if self.chosen == len(self.rows) else " "
        self.rows[-1].tell(f"{mark} {self.words('options.create')}")

    def value_text(self, name: str) -> str:
        """A value as people say it."""
        value = getattr(self.options, name)
        if name == "public":
            return self.words("options.everybody" if value else "options.by_link")
        if isinstance(value, bool):
            return self.words("options.yes" if value else "options.no")
        if name == "delay_ms" and value < 0:
            return self.words("options.usual")
        if name == "limit_ms":
            return self.words("options.minutes", n=value // MINUTE_MS)
        if name.endswith("_ms"):
            return self.words("options.seconds", n=value // SECOND_MS)
        return str(value)

    def on_key(self, event: Key) -> None:
        """Choose, change, open."""
        if event.key in ("up", "down"):
            self._choose(self.chosen + (-1 if event.key == "up" else 1))
        elif event.key in ("left", "right", "space") and self.chosen:
            self._change(-1 if event.key == "left" else 1)
        elif event.key == "enter":
            self._create()
        elif event.is_printable and event.character is not None and not self.chosen:
            self.typed.insert_text_at_cursor(event.character)  # typed before the deal was in focus
        else:
            return
        event.stop()
        event.prevent_default()

    def on_input_submitted(self) -> None:
        self._create()

    def on_click(self, event: Click) -> None:
        """A click on an option takes its next value; on the last line it opens the race."""
        under = self.get_widget_at(*event.screen_offset)[0]
        at = next((at for at, row in enumerate(self.rows, 1) if row is under), None)
        if at is None:
            return
        self._choose(at)
        if at == len(self.rows):
            self._create()
        else:
            self._change(1)

    def _change(self, step: int) -> None:
        if self.chosen <= len(CHOICES):
            choice = CHOICES[self.chosen - 1]
            value = choice.beside(getattr(self.options, choice.name), step)
            self.options = self.options._replace(**{choice.name: value})  # type: ignore[arg-type]
            self._show()

    def _create(self) -> None:
        """What was typed may name rules, too: they count. What is no deal is said here."""
        try:
            asked = opening(self.typed.value, self.options.rules)
        except (EngineError, NotUnderstood) as error:
            self.said.tell(told(self.words, error))
            return
        self.dismiss(self.options._replace(deal=str(asked.deal or ""), rules=asked.rules_name))

    def action_back(self) -> None:
        self.dismiss(None)
