"""One game in lines: a race or a practice, and the commands that one has in it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cellrace_client.advice import advise, hintless
from cellrace_client.errors import Disconnected, NotUnderstood
from cellrace_client.files import why
from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_client.plain.words import board_lines, ghost_line, seat_line, step_line
from cellrace_client.race import Race
from cellrace_client.tables import PracticeTable, RaceTable, Table, Trouble, position_of, tapped
from cellrace_client.times import clock
from cellrace_client.timing import Timing
from cellrace_engine import Line, Position

Say = Callable[[str], None]

ANSWER_MOST_S = 10.0
"""How long one waits for the answers to what was done last, where no more will be done."""


class Seat:
    """Somebody at a table. `race` is `None` for a game alone."""

    def __init__(
        self, words: Catalogue, say: Say, race: Race | None = None, delay_ms: Callable[[], int] = int
    ) -> None:
        self.words = words
        self._delay_ms = delay_ms
        self.race = race
        self._say = say
        self.table: Table | None = None
        self.timing = Timing(time.monotonic)
        self._advising: asyncio.Task[None] | None = None

    def trouble(self, trouble: Trouble) -> None:
        self._say(self.words.why(trouble.code, trouble.text, trouble.refusal))

    def obey(self, command: str) -> bool:
        """Do what a line asks for; whether it was for the table."""
        table, words = self.table, self.words
        if table is None:
            return self._looking_on(command)
        asked, _, rest = command.partition(" ")
        simple = {
            "undo": table.undo, "u": table.undo, "redo": table.redo, "r": table.redo,
            "restart": table.restart, "finish": table.finish, "f": table.finish,
        }  # fmt: skip
        if asked in simple:
            self._done(simple[asked], asked)
        elif asked in ("hint", "?"):
            self._hint(table)
        elif asked == "board":
            self.board(rest)
        elif asked == "players":
            self.players()
        elif asked == "save":
            self._save(rest)
        elif command in ("ready", "start", "give up") or (not command and table.line is None):
            self._racing(command or "ready")
        elif table.line is not None and 2 <= len(asked) <= 5 and not rest:
            move = tapped(table.line, asked)
            self._done(lambda: table.move(move), move)
        elif table.line is None and self.race is not None and len(asked) == 2:
            self._say(words.why("not_started", "the race has not started"))
        else:
            return False
        return True

    def _looking_on(self, command: str) -> bool:
        """What one can ask for without a board of one's own."""
        asked, _, rest = command.partition(" ")
        if self.race is None or self.race.model is None or asked not in ("board", "players", "start"):
            return False
        if asked == "players":
            self.players()
        elif asked == "start":
            self.race.start()
        else:
            self.board(rest)
        return True

    def _done(self, do: Callable[[], None], text: str) -> None:
        table = self.table
        assert table is not None
        before = table.line
        do()
        line = table.line
        if line is None or line is before:
            return
        self._say(step_line(self.words, line, text, before))
        if line.won:
            if isinstance(table, PracticeTable):
                moves = self.words("n.moves", line.moves)
                self._say(self.words("game.won", time=clock(table.time_ms), moves=moves))
        elif line.stuck:
            self._say(self.words("plain.stuck"))
        elif line.finishable and not (before is not None and before.finishable):
            self._say(self.words("plain.finishable"))

    def _hint(self, table: Table) -> None:
        line = table.line
        if not table.hints:
            self._say(self.words("hint.forbidden"))
        elif line is not None:
            self._advising = asyncio.create_task(self._advise(table, line), name="hint")

    async def _advise(self, table: Table, line: Line) -> None:
        advice = await advise(line)
        none = self.words(hintless(line, advice))
        said = self.words("hint.move", move=advice.move) if advice.move else none
        self._say(said if table.line == line else self.words("plain.overtaken"))

    def stop_advising(self) -> bool:
        """No hint is wanted any more; whether one was being looked for."""
        advising, self._advising = self._advising, None
        return advising is not None and advising.cancel()

    async def advised(self) -> None:
        """Wait for the hint that is looked for, if one is."""
        if self._advising is not None:
            await asyncio.wait([self._advising])

    async def has_result(self) -> bool:
        """Whether the game, or our part of the race, is over, once what we have done is answered; of a race that is
        looked at, whether that is over."""
        if isinstance(self.table, PracticeTable):
            return self.table.line.won
        race = self.race
        if race is None or race.model is None:
            return False
        if isinstance(self.table, RaceTable):
            with suppress(TimeoutError, Disconnected):
                async with asyncio.timeout(ANSWER_MOST_S):
                    await self.table.answered()
                    if race.line is not None and race.line.won:
                        await race.until(_is_done)
        return _is_done(race.model)

    def board(self, name: str = "") -> None:
        """One's own board, or that of somebody in the race, whose name may be cut short; for who looks on, without a
        name, all of them."""
        if not name and self.table is not None:
            if self.table.line is not None:
                self._say_board(self.table.line.position)
            return
        model = self.race.model if self.race is not None else None
        meant = name.casefold()
        found = [
            seat
            for seat in (model.seats if model is not None else ())
            if seat.board is not None and seat.name.casefold().startswith(meant)
        ]
        exact = [seat for seat in found if seat.name.casefold() == meant]
        for seat in exact or found:
            self._say(seat_line(self.words, seat))
            if seat.board is not None:
                self._say_board(position_of(seat.board))
        if name and not found:
            self._say(self.words("plain.no_board", name=name))

    def _say_board(self, position: Position) -> None:
        for text in board_lines(self.words, position):
            self._say(text)

    def players(self) -> None:
        """Everybody in the race, ghosts too, and the clock."""
        model = self.race.model if self.race is not None else None
        for seat in model.seats if model is not None else ():
            if seat.taken:
                host = model.host if model is not None and model.host_matters else ""
                self._say(seat_line(self.words, seat, host, running=bool(model and model.start)))
        if model is not None and model.host_away and model.host_matters:
            self._say(self.words("race.host_away"))
        if model is not None and model.start:
            now = self.timing.race_ms(model)
            for ghost in model.ghosts.values():
                self._say(ghost_line(self.words, ghost, now))
            self._say(clock(now))
        if isinstance(self.table, PracticeTable):
            self._say(clock(self.table.time_ms))
        delay = self._delay_ms()
        if delay:
            self._say(self.words("plain.delay", ms=delay))

    def _save(self, name: str) -> None:
        if not isinstance(self.table, PracticeTable):
            self._say(self.words("plain.only_alone", what="save"))
        elif not name:
            self._say(self.words("plain.name_file"))
        else:
            try:
                Path(name).write_text(self.table.practice.document("") + "\n", encoding="utf-8")
            except OSError as error:
                self._say(why(error))
            else:
                self._say(self.words("game.saved", path=name))

    def _racing(self, command: str) -> None:
        if self.race is None or not isinstance(self.table, RaceTable):
            raise NotUnderstood(self.words("plain.only_race", what=command))
        if command == "ready":
            self.race.ready()
        elif command == "start":
            self.race.start()
        else:
            self.table.give_up()


def _is_done(model: RaceModel) -> bool:
    own = model.seats[model.you] if model.you >= 0 else None
    is_out = own is not None and (own.time >= 0 or own.gave_up)
    return is_out or (model.phase == "ended" and bool(model.start))


def in_race(words: Catalogue, say: Say, race: Race, delay_ms: Callable[[], int] = int) -> Seat:
    """The own seat of a race, or a look at it from outside; `delay_ms` is that of the connection."""
    seat = Seat(words, say, race, delay_ms)
    if race.seat >= 0:
        seat.table = RaceTable(race, seat.trouble, lambda: None)
    return seat


async def end(work: "asyncio.Task[None]") -> None:
    """End a task of ours. Raises what it has failed of: a fault in it would only be missed."""
    work.cancel()
    await asyncio.wait([work])
    if not work.cancelled():
        work.result()
