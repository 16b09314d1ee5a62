"""The program: the connection, and which screen is on."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from cellrace_client.advice import solvable
from cellrace_client.arrival import arrive, is_known_otherwise
from cellrace_client.boards import BoardQuery
from cellrace_client.client import Client
from cellrace_client.errors import CannotConnect, CellraceError, Disconnected
from cellrace_client.faults import connection, noticed, told
from cellrace_client.files import text_of, why
from cellrace_client.identities import Identities
from cellrace_client.languages import Catalogue
from cellrace_client.links import CHALLENGE, place_of
from cellrace_client.openings import (
    Challenge,
    Joining,
    Opening,
    board_of,
    challenges,
    is_meant_as_deal,
    joining,
    opening,
    replay_file,
    strangers,
)
from cellrace_client.practice import Practice
from cellrace_client.race import Race
from cellrace_client.race_options import RaceOptions, race_options
from cellrace_client.seats import Seats, is_played
from cellrace_client.tui import daily
from cellrace_client.tui.daily import DailyScreen
from cellrace_client.tui.keys import SCREENS, KeysScreen
from cellrace_client.tui.listings import ListScreen, Pick, RunsScreen, runs_screen
from cellrace_client.tui.lobby import MENU, Chosen, LobbyScreen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.options import OptionsScreen
from cellrace_client.tui.play import PlayScreen
from cellrace_client.tui.practice import PracticeScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.records import PAGE, BoardScreen, RatingsScreen, asked, own_profile
from cellrace_client.tui.replay import ReplayScreen
from cellrace_client.tui.signals import Signals
from cellrace_client.tui.tasks import begin
from cellrace_client.tui.watch import WatchScreen
from cellrace_engine import EngineError, from_json, verify
from cellrace_protocol import events as e

Answer = TypeVar("Answer")

KINDS: Sequence[tuple[type[Screen[Any]], str]] = (
    (LobbyScreen, "lobby"),
    (OptionsScreen, "options"),
    (DailyScreen, "daily"),
    (BoardScreen, "board"),
    (RunsScreen, "runs"),
    (RatingsScreen, "ratings"),
    (ReplayScreen, "replay"),
    (Screen, "list"),
)
"""Which keys the screens have, a class before those that it is made of."""

ROWS = 100
"""So many of a board, or of one's runs."""


class Settings(NamedTuple):
    """How the program is started. `first` is what to do at once, as in the lobby (`quick`, `join`, …), with `text`.
    With `signals` it ends in good order when it is told to by one."""

    url: str
    words: Catalogue
    looks: Looks
    identities: Identities
    name: str = ""
    first: str = ""
    text: str = ""
    local: bool = False
    signals: bool = False


class CellraceApp(App[int]):
    """`run()` returns when the player quits; `goes_on` is then the race of theirs that goes on, if there is one."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    ToastRack { margin-bottom: 4; }
    """  # not over the lines at the foot that say what to do
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "", priority=True),
        Binding("f1", "keys", "", priority=True),
        Binding("question_mark", "keys", ""),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.words = settings.words
        self.client: Client | None = None
        self.lobby = LobbyScreen(settings.words)
        self.goes_on = ""
        self._offline = settings.words("state.local") if settings.local else ""
        """Why there is no server."""
        self._seats = Seats()
        self._named: dict[str, str] = {}
        """The deal of each race for which the player has named one."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._connected = asyncio.Event()

    def on_mount(self) -> None:
        """The lobby first; the connection comes behind it."""
        if self.settings.signals:
            Signals(self)
        self.push_screen(self.lobby)
        if not self.settings.local:
            self._begin(self._stay_connected())
        if self.settings.first:
            self._begin(self._do(self.settings.first, self.settings.text))

    async def on_unmount(self) -> None:
        """Give back what has not begun, and hang up."""
        if self.client is not None:
            await self._seats.give_back()
        self.goes_on = self._seats.goes_on or self.lobby.under_way
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def action_keys(self) -> None:
        """All the keys of the screen that is on, over it."""
        screen = self.screen
        if isinstance(screen, PlayScreen):
            screen.let_go()
        if isinstance(screen, KeysScreen):
            screen.dismiss(None)
        elif isinstance(screen, PlayScreen | WatchScreen):
            self.push_screen(KeysScreen(self.words, screen.all_keys()))
        else:
            menu = (
                [(key, self.words(f"menu.{what}")) for what, key in MENU.items()]
                if screen is self.lobby
                else ()
            )
            self.push_screen(KeysScreen(self.words, SCREENS[self._kind(screen)], menu))

    @staticmethod
    def _kind(screen: Screen[object]) -> str:
        return next(name for kind, name in KINDS if isinstance(screen, kind))

    async def action_quit(self) -> None:
        """Out of a race that goes on, only when it is asked for twice."""
        if isinstance(self.screen, KeysScreen):
            await self.screen.dismiss(None)
        screen = self.screen
        if isinstance(screen, RaceScreen) and not screen.race.closed and is_played(screen.race):
            screen.surely("game.quit_again", self.exit)
        else:
            self.exit()

    def action_help_quit(self) -> None:
        """Ctrl-C: as Ctrl-Q. The library would say so in its own words, in English."""
        self._begin(self.action_quit())

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = begin(self, work, "program")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # The connection

    async def _stay_connected(self) -> None:
        settings = self.settings
        try:
            url, kept = settings.url, settings.identities
            token = kept.token(url)
            async with arrive(
                url, kept, name=settings.name, on_notice=self._notice, on_connection=self._title
            ) as client:
                self.client = client
                self._keep(client)
                if is_known_otherwise(client, token, settings.name):
                    self.lobby.say(self.words("lobby.known", name=client.name))
                self._title(client.connected)
                self.lobby.goes_on(client.races_under_way)
                self.lobby.follow(await client.follow(), lambda: client.name)
                self._connected.set()
                await self._gather(client)
        except CannotConnect as error:
            offline = self.words("state.offline", url=settings.url)
            self._stay_offline(str(error) if error.retry_after_s else offline)
        except CellraceError as error:
            self._stay_offline(told(self.words, error))
        finally:
            self.client = None
            self._connected.set()

    def _stay_offline(self, why: str) -> None:
        self._offline = why
        self.lobby.say(why)
        self.lobby.title_line.tell("cellrace")

    def _title(self, is_connected: bool) -> None:
        """Who one is where, and how the connection is when it is not as it should be."""
        client = self.client
        if client is not None:
            state = [] if is_connected else [connection(self.words, False, client.failure)]
            who = self.words("lobby.you", name=client.name)
            self.lobby.title_line.tell("  ".join(["cellrace", who, self.settings.url, *state]))

    def _keep(self, client: Client) -> None:
        try:
            self.settings.identities.keep(self.settings.url, client.token)
        except OSError as error:
            self.lobby.say(why(error))

    def _notice(self, notice: e.Notice) -> None:
        self.notify(noticed(self.words, notice), markup=False)

    async def _gather(self, client: Client) -> None:
        """Go where the others' rematch, or a stand-in, has brought us. Whoever looks at the result of a race is not
        torn away from it by a rematch, but invited."""
        while True:
            race = await client.gathered()
            results = (screen for screen in self.screen_stack if isinstance(screen, RaceScreen))
            result = next((screen for screen in results if screen.is_before(race)), None)
            if result is None:
                self._go_on(client, race)
            else:
                self._seats.taken(race)
                result.invite(race)
                if result is not self.screen:
                    self._say(self.words("race.invited"))

    def on_race_screen_next(self, message: RaceScreen.Next) -> None:
        if self.client is not None:
            self._go_on(self.client, message.race)

    def on_race_screen_left(self, message: RaceScreen.Left) -> None:
        self.lobby.left(message.row, message.is_played)

    def _go_on(self, client: Client, race: Race) -> None:
        """In another race, in the place of one that is over, or that this window has lost."""
        if isinstance(self.screen, KeysScreen):
            self.pop_screen()
        screen = self.screen
        if isinstance(screen, RaceScreen | WatchScreen) and (screen.race.over or screen.race.closed):
            screen.race.part()
            self.pop_screen()
        self._enter(client, race)

    # What was chosen

    def on_chosen(self, message: Chosen) -> None:
        self._begin(self._do(message.what, message.text))

    async def _do(self, what: str, text: str) -> None:
        """Do what was chosen; what goes wrong is said in the lobby."""
        self.lobby.say("")
        if isinstance(self.screen, ListScreen | WatchScreen):
            self.screen.say("")
        try:
            if what == "practice":
                await self._practise(opening(text))
            elif what == "replay" and (path := replay_file(text)) is not None:
                self._show_replay(text_of(path))
            else:
                if not self.settings.local:
                    await self._connected.wait()
                if self.client is None:
                    raise Disconnected(self._offline)
                await self._online(self.client, what, text)
        except (CellraceError, EngineError, OSError) as error:
            self._say(told(self.words, error))
            self.lobby.answered(False)
        else:
            self.lobby.answered(True)

    def _say(self, text: str) -> None:
        """Where it is read: on the screen that is on, if that says anything, else in the lobby."""
        (self.screen if isinstance(self.screen, PlayScreen | ListScreen | WatchScreen) else self.lobby).say(
            text
        )

    async def _online(self, client: Client, what: str, text: str) -> None:
        match what:
            case "quick":
                ghost = strangers(text).ghost
                self._enter(client, await client.quick(house_bot=not ghost, ghost=ghost))
            case "ranked":
                self._enter(client, await client.quick(ranked=True))
            case "friend":
                self._enter(client, await self._create(client, race_options(text)))
            case "options":
                form = OptionsScreen(self.words, lambda wanted: self._create(client, wanted))
                if (race := await self._answer(form)) is not None:
                    self._enter(client, race)
            case "against":
                self._enter(client, await self._against(client, challenges(text)))
            case "join":
                self._enter(client, await self._join(client, joining(text)))
            case "watch":
                self._enter(client, await client.watch(text))
            case _:
                await self._read(client, what, text)

    async def _create(self, client: Client, options: RaceOptions) -> Race:
        race = await client.create(**options._asdict())
        self._named[race.id] = options.deal
        return race

    async def _join(self, client: Client, asked_for: Joining) -> Race:
        what, rules = asked_for
        deal = str(opening(what, rules).deal) if is_meant_as_deal(what) else ""
        race = await client.join(what, rules=rules)
        if deal:
            self._named[race.id] = deal
        return race

    async def _against(self, client: Client, named: Sequence[Challenge]) -> Race:
        runs = [one.run or await client.ghosts.of(one.deal, one.rules_name, whose=one.whose) for one in named]
        race = await client.ghosts.race(*runs)
        self._named[race.id] = named[-1].deal
        return race

    async def _read(self, client: Client, what: str, text: str) -> None:
        """What there is to see, and perhaps to choose from."""
        match what:
            case "daily":
                await self._daily(client)
            case daily.DAILY_BOARD:
                rules, _, day = text.rpartition(" ")
                await self._daily_board(client, rules, day)
            case "boards":
                wanted = board_of(text)
                await self._with_a_run(
                    client, BoardScreen(self.words, client, wanted, await asked(client, wanted))
                )
            case "runs":
                await self._with_a_run(client, runs_screen(self.words, await client.runs(count=ROWS)))
            case "profile":
                await self._with_a_run(client, await own_profile(self.words, client))
            case "ratings":
                ratings = await client.players.ratings(opening(text).rules_name, count=PAGE)
                self.push_screen(RatingsScreen(self.words, client, ratings))
            case _:
                _, shown = place_of(text, self.settings.url, self.settings.url, CHALLENGE)
                self._show_replay(await client.replay(shown))

    async def _daily(self, client: Client) -> None:
        screen = DailyScreen(self.words, client.dailies, await client.dailies.today())
        picked = await self._answer(screen) or Pick()
        if picked.row:
            self._enter(client, await client.dailies.play(picked.row))

    async def _daily_board(self, client: Client, rules: str, day: str) -> None:
        wanted = BoardQuery(rules=rules, day=day)
        first = await asked(client, wanted, daily=True)
        await self._with_a_run(client, BoardScreen(self.words, client, wanted, first, daily=True))

    async def _answer(self, screen: Screen[Answer]) -> Answer | None:
        """Show a screen; what it is dismissed with."""
        answered: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def take(answer: Answer | None) -> None:
            if not answered.done():
                answered.set_result(answer)

        self.push_screen(screen, take)
        return await answered

    def _enter(self, client: Client, race: Race) -> None:
        shown = self.words, self.settings.looks, client, race
        if race.seat >= 0:
            self._seats.taken(race)
            named = self._named.get(race.id, "")
            self.push_screen(RaceScreen(*shown, lambda: self.lobby.listed, named))
        else:
            self.push_screen(WatchScreen(*shown))
        self.lobby.entered(race.id)

    async def _practise(self, asked: Opening) -> None:
        deal = asked.deal
        if deal is None:
            self.lobby.say(self.words("game.searching"))
            deal = await solvable(asked.rules)
            self.lobby.say("")
        self.push_screen(PracticeScreen(self.words, self.settings.looks, Practice(asked.rules, deal)))

    async def _with_a_run(self, client: Client, screen: ListScreen) -> None:
        """Show runs, which lead to their replays and back; race against the one that is chosen for that."""
        picked = await self._answer(screen) or Pick()
        if picked.against:
            self._enter(client, await client.ghosts.race(picked.row))

    def _show_replay(self, document: str) -> None:
        replay = from_json(document)
        failure = verify(replay).failure
        if failure is not None:
            self._say(self.words("replay.bad", why=failure.text))
        else:
            self.push_screen(ReplayScreen(self.words, self.settings.looks, replay))
