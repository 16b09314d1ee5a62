"""Boards, ratings and one's own profile: tables that are asked for again as one wants them."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from cellrace_client.boards import BoardQuery
from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.errors import CellraceError, RequestFailed
from cellrace_client.faults import told
from cellrace_client.languages import Catalogue
from cellrace_client.profiles import HISTORY, day_of, network_text, profile_lines, standing_line
from cellrace_client.rule_names import rules_in_words
from cellrace_client.standings import marked_name
from cellrace_client.times import clock
from cellrace_client.tui.columns import Rows
from cellrace_client.tui.hand import everywhere
from cellrace_client.tui.listings import ListScreen, RunsScreen, run_columns, run_rows
from cellrace_client.tui.tasks import begin
from cellrace_engine import PRESETS
from cellrace_protocol import events as e
from cellrace_protocol.commands import Measure, Scope, Sight

PAGE = 100
"""So many rows at once."""


async def asked(
    client: Client, board: BoardQuery, offset: int = 0, *, around: bool = False, daily: bool = False
) -> e.Top:
    """A board, or that of a deal of the day."""
    if daily:
        return await client.dailies.board(
            board.day,
            rules=board.rules,
            kind=board.kind,
            count=PAGE,
            by=board.by,
            offset=offset,
            around=around,
        )
    return await client.board(board, PAGE, offset, around=around)


class BoardScreen(RunsScreen):
    """A board. `b` and `s` ask for it by another measure, or for other sights, `a` for the rows around one's own, `n`
    and `p` for the pages behind and before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        (everywhere("b"), "measure", ""),
        (everywhere("s"), "sight", ""),
        (everywhere("a"), "around", ""),
        (everywhere("n"), "page(1)", ""),
        (everywhere("p"), "page(-1)", ""),
    ]

    def __init__(
        self, words: Catalogue, client: Client, wanted: BoardQuery, top: e.Top, *, daily: bool = False
    ) -> None:
        names = ("name", "time", "moves", "run", "score", "day", "network", "exact", "sight")
        columns = ["", *(words(f"column.{name}") for name in names)]
        rows = board_rows(words, top)
        self.wanted = wanted
        super().__init__(words, board_head(words, wanted, top), columns, rows, words("help.boards"))
        self.top = top
        self._client = client
        self._daily = daily
        self._asked = wanted, top.offset, False

    @property
    def spare(self) -> Sequence[int]:
        """The run's name, the network's share, how exact a time is, a score that is not what counts, the day."""
        return (4, 7, 8, 6, 5) if self.wanted.by is Measure.SCORE else (4, 7, 8, 5, 6)

    def action_measure(self) -> None:
        measures = list(Measure)
        by = measures[(measures.index(self.wanted.by) + 1) % len(measures)]
        self._ask(self.wanted._replace(by=by))

    def action_sight(self) -> None:
        """The deal of the day has no boards by sight: whoever plays it has not seen it."""
        if not self._daily:
            sights = list(Sight)
            sight = sights[(sights.index(self.wanted.sight) + 1) % len(sights)]
            self._ask(self.wanted._replace(sight=sight))

    def action_around(self) -> None:
        self._ask(self.wanted, around=True)

    def action_page(self, step: int) -> None:
        _, asked_for, _ = self._asked
        offset = asked_for + step * PAGE
        if 0 <= offset < self.top.total:
            self._ask(self.wanted, offset)

    def _ask(self, wanted: BoardQuery, offset: int = 0, *, around: bool = False) -> None:
        self.wanted = wanted
        self._asked = wanted, offset, around
        begin(self, self._read(wanted, offset, around), "board")

    async def _read(self, wanted: BoardQuery, offset: int, around: bool) -> None:
        try:
            top = await asked(self._client, wanted, offset, around=around, daily=self._daily)
        except CellraceError as error:
            self.tell_head([told(self.words, error)])
            return
        if self._asked != (wanted, offset, around) or not self.is_attached:
            return  # something else is wanted by now
        self.top = top
        self._asked = wanted, top.offset, False
        self.tell_head(board_head(self.words, wanted, top))
        self.fill(board_rows(self.words, top), top.mine[0].run if around and top.mine else "")


def board_head(words: Catalogue, wanted: BoardQuery, top: e.Top) -> Sequence[str]:
    """Which board it is, where one stands on it, and what its days are."""
    what = deal_text(top.deal) if wanted.scope is Scope.DEAL and top.deal else top.day or wanted.day
    parts = [
        what,
        rules_in_words(words, top.rules),
        words(f"measure.{wanted.by.value}"),
        words(f"sight.{wanted.sight.value}"),
    ]
    below = standing_line(words, top) if top.rows else words("boards.empty")
    return [", ".join(filter(None, parts)), *filter(None, [below]), words("boards.utc")]


def board_rows(words: Catalogue, top: e.Top) -> Rows:
    """What there is to say of each run."""
    return [
        (
            row.run,
            [
                f"{row.place}.",
                marked_name(words, row, top.mine),
                clock(row.time),
                str(row.moves),
                row.run,
                str(row.score),
                day_of(row.at, row.time),
                *network_text(words, row),
                words("boards.first") if row.first else "",
            ],
        )
        for row in top.rows
    ]


class RatingsScreen(ListScreen):
    """The board of ratings: `r` for the next rule set, `a` around oneself, `n` and `p` for other pages."""

    BINDINGS: ClassVar[list[BindingType]] = [
        (everywhere("r"), "rules", ""),
        (everywhere("a"), "around", ""),
        (everywhere("n"), "page(1)", ""),
        (everywhere("p"), "page(-1)", ""),
    ]

    def __init__(self, words: Catalogue, client: Client, ratings: e.Ratings) -> None:
        columns = ["", *(words(f"column.{name}") for name in ("name", "rating", "races"))]
        super().__init__(
            ratings_head(words, ratings), columns, ratings_rows(words, ratings), words("help.ratings")
        )
        self.words = words
        self.ratings = ratings
        self._client = client
        self._asked = ratings.rules, ratings.offset, False

    def action_rules(self) -> None:
        sets = list(PRESETS)
        now, _, _ = self._asked
        self._ask(sets[(sets.index(now) + 1) % len(sets)] if now in sets else sets[0])

    def action_around(self) -> None:
        self._ask(self.ratings.rules, around=True)

    def action_page(self, step: int) -> None:
        rules, asked_for, _ = self._asked
        offset = asked_for + step * PAGE
        if 0 <= offset < self.ratings.total:
            self._ask(rules, offset)

    def _ask(self, rules: str, offset: int = 0, *, around: bool = False) -> None:
        self._asked = rules, offset, around
        begin(self, self._read(rules, offset, around), "ratings")

    async def _read(self, rules: str, offset: int, around: bool) -> None:
        ask = self._client.players.ratings
        try:
            ratings = await ask(rules, count=PAGE, offset=offset, around=around)
        except CellraceError as error:
            self.tell_head([told(self.words, error)])
            return
        if self._asked != (rules, offset, around) or not self.is_attached:
            return  # something else is wanted by now
        self.ratings = ratings
        self._asked = rules, ratings.offset, False
        self.tell_head(ratings_head(self.words, ratings))
        self.fill(
            ratings_rows(self.words, ratings), ratings.mine[0].player if around and ratings.mine else ""
        )


def ratings_head(words: Catalogue, ratings: e.Ratings) -> Sequence[str]:
    """Under which rules, and where one stands."""
    below = standing_line(words, ratings) if ratings.rows else words("ratings.empty")
    return [f"{words('menu.ratings')}, {rules_in_words(words, ratings.rules)}", *filter(None, [below])]


def ratings_rows(words: Catalogue, ratings: e.Ratings) -> Rows:
    """A player a row."""
    return [
        (
            row.player,
            [
                f"{row.place}.",
                marked_name(words, row, ratings.mine),
                f"{row.rating} ± {row.deviation}",
                str(row.races),
            ],
        )
        for row in ratings.rows
    ]


async def own_profile(words: Catalogue, client: Client) -> RunsScreen:
    """One's profile, over one's last runs. Raises what requests raise."""
    try:
        profile = await client.players.profile(history=HISTORY)
    except RequestFailed as error:
        if error.code != "not_found":
            raise
        head = [client.name, words("profile.none")]
    else:
        head = list(profile_lines(words, profile))
    runs = await client.runs(count=PAGE)
    return RunsScreen(words, [*head, words("boards.utc")], run_columns(words), run_rows(words, runs))
