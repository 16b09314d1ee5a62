"""The deals of the day: a table to choose from, which keeps itself current."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Key

from cellrace_client.dailies import Dailies
from cellrace_client.errors import CellraceError
from cellrace_client.languages import Catalogue
from cellrace_client.rule_names import rules_in_words
from cellrace_client.standings import marked_name
from cellrace_client.times import clock
from cellrace_client.tui.columns import Rows
from cellrace_client.tui.hand import everywhere
from cellrace_client.tui.listings import ListScreen
from cellrace_client.tui.lobby import Chosen
from cellrace_client.tui.tasks import begin
from cellrace_protocol import events as e

ASK_AGAIN_S = 2.0
"""So long after the last answer, while deals are being chosen, or the day has just ended."""

LIVE_S = 5.0
"""How often it is asked how things stand."""

DAILY_BOARD = "daily board"
"""What is chosen to see the board of a deal of the day, with its rules and its day."""

BEST = 3
"""So many of a board are shown."""


class DailyScreen(ListScreen):
    """The deals of the day; a row is chosen to play it, or with `t` to see its board. It asks again for what is being
    chosen, for the results of the row under the cursor every few seconds, and for the next day when that is there."""

    BINDINGS: ClassVar[list[BindingType]] = [(everywhere("t"), "board", "")]

    def __init__(self, words: Catalogue, dailies: Dailies, today: e.Dailies) -> None:
        columns = [words("column.rules"), words("column.state"), words("column.time"), ""]
        super().__init__(daily_head(words, today, {}), columns, daily_rows(words, today), words("help.daily"))
        self.words = words
        self.today = today
        self._dailies = dailies
        self._boards: Mapping[str, e.Top] = {}
        self._asking: asyncio.Task[None] | None = None
        self._sure = ""
        """The rules whose one attempt was asked for once."""

    def on_mount(self) -> None:
        self._asking = begin(self, self._keep_current(), "deals of the day")

    def on_unmount(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    async def _keep_current(self) -> None:
        while True:
            if not self.is_current:  # its board, or a replay, is over it
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            await self._read_results()
            until_next = self.today.next_ms / 1_000
            pause = ASK_AGAIN_S if self.today.choosing or not self.today.rows else LIVE_S
            await asyncio.sleep(max(0.1, min(pause, until_next)))
            try:
                today = await self._dailies.today()
            except CellraceError:
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            if (today.rows, today.choosing) != (self.today.rows, self.today.choosing):
                self.fill(daily_rows(self.words, today))
            self.today = today

    async def _read_results(self) -> None:
        """Of the deal under the cursor."""
        rules = self.under_cursor
        boards: dict[str, e.Top] = {}
        try:
            if any(row.rules == rules for row in self.today.rows):
                boards[rules] = await self._dailies.board(rules=rules, count=BEST)
        except CellraceError:
            return
        self._boards = boards
        self._tell()

    def on_key(self, event: Key) -> None:
        """Any other key than Enter: the attempt is not asked for any more."""
        if event.key != "enter":
            self._forget_asking()

    def on_screen_suspend(self) -> None:
        """Something else is over it now."""
        self._forget_asking()

    def _forget_asking(self) -> None:
        if self._sure:
            self._sure = ""
            self.say("")

    def choose(self, key: str) -> None:
        """What is being chosen is not to be played yet; the one attempt is asked for twice."""
        if key in self.today.choosing:
            return
        if attempt_at(self.today, key) == "open" and self._sure != key:
            self._sure = key
            self.say(self.words("daily.sure"))
        else:
            super().choose(key)

    def action_board(self) -> None:
        """The board of the row under the cursor."""
        key = self.under_cursor
        if key and key not in self.today.choosing:
            self.post_message(Chosen(DAILY_BOARD, f"{key} {self.today.day}"))

    def on_data_table_row_highlighted(self) -> None:
        """What Enter does depends on the row."""
        if self._sure != self.under_cursor:
            self._forget_asking()
        self._tell()

    def _tell(self) -> None:
        self.tell_head(daily_head(self.words, self.today, self._boards, self.under_cursor))


def attempt_at(today: e.Dailies, rules: str) -> str:
    """How far one is with the attempt under some rules; empty where there is no deal."""
    return next((row.attempt for row in today.rows if row.rules == rules), "")


ENTER_DOES = {"done": "daily.practise", "under_way": "daily.back"}
"""What to say of the key, by how far one is with the attempt, where it does not begin it."""


def daily_head(
    words: Catalogue, today: e.Dailies, boards: Mapping[str, e.Top], chosen: str = ""
) -> Sequence[str]:
    """The day, a UTC day, when the next comes, what Enter does with the row that is `chosen`, and who is best so
    far."""
    hours, minutes = divmod(today.next_ms // 60_000, 60)
    head = [
        words.pair(
            f"{words('menu.daily')} {today.day} UTC",
            words("daily.next", hours=hours, minutes=minutes),
        ),
        words(ENTER_DOES.get(attempt_at(today, chosen), "daily.play")),
    ]
    for rules, top in boards.items():
        best = ", ".join(
            f"{row.place}. {marked_name(words, row, top.mine)} {clock(row.time)}" for row in top.rows
        )
        head.append(
            words("daily.live", rules=rules_in_words(words, rules), rows=best or words("daily.nobody"))
        )
    return head


def daily_rows(words: Catalogue, today: e.Dailies) -> Rows:
    """A row a rule set."""
    rows: list[tuple[str, Sequence[str]]] = [
        (
            row.rules,
            [
                rules_in_words(words, row.rules),
                words.named("daily", row.attempt),
                clock(row.time) if row.time >= 0 else "",
                words("n.streak", row.streak) if row.streak else "",
            ],
        )
        for row in today.rows
    ]
    return [
        *rows,
        *(
            (rules, [rules_in_words(words, rules), words("daily.choosing"), "", ""])
            for rules in today.choosing
        ),
    ]
