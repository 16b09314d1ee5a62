"""Racing: one's own board, and how far the others are."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.events import Key
from textual.message import Message

from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.errors import CellraceError, Disconnected
from cellrace_client.faults import connection, told
from cellrace_client.itself import called
from cellrace_client.languages import Catalogue
from cellrace_client.model import GhostRun, RaceModel, SeatState
from cellrace_client.race import Race
from cellrace_client.reception import TAKEN_OVER
from cellrace_client.seats import is_played
from cellrace_client.standings import again, awaited_line, racing, run_to_show, series_line
from cellrace_client.tables import RaceTable
from cellrace_client.times import clock, running
from cellrace_client.timing import Timing
from cellrace_client.tui.hand import by_position
from cellrace_client.tui.keys import BACK, ENTER, PLAYING, RACE_FOOT, SCREENS, Act, acts
from cellrace_client.tui.lobby import Chosen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.play import PlayScreen
from cellrace_client.tui.result import ResultCard
from cellrace_client.tui.tasks import begin
from cellrace_client.waiting import has_no_bot, stand_in
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind


class RaceScreen(PlayScreen):
    """One's own seat in a race, from the lobby to the standings. Enter: ready; once it is over, to the board and back.
    `s`: start, as the host. `g` twice: give up. `m`: rematch."""

    ACTS: ClassVar[Mapping[str, str]] = {
        **PlayScreen.ACTS,
        "enter": "ready",
        "s": "start",
        "g": "give up",
        "m": "rematch",
    }

    class Next(Message):
        """A rematch: it goes on in this race."""

        def __init__(self, race: Race) -> None:
            super().__init__()
            self.race = race

    class Left(Message):
        """One has gone away from a race that goes on; `is_played`: with something left to do there."""

        def __init__(self, row: e.RaceRow, is_played: bool) -> None:
            super().__init__()
            self.row = row
            self.is_played = is_played

    def __init__(
        self,
        words: Catalogue,
        looks: Looks,
        client: Client,
        race: Race,
        listed: Callable[[], Mapping[str, e.RaceRow]] = dict,
        named: str = "",
    ) -> None:
        """`listed` is the list of races as it stands: it knows when a bot may come. `named` is the deal that the player
        has named for this race, empty where it was none."""
        super().__init__(words, looks)
        self.race = race
        self._listed = listed
        self._named = named
        self._row: e.RaceRow | None = None
        self._row_heard = 0.0
        self._client = client
        self._table = RaceTable(race, self.trouble, self.show)
        self.timing = Timing(time.monotonic)
        self._following: asyncio.Task[None] | None = None
        self._refusing: asyncio.Task[None] | None = None
        self._rematching: asyncio.Task[None] | None = None
        self._invitation: Race | None = None
        self.result = ResultCard(words)
        self._looks_at_board = False

    def foot(self) -> Sequence[Act]:
        """What one can do now: before the start, while one plays, and once it is over."""
        model = self.race.model
        if model is None or model.phase == "countdown":
            return [BACK]
        if model.phase == "lobby":
            is_ready = model.you >= 0 and model.seats[model.you].ready
            return [Act(ENTER, "unready" if is_ready else "ready"), acts("race")[-1]]
        if model.phase == "ended":
            turned = "result" if self._looks_at_board else "cards"
            turn = [Act(ENTER, turned)] if model.start else []
            return [
                *turn,
                *(
                    self._called(act)
                    for act in acts("over", "film", "rematch", "boards")
                    if self._is_offered(act)
                ),
            ]
        return (
            [*(act for act in acts("race", *RACE_FOOT) if self._is_offered(act))]
            if is_played(self.race)
            else [BACK]
        )

    def all_keys(self) -> Sequence[Act]:
        """Every key that there is here now: who does not play, not yet or not any more, has none for it."""
        if self.race.over:
            return [self._called(act) for act in SCREENS["over"] if self._is_offered(act)]
        model = self.race.model
        missing: set[str] = set() if is_played(self.race) else set(PLAYING)
        if model is None or model.phase != "lobby":
            missing.add("ready")
        return [act for act in SCREENS["race"] if act.name not in missing and self._is_offered(act)]

    def _called(self, act: Act) -> Act:
        """A rematch by what it is in a series."""
        model = self.race.model
        return act if model is None or act.name != "rematch" else act._replace(name=again(model))

    def _is_offered(self, act: Act) -> bool:
        """Hints, a rematch, a replay and a board, where there are any."""
        model = self.race.model
        if model is None:
            return True
        match act.name:
            case "hint":
                return self._table.hints
            case "rematch":
                return not model.daily
            case "film":
                return bool(run_to_show(model))
            case "boards":
                return bool(model.deal)
            case _:
                return True

    @property
    def table(self) -> RaceTable:
        """The own seat."""
        return self._table

    def instead(self) -> ComposeResult:
        """The result."""
        yield self.result

    def on_mount(self) -> None:
        super().on_mount()
        self._following = begin(self, self._follow(), "race")
        self._refusing = begin(self, self._hear_refusals(), "refusals")

    def on_unmount(self) -> None:
        super().on_unmount()
        for task in (self._following, self._refusing, self._rematching):
            if task is not None:
                task.cancel()

    async def _follow(self) -> None:
        async for event in self.race:
            self.timing.hear(event)
            if isinstance(event, e.Go | e.End | e.Done):
                self.say("")
            self.show()
        self.show()

    async def _hear_refusals(self) -> None:
        with suppress(Disconnected):
            while True:
                self.say(told(self.words, await self.race.refusal()))

    def is_before(self, race: Race) -> bool:
        """Whether that race, in which one has a seat, is the rematch of this one."""
        model = self.race.model
        return model is not None and model.rematch == race.id and race.seat >= 0

    def invite(self, race: Race) -> None:
        """Others race again: in this race one has a seat, and `m` leads there. So does its start."""
        self._invitation = race
        self.show()

    def _accept(self) -> None:
        if self._invitation is not None:
            race, self._invitation = self._invitation, None
            self.post_message(self.Next(race))

    def show(self) -> None:
        """The clock, the others, the connection."""
        super().show()
        there = self._invitation.model if self._invitation is not None else None
        if there is not None and there.phase != "lobby":
            self._accept()
        model = self.race.model
        if model is not None and self.is_attached:
            self._show_result(model)
            self.title_line.tell(self._title(model))
            self.side.tell(self._others(model))

    def _show_result(self, model: RaceModel) -> None:
        """Once it is over, how it has ended, in the place of the board, which is behind it."""
        is_shown = model.phase == "ended" and not self._looks_at_board
        if is_shown:
            self.result.tell(model)
        self.result.display = is_shown
        self.query_one("#middle").display = not is_shown

    def _title(self, model: RaceModel) -> str:
        now = self.timing.race_ms(model)
        parts = [f"cellrace {model.race}", deal_text(model.deal or self._named) or self.words("race.hidden")]
        if model.phase in ("running", "ended"):
            parts.append(running(now) if model.phase == "running" else clock(now))
        delay = self._client.delay_ms
        state = connection(self.words, self._client.connected, self._client.failure)
        parts.append(state + (f" {self.words('state.delay', ms=delay)}" if delay else ""))
        return "  ".join(parts)

    def status(self) -> str:
        """What happens, or what one can do."""
        model = self.race.model
        if model is None:
            return ""
        if self._elsewhere:
            return self.words("race.elsewhere")
        if self.race.closed and not self.race.over and self._client.failure is None:
            return self.words("race.gone")
        if model.phase == "lobby":
            return self._in_lobby(model)
        if model.phase == "countdown":
            return self.words("race.countdown", seconds=self.timing.countdown_s())
        if model.phase == "ended":
            if self._invitation is not None:
                return self.words("race.invited")
            no_more = f" {self.words('daily.again')}" if model.daily else ""
            return f"{self.words('race.over')}.{no_more}"
        own = model.seats[model.you] if model.you >= 0 else None
        if own is not None and own.time >= 0:
            won = self.words("game.won", time=clock(own.time), moves=self.words("n.moves", own.moves))
            return ". ".join(filter(None, [won, awaited_line(self.words, model)]))
        if own is not None and own.gave_up:
            return self.words("race.given_up", racing(model))
        if self._is_ranked(model) and own is not None and not own.moves:
            return super().status() or self.words("race.counts")
        return super().status()

    @staticmethod
    def _is_ranked(model: RaceModel) -> bool:
        """Also the one attempt at the deal of the day is."""
        return model.ranked or (bool(model.daily) and not model.practice)

    @property
    def _elsewhere(self) -> bool:
        """Another connection of ours has the seat."""
        failure = self.race.failure
        return failure is not None and failure.code == TAKEN_OVER and not self.race.over

    def _in_lobby(self, model: RaceModel) -> str:
        own = model.seats[model.you] if model.you >= 0 else None
        missing = sum(not seat.taken for seat in model.seats)
        if own is not None and not own.ready:
            said = self.words("race.press_ready")
        else:
            said = self.words("n.missing", missing) if missing else self.words("race.waiting_ready")
            comes = stand_in(self.words, model, self._bot_after_s())
            said = self.words.pair(said, comes) if comes else said
        return f"{said}  {self.words('race.press_start')}" if model.hosting and model.can_start else said

    def _bot_after_s(self) -> float | None:
        """When a bot of the house may come, as the list has said; `None` where none can, or nothing is known."""
        row = self._listed().get(self.race.id)
        if row is not self._row:
            self._row, self._row_heard = row, time.monotonic()
        if row is None or row.bot_after_ms < 0 or has_no_bot(self._client.notices, self.race.channel):
            return None
        return row.bot_after_ms / 1_000 - (time.monotonic() - self._row_heard)

    def _others(self, model: RaceModel) -> Text:
        text = Text()
        if model.phase == "lobby":
            self._invite(text, model)
        series = series_line(self.words, model)
        if series:
            text.append(f"{series}\n\n")
        if model.host_away and model.host_matters:
            text.append(f"{self.words('race.host_away')}\n\n")
        for index, seat in self._ordered(model):
            if seat.taken:
                host = model.host if model.host_matters else ""
                self._seat(text, seat, own=index == model.you, running=bool(model.start), host=host)
        now = self.timing.race_ms(model)
        for ghost in model.ghosts.values():
            self._ghost(text, ghost, now if model.start else 0)
        if model.spectators:
            text.append(self.words("n.watching", model.spectators), "dim")
        return text

    def _invite(self, text: Text, model: RaceModel) -> None:
        """How friends join while there is room for them: each way on a line that can be copied."""
        if not all(seat.taken for seat in model.seats):
            text.append(f"{self.words('race.friends')}\n")
            text.append(f"{called()} join {model.race}\n{self._client.link(self.race)}\n\n", "bold")

    @staticmethod
    def _ordered(model: RaceModel) -> Iterator[tuple[int, SeatState]]:
        if model.standings:
            for place in model.standings:
                yield place.seat, model.seats[place.seat]
        else:
            yield from enumerate(model.seats)

    def _seat(self, text: Text, seat: SeatState, *, own: bool, running: bool, host: str) -> None:
        if seat.time >= 0:
            state = self.words("race.home_in", time=clock(seat.time))
        elif seat.gave_up:
            state = self.words("race.gave_up")
        elif seat.away:
            state = self.words("race.away")
        else:
            state = "" if running or not seat.ready else self.words("race.ready")
        kind = f" ({self.words('race.bot')})" if seat.kind is Kind.BOT else ""
        kind += f" ({self.words('race.host')})" if seat.player == host else ""
        kind += f" ({self.words('race.you')})" if own else ""
        text.append(f"{seat.name}{kind}", "bold" if own else "")
        text.append(f"  {state}\n", "green" if seat.time >= 0 else "dim")
        line = self.race.line if own else None
        home, moves = (line.cards_home, line.moves) if line is not None else (seat.home, seat.moves)
        text.append(f"{self.board.looks.bar(home)} {home}/52  {self.words('n.moves', moves)}\n\n")

    def _ghost(self, text: Text, ghost: GhostRun, now: int) -> None:
        home, moves = ghost.at(now)
        text.append(f"{ghost.name} ({self.words('race.ghost')})  {clock(ghost.time)}\n", "dim")
        text.append(f"{self.board.looks.bar(home)} {home}/52  {self.words('n.moves', moves)}\n\n", "dim")

    def _press(self, event: Key) -> bool:
        if self.race.over and self._press_on_result(
            event.key if len(event.key) > 1 else event.character or ""
        ):
            return True
        if not self._elsewhere or event.key == "escape":
            return super()._press(event)
        if event.key == "enter":
            self._rematching = begin(self, self._go_on(self._client.watch(self.race.id)), "take over")
        return event.key == "enter"

    def _press_on_result(self, key: str) -> bool:
        """Keys of a race that is over: Enter turns from its result to the board and back."""
        model = self.race.model
        if key == "enter":
            self._looks_at_board = not self._looks_at_board
            self.show()
            return True
        if model is not None and by_position(key) == "v" and (run := run_to_show(model)):
            self.post_message(Chosen("replay", run))
            return True
        if model is not None and by_position(key) == "b" and model.deal:
            self.post_message(Chosen("boards", f"{model.deal} {model.rules}"))
            return True
        if self._looks_at_board or key not in ("up", "down"):
            return False
        self.result.scroll_relative(y=1 if key == "down" else -1, animate=False, immediate=True)
        return True

    def command(self, key: str, character: str) -> bool:
        """Also Enter: ready, `s`: start, `g`: give up, `m`: rematch."""
        model = self.race.model
        act = self.act(key, character)
        if act == "ready" and model is not None and model.phase == "lobby" and model.you >= 0:
            self.race.ready(not model.seats[model.you].ready)
        elif act == "start" and model is not None and model.hosting and model.can_start:
            self.race.start()
        elif act == "give up" and model is not None and model.phase == "running":
            self.surely("game.give_up_again", self._table.give_up)
        elif act == "rematch" and self._invitation is not None:
            self._accept()
        elif act == "rematch" and self.race.over and (model is None or not model.daily):
            self._rematching = begin(self, self._go_on(self._client.rematch(self.race)), "rematch")
        else:
            return super().command(key, character)
        return True

    async def _go_on(self, asked: Awaitable[Race]) -> None:
        try:
            race = await asked
        except CellraceError as error:
            self.say(told(self.words, error))
        else:
            self.post_message(self.Next(race))

    def back(self) -> None:
        """Leave: before the start the seat is given back, in a race it is asked twice."""
        model = self.race.model
        if self._invitation is not None:
            self._invitation.leave()
            self._invitation.part()
        if model is None or self.race.over:
            self._part()
        elif model.phase in ("lobby", "countdown"):
            self.race.leave()
            self._part()
        elif is_played(self.race):
            self.surely("game.leave_again", lambda: self._go_away(model))
        else:
            self._go_away(model)

    def _go_away(self, model: RaceModel) -> None:
        if not self.race.closed and self.race.seat >= 0:
            players = [seat.name for seat in model.seats if seat.taken]
            row = e.RaceRow(model.race, model.phase, model.rules, len(model.seats), players)
            self.post_message(self.Left(row, is_played(self.race)))
        self._part()

    def _part(self) -> None:
        self.race.part()
        self.dismiss(None)
