"""The form in which one says how a race is to be."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, NamedTuple, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Click, Key
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

from cellrace_client.errors import CellraceError, NotUnderstood, OptionsClash
from cellrace_client.faults import told
from cellrace_client.languages import Catalogue
from cellrace_client.openings import opening
from cellrace_client.race import Race
from cellrace_client.race_options import MINUTE_MS, SECOND_MS, RaceOptions
from cellrace_client.tui.shown import Shown
from cellrace_client.tui.tasks import begin
from cellrace_engine import PRESETS, EngineError

OpenRace = Callable[[RaceOptions], Awaitable[Race]]
"""Opens a race, and sits down in it. Raises what requests raise."""

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


class OptionsScreen(Screen[Race | None]):
    """Up and down choose an option, left and right its value, as clicks do; Enter opens the race. A deal is typed.
    What cannot be is said on the form, which stays as it is. Dismissed with the race once that is there, or with
    nothing."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    OptionsScreen #title { height: 1; background: $primary-background; text-style: bold; }
    OptionsScreen #rows { height: 1fr; }
    OptionsScreen .option { height: 1; padding: 0 1; }
    OptionsScreen .chosen { background: $boost; text-style: bold; }
    OptionsScreen #deal { height: 1; padding: 0 1; }
    OptionsScreen #label { width: 39; }
    OptionsScreen #typed { width: 1fr; height: 1; border: none; padding: 0; }
    OptionsScreen #said { height: auto; min-height: 1; max-height: 3; }
    OptionsScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back", "")]

    def __init__(self, words: Catalogue, open_race: OpenRace) -> None:
        super().__init__()
        self._open_race = open_race
        self._opening: asyncio.Task[None] | None = None
        self._gone = False
        self._refused: tuple[str, RaceOptions] | None = None
        """What was refused, which is said until it is another."""
        self.label = Shown(id="label")
        self.words = words
        self.options = RaceOptions()
        self.chosen = 0
        self.typed = Input(id="typed", placeholder=words("said.example", what="617"))
        self.rows = [Shown(id=choice.name, classes="option") for choice in CHOICES]
        self.rows.append(Shown(id=CREATE, classes="option"))
        self.said = Shown(id="said")

    def compose(self) -> ComposeResult:
        """The deal, the options, and what opens the race."""
        yield Shown(self.words("options.title"), id="title")
        with Horizontal(id="deal"):
            yield self.label
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
        self._check()

    def _show(self) -> None:
        mark = " " if self.chosen else ">"
        self.label.tell(f"{mark} {self.words('options.deal')}")
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
            self.create()
        elif event.is_printable and event.character is not None and not self.chosen:
            self.typed.insert_text_at_cursor(event.character)  # typed before the deal was in focus
        else:
            return
        event.stop()
        event.prevent_default()

    def on_input_changed(self) -> None:
        self._check()

    def on_input_submitted(self) -> None:
        self.create()

    def on_click(self, event: Click) -> None:
        """A click on an option takes its next value; on the last line it opens the race."""
        under = self.get_widget_at(*event.screen_offset)[0]
        at = next((at for at, row in enumerate(self.rows, 1) if row is under), None)
        if at is None:
            return
        self._choose(at)
        if at == len(self.rows):
            self.create()
        else:
            self._change(1)

    def _change(self, step: int) -> None:
        if self.chosen <= len(CHOICES):
            choice = CHOICES[self.chosen - 1]
            value = choice.beside(getattr(self.options, choice.name), step)
            self.options = self.options._replace(**{choice.name: value})  # type: ignore[arg-type]
            self._show()
            self._check()

    def _wanted(self) -> RaceOptions:
        """What was typed may name rules, too: they count. Raises what `opening` does, and the fault of what cannot
        be."""
        asked = opening(self.typed.value, self.options.rules)
        wanted = self.options._replace(deal=str(asked.deal or ""), rules=asked.rules_name)
        if wanted.fault is not None:
            raise wanted.fault
        return wanted

    def _check(self) -> None:
        """Say beforehand what does not go together, and what rules are about while one chooses among them. A deal
        that is not typed to its end is no mistake yet."""
        if self._refused == (self.typed.value, self.options):
            return
        self._refused = None
        said = ""
        try:
            self._wanted()
        except OptionsClash as error:
            said = told(self.words, error)
        except (EngineError, NotUnderstood):
            pass
        if (
            not said
            and self.chosen
            and self.chosen <= len(CHOICES)
            and CHOICES[self.chosen - 1].name == "rules"
        ):
            said = self.words(f"about.{self.options.rules}")
        self.said.tell(said)

    def create(self) -> None:
        """Open the race, once: it is there when the server says so."""
        if self._opening is not None:
            return
        try:
            wanted = self._wanted()
        except (EngineError, NotUnderstood) as error:
            self._refuse(error)
        else:
            self.said.tell(self.words("options.opening"))
            # Owned by the program: the form may be gone before the race is there.
            program = cast("MessagePump", self.app)  # pyright: ignore[reportUnknownMemberType]
            self._opening = begin(program, self._open(wanted), "open a race")

    def _refuse(self, error: CellraceError | EngineError) -> None:
        self._refused = self.typed.value, self.options
        self.said.tell(told(self.words, error))

    async def _open(self, wanted: RaceOptions) -> None:
        try:
            race = await self._open_race(wanted)
        except CellraceError as error:
            self._opening = None
            self._refuse(error)
        else:
            if self._gone:  # nobody wants it any more
                race.leave()
                race.part()
            else:
                self.dismiss(race)

    def action_back(self) -> None:
        self._gone = True
        self.dismiss(None)
