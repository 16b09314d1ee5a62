"""What one can read in lines: races, the deals of the day, boards, runs, players, replays."""

from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.errors import NotUnderstood, OptionUnclear
from cellrace_client.files import text_of
from cellrace_client.film import Film, Frame, Projector
from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_client.openings import board_of, is_of_any_deal, opening, replay_file
from cellrace_client.plain.usage import usage
from cellrace_client.profiles import HISTORY, day_of, profile_lines, standing_line
from cellrace_client.standings import run_to_show
from cellrace_client.times import clock, parse_time
from cellrace_engine import EngineError, Replay, from_json, verify
from cellrace_protocol import events as e
from cellrace_protocol.commands import Measure

ROWS = 20
AROUND, PAGE = "around", "page"

Show = Callable[[Iterator[tuple[int, str]], float], Awaitable[None]]
"""Says lines at their times in ms, at so many times the speed, or with 0 all at once."""

Read = Callable[[str], Awaitable[None]]


class Readings:
    """Each of `commands` reads what is typed behind it, and says what it has found. `online` raises `Disconnected`
    where there is no server; `over` is the race that has just been, if any."""

    def __init__(
        self,
        words: Catalogue,
        say: Callable[[str], None],
        online: Callable[[], Client],
        show: Show,
        over: Callable[[], RaceModel | None],
    ) -> None:
        self._words = words
        self._say = say
        self._online = online
        self._show = show
        self._over = over
        self.commands: dict[str, Read] = {
            "races": self._races, "daily": self._daily, "boards": self._boards, "runs": self._runs,
            "profile": self._profile, "ratings": self._ratings, "replay": self._replay,
        }  # fmt: skip

    async def _races(self, _: str) -> None:
        rows = await self._online().races()
        for row in rows:
            phase = self._words.named("phase", row.phase)
            own = f", {self._words('lobby.mine')}" if self._online().name in row.players else ""
            self._say(self._words.pair(f"{row.race}, {phase}{own}, {row.rules}", ", ".join(row.players)))
        if not rows:
            self._say(self._words("lobby.none"))

    async def _daily(self, rules: str) -> None:
        """All of today's, or with a rule set its board."""
        if rules:
            await self._daily_board(rules)
            return
        today = await self._online().dailies.today()
        hours, minutes = divmod(today.next_ms // 60_000, 60)
        comes = self._words("daily.next", hours=hours, minutes=minutes)
        self._say(self._words.pair(today.day, comes))
        for row in today.rows:
            state = self._words.named("daily", row.attempt)
            time = f", {clock(row.time)}" if row.time >= 0 else ""
            streak = f", {self._words('n.streak', row.streak)}" if row.streak else ""
            self._say(self._words.pair(row.rules, f"{state}{time}{streak}"))
        for name in today.choosing:
            self._say(self._words.pair(name, self._words("daily.choosing")))

    async def _daily_board(self, text: str) -> None:
        part = _part(text)
        dailies = self._online().dailies
        try:
            board = board_of(part.text)
        except EngineError:
            check_daily(self._words, await dailies.today(), part.text)
            raise
        ask = dailies.board
        top = await ask(
            board.day,
            rules=board.rules,
            kind=board.kind,
            count=ROWS,
            by=board.by,
            offset=part.offset,
            around=part.around,
        )
        self._top(top)

    async def _boards(self, text: str) -> None:
        part = _part(text)
        over = self._over()
        if over is not None and over.deal and is_of_any_deal(part.text):
            part = part._replace(text=f"{over.deal} {over.rules} {part.text}")
        board = board_of(part.text)
        self._top(await self._online().board(board, ROWS, part.offset, around=part.around))

    def _top(self, top: e.Top) -> None:
        """Which board it is, and what is on it."""
        what = deal_text(top.deal) if top.deal else top.day
        names = (self._words(f"measure.{top.by.value}"), self._words(f"sight.{top.sight.value}"))
        which = ", ".join(filter(None, [what, top.rules, *names]))
        self._say(self._words.pair(self._words("menu.boards"), which))
        for row in top.rows:
            self._say(self._board_line(row, top.by))
        if not top.rows:
            self._say(self._words("boards.empty"))
        elif top.mine:
            self._say(standing_line(self._words, top))

    def _board_line(self, row: e.BoardRow, by: Measure) -> str:
        parts = [clock(row.time), self._words("n.moves", row.moves)]
        if by is Measure.SCORE:
            parts.append(f"{self._words('measure.score')} {row.score}")
        parts += [self._exact(row), day_of(row.at, row.time)]
        if row.first:
            parts.append(self._words("boards.first"))
        parts.append(f"{self._words('column.run')} {row.run}")
        return self._words.pair(f"{row.place}. {row.name}", ", ".join(parts))

    async def _runs(self, player: str) -> None:
        part = _part(player)
        runs = await self._online().runs(part.text, count=ROWS, offset=part.offset)
        for row in runs.rows:
            parts = [deal_text(row.deal), row.rules, clock(row.time), self._words("n.moves", row.moves)]
            parts.append(self._exact(row))
            self._say(
                f"{day_of(row.at, row.time)}, {', '.join(parts)}, {self._words('column.run')} {row.run}"
            )
        self._say(self._words("boards.utc" if runs.rows else "runs.empty"))

    def _exact(self, row: e.BoardRow | e.RunRow) -> str:
        """What was given back for the network, and how exact a time is, in words."""
        return self._words("plain.exact", back=row.compensation, error=row.error)

    async def _profile(self, player: str) -> None:
        profile = await self._online().players.profile(player, history=HISTORY)
        for line in profile_lines(self._words, profile):
            self._say(line)

    async def _ratings(self, text: str) -> None:
        part = _part(text)
        rules = opening(part.text).rules_name
        ask = self._online().players.ratings
        board = await ask(rules, count=ROWS, offset=part.offset, around=part.around)
        for row in board.rows:
            races = self._words("n.races", row.races)
            rating = f"{row.rating} ± {row.deviation}, {races}"
            self._say(self._words.pair(f"{row.place}. {row.name}", rating))
        if not board.rows:
            self._say(self._words("ratings.empty"))
        elif board.mine:
            self._say(standing_line(self._words, board))

    # Replays

    async def _replay(self, text: str) -> None:
        """`RUN`, and behind it `from T`, `speed X`, `step N`: all at once unless a speed is named."""
        what, asked = _replay_options(text)
        over = self._over()
        what = what or (run_to_show(over) if over is not None else "")
        if not what:
            raise NotUnderstood(self._words("plain.more", what="replay", usage=usage(self._words, "replay")))
        path = replay_file(what)
        document = text_of(path) if path is not None else await self._online().replay(what)
        replay = from_json(document)
        failure = verify(replay).failure
        if failure is not None:
            self._say(self._words("replay.bad", why=failure.text))
            return
        await self._show(self._frames(replay, asked), asked.get("speed", 0.0))

    def _frames(self, replay: Replay, asked: dict[str, float]) -> Iterator[tuple[int, str]]:
        projector = Projector(Film(replay), t_ms=asked.get("from", 0.0))
        frames = projector.film.frames
        step = max(1, int(asked.get("step", 1)))
        first = max(1, projector.index)
        for at in range(first, len(frames), step):
            frame = frames[min(at + step, len(frames)) - 1]
            yield frame.t_ms, self._frame_line(replay, frame)

    def _frame_line(self, replay: Replay, frame: Frame) -> str:
        home = self._words("n.home", frame.lines[frame.player].cards_home)
        who = f"{clock(frame.t_ms)}, {replay.players[frame.player].name}"
        return self._words.pair(who, f"{frame.do}, {home}")


def check_daily(words: Catalogue, today: e.Dailies, rules: str) -> None:
    """Raises `NotUnderstood`, with what can be named, where there is no deal of the day by these rules."""
    names = [*(row.rules for row in today.rows), *today.choosing]
    if rules and names and rules.lower() not in names:
        raise NotUnderstood(words("daily.which", name=rules, names=", ".join(names)))


class _Part(NamedTuple):
    """What is asked for, and which part of it: the rows around one's own, or those from `offset` on."""

    text: str
    around: bool = False
    offset: int = 0


def _part(text: str) -> _Part:
    """Read `… around` and `… page 2` off."""
    words = [word.lower() if word.lower() in (AROUND, PAGE) else word for word in text.split()]
    around = AROUND in words
    left = [word for word in words if word != AROUND]
    offset = 0
    if PAGE in left:
        at = left.index(PAGE)
        number = left[at + 1] if at + 1 < len(left) else ""
        if not number.isdecimal() or not 0 < int(number) < 1_000_000:
            raise OptionUnclear(PAGE)
        offset = ROWS * (int(number) - 1)
        del left[at : at + 2]
    return _Part(" ".join(left), around, offset)


def _replay_options(text: str) -> tuple[str, dict[str, float]]:
    words = text.split()
    asked: dict[str, float] = {}
    while len(words) >= 2 and words[-2] in ("from", "speed", "step"):
        value, key = words.pop(), words.pop()
        number = parse_time(value) if key == "from" else _positive(value)
        if number is None:
            raise NotUnderstood(f"{key} {value}")
        asked[key] = float(number)
    return " ".join(words), asked


def _positive(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < 1e9 else None
