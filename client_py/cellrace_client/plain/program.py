"""The line mode: reads a command, says what became of it, and in between what happens in the race."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from cellrace_client.advice import solvable
from cellrace_client.arrival import arrive, is_known_otherwise
from cellrace_client.client import Client
from cellrace_client.deal_names import deal_text
from cellrace_client.errors import CellraceError, Disconnected, NotUnderstood, RequestFailed
from cellrace_client.faults import connection, noticed, told
from cellrace_client.files import why
from cellrace_client.followed import followed
from cellrace_client.identities import Identities
from cellrace_client.itself import called
from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_client.openings import Strangers, challenges, joining, opening, strangers
from cellrace_client.plain.readings import Readings, check_daily
from cellrace_client.plain.seat import Seat, end, in_race
from cellrace_client.plain.usage import TOLD_WITH, everything, misplaced, usage
from cellrace_client.plain.words import event_lines, host_line, standings_lines
from cellrace_client.practice import Practice
from cellrace_client.race import Race
from cellrace_client.race_options import race_options
from cellrace_client.seats import give_back, is_played
from cellrace_client.standings import again, run_to_show, series_line
from cellrace_client.tables import PracticeTable
from cellrace_client.waiting import has_no_bot, stand_in, waits_alone
from cellrace_engine import EngineError
from cellrace_protocol import events as e


class Settings(NamedTuple):
    """How it is started; `first` is the first command. A program that is `strict` ends where that fails: nobody is
    there to do better."""

    url: str
    words: Catalogue
    identities: Identities
    name: str = ""
    first: str = ""
    local: bool = False
    strict: bool = False


class Ending(NamedTuple):
    """How it ended: what the last command has failed of, if it did, whether the lines ended before there was a
    result in the race or the game that one was in, and whether the failure was said."""

    failure: CellraceError | EngineError | OSError | None = None
    unfinished: bool = False
    is_said: bool = True


class Program:
    """`run` with the lines that are typed, until they end or one quits."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        self.words = settings.words
        self.client: Client | None = None
        self.seat: Seat | None = None
        self.goes_on = ""
        """The race of ours that was left last, if it goes on without us."""
        self._settings = settings
        self._say = say
        self._following: asyncio.Task[None] | None = None
        self._moving = asyncio.Lock()
        """What is typed and what a rematch brings may move us at the same time."""
        self._asked = {
            "quick": self._quick, "race": self._race, "create": self._race, "against": self._against,
            "join": self._join, "watch": self._watch, "practice": self._practice,
            "rematch": self._rematch, "play": self._play_daily, "leave": self._back,
            **dict.fromkeys(("help", *(word for word, meant in TOLD_WITH.items() if meant == "help")), self._help),
            **Readings(self.words, say, self._online, self._show, self._over).commands,
        }  # fmt: skip
        self._showing: asyncio.Task[None] | None = None
        """A replay that goes on."""

    @property
    def commands(self) -> Collection[str]:
        """What is obeyed wherever one is."""
        return self._asked.keys()

    async def run(self, lines: AsyncIterator[str]) -> Ending:
        """Obey each line. Raises `CannotConnect` where there is no server and it is not to be played alone."""
        settings = self._settings
        async with contextlib.AsyncExitStack() as stack:
            if not settings.local:
                url, kept = settings.url, settings.identities
                token = kept.token(url)
                coming = arrive(
                    url,
                    kept,
                    name=settings.name,
                    on_notice=self._noticed,
                    on_connection=self._connection_is,
                )
                self.client = await stack.enter_async_context(coming)
                self._keep(self.client)
                self._say(self.words("lobby.you", name=self.client.name))
                if is_known_otherwise(self.client, token, settings.name):
                    self._say(self.words("lobby.known", name=self.client.name))
                for race in self.client.races_under_way:
                    self._say(self.words("plain.goes_on", race=race))
            if not settings.strict:
                self._say(self.words("plain.begin"))
            return await self._obey_all(settings.first, lines)

    def _keep(self, client: Client) -> None:
        try:
            self._settings.identities.keep(self._settings.url, client.token)
        except OSError as error:  # one can play all the same
            self._say(why(error))

    def _noticed(self, notice: e.Notice) -> None:
        self._say(noticed(self.words, notice))

    def _connection_is(self, there: bool) -> None:
        self._say(connection(self.words, there, None))

    async def _obey_all(self, first: str, lines: AsyncIterator[str]) -> Ending:
        gathering = asyncio.create_task(self._gather())
        try:
            ending = await self.obey(first, quietly=self._settings.strict) if first else Ending()
            if ending.failure is not None and self._settings.strict:
                return ending
            async for line in lines:
                command = line.strip()
                if command in ("quit", "q"):
                    return ending
                ending = await self.obey(command)
            return await self._without_more_lines(ending)
        finally:
            await end(gathering)
            await self._stop_showing()
            await self._leave()

    async def _without_more_lines(self, ending: Ending) -> Ending:
        if self._showing is not None:
            await asyncio.wait([self._showing])
        if self.seat is None:
            return ending
        await self.seat.advised()
        has_result = await self.seat.has_result()
        if not has_result and self.client is not None and self.client.failure is not None:
            gone = Disconnected("the connection is gone")
            gone.__cause__ = self.client.failure
            return Ending(gone)
        return Ending(unfinished=not has_result)

    async def obey(self, command: str, *, quietly: bool = False) -> Ending:
        """Do what one line asks for, and say what became of it; a failure `quietly` is for whoever is told how it
        ended. Returns how it would be to end here."""
        asked, _, rest = command.partition(" ")
        await self._stop_showing()
        if self.seat is not None and self.seat.stop_advising():
            self._say(self.words("plain.overtaken"))
        try:
            if asked in self._asked:
                await self._asked[asked](rest.strip())
            elif self.seat is not None and self.seat.obey(command):
                pass
            elif asked in ("?", ""):
                await self._help("")
            else:
                raise NotUnderstood(misplaced(self.words, command, self.seat is not None))
        except BrokenPipeError:
            raise  # whoever reads has seen enough
        except (CellraceError, EngineError, OSError) as error:
            if not quietly:
                self._say(told(self.words, error))
            return Ending(error, is_said=not quietly)
        return Ending()

    async def _help(self, command: str) -> None:
        """All commands, or one."""
        if not command:
            for line in everything(self.words):
                self._say(line)
            return
        try:
            self._say(usage(self.words, command))
        except KeyError:
            raise NotUnderstood(self.words("plain.unknown", what=command)) from None

    def _wanted(self, command: str, text: str) -> str:
        """What is typed behind a command that is for something. Raises `NotUnderstood` where nothing is."""
        if not text:
            more = self.words("plain.more", what=command, usage=usage(self.words, command))
            raise NotUnderstood(more)
        return text

    def _over(self) -> RaceModel | None:
        """The race that one is still in though it is over: its run and its board are meant where none is named."""
        race = self.seat.race if self.seat is not None else None
        model = race.model if race is not None else None
        return model if model is not None and model.phase == "ended" else None

    def _tell_what_now(self, model: RaceModel) -> None:
        """What can be done once a race is over."""
        there_is = {
            "replay": bool(run_to_show(model)),
            "boards": bool(model.deal),
            again(model): model.you >= 0 and bool(model.start) and not model.daily,
            "leave": True,
        }
        ways = [self.words(f"after.{name}") for name, is_there in there_is.items() if is_there]
        self._say(self.words("plain.after", what=", ".join(ways)))

    def _online(self) -> Client:
        if self.client is None:
            raise Disconnected(self.words("state.local"))
        return self.client

    # Races

    async def _gather(self) -> None:
        """Go where a rematch, or a stand-in, has brought us."""
        while self.client is not None:
            try:
                race = await self.client.gathered()
            except Disconnected as error:
                self._say(told(self.words, error))
                return
            try:
                await self._enter(race)
            except CellraceError as error:  # of this race alone: there may be another
                self._say(told(self.words, error))

    async def _enter(self, race: Race) -> None:
        async with self._moving:
            await self._get_up()
            seat = self.seat = in_race(self.words, self._say, race, lambda: self._online().delay_ms)
            self._following = asyncio.create_task(self._follow(seat, race))
            model = await race.until(lambda _: True)
            if race.seat >= 0 and model.phase == "lobby":
                invite = f"{called()} join {race.id}"
                self._say(self.words("race.invite", command=invite, link=self._online().link(race)))
                if not model.seats[race.seat].ready:
                    self._say(self.words("race.press_ready"))
            seat.players()
            series = series_line(self.words, model)
            if series and model.phase != "ended":
                self._say(series)
            if model.phase == "ended":
                for line in standings_lines(self.words, model):
                    self._say(line)
                self._tell_what_now(model)

    async def _follow(self, seat: Seat, race: Race) -> None:
        refusing = asyncio.create_task(self._hear_refusals(race), name="refusals")
        try:
            await self._tell(seat, race)
        finally:
            await end(refusing)

    async def _hear_refusals(self, race: Race) -> None:
        with contextlib.suppress(Disconnected):
            while True:
                self._say(told(self.words, await race.refusal()))

    async def _tell(self, seat: Seat, race: Race) -> None:
        shown = False
        names: dict[int, str] = {}
        hosts = None
        async for model, event in followed(race):
            seat.timing.hear(event)
            for line in event_lines(self.words, model, event, names):
                self._say(line)
            if isinstance(event, e.End):
                self._tell_what_now(model)
            hosted, hosts = hosts, host_line(self.words, model)
            if hosts and hosted not in (None, hosts):
                self._say(hosts)
            names = {number: each.name for number, each in enumerate(model.seats)}
            if model.start and not shown:
                shown = True
                seat.board()
                if seat.table is not None and not seat.table.hints:
                    self._say(self.words("race.counts"))

    async def _leave(self) -> None:
        async with self._moving:
            await self._get_up()

    async def _get_up(self) -> None:
        """From where we sit, if anywhere; only in the one task that moves us."""
        seat, self.seat = self.seat, None
        following, self._following = self._following, None
        if following is not None:
            await end(following)
        if seat is not None:
            seat.stop_advising()
        if seat is not None and seat.race is not None:
            await give_back(seat.race)
            self.goes_on = seat.race.id if is_played(seat.race) else ""
            seat.race.part()

    async def _back(self, _: str) -> None:
        self.goes_on = ""
        await self._leave()
        self._say(self.words("plain.left"))
        if self.goes_on:
            self._say(self.words("plain.goes_on", race=self.goes_on))

    async def _quick(self, how: str) -> None:
        asked = strangers(how)
        if how not in ("", "ranked") and not asked.ghost:
            told_of = usage(self.words, "quick")
            raise NotUnderstood(self.words("plain.not_that", what=how, command="quick", usage=told_of))
        house_bot = not asked.ranked and not asked.ghost
        quick = self._online().quick
        race = await quick(ranked=asked.ranked, house_bot=house_bot, ghost=asked.ghost)
        await self._enter(race)
        await self._tell_who_may_come(race, asked)

    async def _tell_who_may_come(self, race: Race, asked: Strangers) -> None:
        """Who else may, where one waits for strangers alone. That no bot can is told by a notice."""
        model = race.model
        if model is None or not waits_alone(model):
            return
        said = self.words("wait.ghost") if asked.ghost else stand_in(self.words, model, None)
        if not said and not asked.ranked:
            rows = await self._online().races()  # a notice that no bot comes is there before the answer
            after_ms = next((row.bot_after_ms for row in rows if row.race == race.id), 0)
            comes = after_ms >= 0 and not has_no_bot(self._online().notices, race.channel)
            said = stand_in(self.words, model, after_ms / 1_000 if comes else None)
        if said:
            self._say(said)

    async def _race(self, text: str) -> None:
        asked = race_options(text)
        await self._enter(await self._online().create(**asked._asdict()))

    async def _against(self, text: str) -> None:
        self._wanted("against", text)
        ghosts = self._online().ghosts
        runs = [
            asked.run or await ghosts.of(asked.deal, asked.rules_name, whose=asked.whose)
            for asked in challenges(text)
        ]
        await self._enter(await ghosts.race(*runs))

    async def _join(self, text: str) -> None:
        asked = joining(self._wanted("join", text))
        await self._enter(await self._online().join(asked.what, rules=asked.rules_name))

    async def _watch(self, what: str) -> None:
        named = self._wanted("watch", what)
        await self._enter(await self._online().watch(named))

    async def _rematch(self, _: str) -> None:
        race = self.seat.race if self.seat is not None else None
        if race is None:
            raise NotUnderstood(self.words("plain.only_race", what="rematch"))
        if race.model is not None and race.model.daily:
            self._say(self.words("daily.again"))
        else:
            await self._enter(await self._online().rematch(race))

    async def _play_daily(self, rest: str) -> None:
        what, _, rules = rest.partition(" ")
        if what != "daily":
            told_of = usage(self.words, "play")
            wrong = self.words("plain.not_that", what=what, command="play", usage=told_of)
            raise NotUnderstood(wrong if what else self.words("plain.more", what="play", usage=told_of))
        dailies = self._online().dailies
        try:
            race = await dailies.play(*[rules] if rules else [])
        except RequestFailed:
            check_daily(self.words, await dailies.today(), rules)
            raise
        await self._enter(race)

    async def _practice(self, text: str) -> None:
        asked = opening(text)
        if asked.deal is None:
            self._say(self.words("game.searching"))
        deal = asked.deal or await solvable(asked.rules)
        async with self._moving:
            await self._get_up()
            seat = self.seat = Seat(self.words, self._say)
            seat.table = PracticeTable(Practice(asked.rules, deal), time.monotonic, seat.trouble)
            self._say(self.words("game.deal", deal=deal_text(str(deal))))
            seat.board()

    async def _show(self, frames: Iterator[tuple[int, str]], speed: float) -> None:
        """Lines of a replay: all at once, or at so many times the speed it was played at, until something else is
        asked for."""
        if not speed:
            for _, line in frames:
                self._say(line)
        else:
            await self._stop_showing()
            self._showing = asyncio.create_task(self._project(list(frames), speed), name="replay")

    async def _project(self, frames: Sequence[tuple[int, str]], speed: float) -> None:
        began = frames[0][0] if frames else 0
        start = asyncio.get_running_loop().time()
        for t_ms, line in frames:
            due = start + (t_ms - began) / (1_000 * speed)
            await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
            self._say(line)

    async def _stop_showing(self) -> None:
        showing, self._showing = self._showing, None
        if showing is not None:
            await end(showing)
