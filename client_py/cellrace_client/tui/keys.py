"""The keys of every screen: what they do, for whoever asks, and the line at the foot that has those one needs most."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from cellrace_client.languages import Catalogue
from cellrace_client.tui.shown import Shown

GAP = "  "
NARROWEST = 80


class Act(NamedTuple):
    """What a key does: `name` is that of its texts in the catalogue."""

    key: str
    name: str


ENTER, ESCAPE, SPACE = "{enter}", "{escape}", "{space}"
"""Keys whose names are of a language."""

BACK = Act(ESCAPE, "back")
ALWAYS = (Act("F1", "keys"), Act("Ctrl-Q", "quit"))
PLAY = (
    Act("1-8 a-d h", "move"),
    Act("v3", "count"),
    Act("33", "tap"),
    Act("↑↓←→", "carry"),
    Act("u", "undo"),
    Act("r", "redo"),
    Act("?", "hint"),
    Act("f", "finish"),
    Act("R", "restart"),
    Act(":", "type"),
)
LIST = (Act("↑↓", "choose"), Act(ENTER, "replay"), Act("g", "against"))
COLUMNS = (Act("{network}", "network"), Act("{exact}", "exact"))
"""No keys: what two columns of the tables mean."""

PAGES = (Act("a", "around"), Act("n p", "pages"))
WATCH = (Act("↑↓←→", "board"), Act(ENTER, "alone"), BACK)
SCREENS: dict[str, Sequence[Act]] = {
    "practice": (*PLAY, Act("s", "save"), Act("n", "another"), BACK),
    "race": (Act(ENTER, "ready"), *PLAY, Act("g", "give_up"), Act(ESCAPE, "away")),
    "over": (
        Act(ENTER, "turn"),
        Act("↑↓", "scroll"),
        Act("v", "film"),
        Act("m", "rematch"),
        Act("b", "boards"),
        BACK,
        *COLUMNS,
    ),
    "lobby": (
        Act("↑↓", "menu"),
        Act("→", "races"),
        Act(ENTER, "enter"),
        Act("g", "go_back"),
    ),
    "options": (Act("↑↓", "option"), Act("←→", "value"), Act(ENTER, "create"), BACK),
    "list": (Act("↑↓", "choose"), BACK),
    "runs": (*LIST, BACK, *COLUMNS),
    "board": (*LIST, Act("b", "measure"), Act("s", "sight"), *PAGES, BACK, *COLUMNS),
    "ratings": (*PAGES, Act("r", "rules"), BACK),
    "daily": (Act("↑↓", "choose"), Act(ENTER, "play"), Act("t", "top"), BACK),
    "replay": (
        Act(SPACE, "stop"),
        Act("←→", "step"),
        Act("↑↓", "jump"),
        Act("Home End", "ends"),
        Act("+ -", "speed"),
        BACK,
    ),
    "watch": WATCH,
    "watched": (*WATCH[:-1], Act("v", "film"), Act("b", "boards"), BACK, *COLUMNS),
}
"""What there is on each screen, besides what there is on all."""


PLAYING = frozenset(act.name for act in PLAY) | {"give_up"}
"""What one does while one plays."""

PRACTICE_FOOT = ("move", "undo", "hint", "finish", "redo", "restart", "save")
RACE_FOOT = ("move", "undo", "give_up", "hint", "finish", "redo", "restart")
"""What the line at the foot names where one plays, the most needed first."""


def acts(screen: str, *names: str) -> Sequence[Act]:
    """Those of a screen that have these names, in this order, and the way back."""
    told = [act for act in SCREENS[screen] if act not in COLUMNS]
    named = {act.name: act for act in told}
    return [*(named[name] for name in names if name in named), told[-1]]


def key_text(words: Catalogue, key: str) -> str:
    """A key as it is called in a language."""
    names = {name: words(f"named.{name}") for name in ("enter", "escape", "space")}
    return key.format(**names, **{name: words(f"column.{name}") for name in ("network", "exact")})


def footer(words: Catalogue, *acts: Act, width: int = NARROWEST) -> str:
    """These keys in one line, the most needed first; the last of them, and the key that tells them all, are there in
    any case, of the others as many as fit."""
    pieces = [f"{key_text(words, act.key)} {words(f'short.{act.name}')}" for act in (*acts, ALWAYS[0])]
    first, last = pieces[:-2], pieces[-2:]
    while first and cell_len(GAP.join((*first, *last))) > width:
        first.pop()
    return GAP.join((*first, *last))


class KeysScreen(ModalScreen[None]):
    """All the keys of a screen, over it, until one goes back."""

    DEFAULT_CSS = """
    KeysScreen { align: center middle; }
    KeysScreen #all { width: 100%; height: 100%; background: $surface; padding: 0 1; }
    KeysScreen Static { height: auto; }
    KeysScreen #keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,f1,question_mark,q,enter", "back", "")]

    def __init__(self, words: Catalogue, acts: Sequence[Act], menu: Sequence[tuple[str, str]] = ()) -> None:
        """`menu` comes first: keys, and what they are for in words."""
        super().__init__()
        self._words = words
        rows = [(key_text(words, act.key), words(f"key.{act.name}")) for act in (*acts, *ALWAYS)]
        self._rows = [*menu, *rows]

    def compose(self) -> ComposeResult:
        """The table, over how one leaves it."""
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True, style="bold")
        table.add_column()
        for key, what in self._rows:
            table.add_row(Text(key), Text(what))
        with VerticalScroll(id="all"):
            yield Static(table)
            yield Shown(f"{key_text(self._words, ESCAPE)} {self._words('short.back')}", id="keys")

    def action_back(self) -> None:
        self.dismiss(None)
